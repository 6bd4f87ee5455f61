/** Webhooks: receivers of the company's events, and the log of deliveries. */
import { Type } from 'typebox';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { neededToHear } from '../../../domain/integrations/webhooks/events.ts';
import { filterWarnings } from '../../../services/integrations/webhooks/filter-warnings.ts';
import {
  changeWebhook,
  createWebhook,
  readWebhook,
  removeWebhook,
  rotateSecret,
  type WebhookPolicy,
  webhookToJson,
} from '../../../services/integrations/webhooks/manage.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { dataBody, day, uuid } from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Caller, type Deps, defineRoute, type Route } from '../../route.ts';
import { catalogueRoute } from './catalogue.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { attemptList, attemptRows, webhookList } from './list.ts';
import { pollRoute } from './poll.ts';
import {
  attemptSchema,
  rotationInput,
  rotationSchema,
  webhookChanges,
  webhookInput,
  webhookSchema,
} from './schemas.ts';

const TAG = 'Webhooks';
const COLLECTION = '/api/webhooks';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });

export const routes: Route[] = [
  catalogueRoute,
  pollRoute,
  listRoute({
    path: COLLECTION,
    id: 'listWebhooks',
    summary: 'All webhooks',
    tag: TAG,
    access: Webhook.access,
    list: webhookList,
    row: webhookSchema,
    hidden: ['secret', 'warnings'],
    rows: () => ({
      from: 'webhooks',
      toJson: (row: object) => webhookToJson(Webhook.fromDatabaseJson(row)),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: COLLECTION,
    id: 'createWebhook',
    summary: 'Register a webhook',
    description:
      'Either with name and events, or with one event (and filter_types for notification.created), which gets the envelope {event, ' +
      'timestamp, data}. Only this answer contains the secret; afterwards secret_set says that there is one.',
    tag: TAG,
    access: 'webhooks:create',
    body: webhookInput,
    responses: { 201: dataBody(webhookSchema) },
    async handler({ db, ctx, caller, body, deps }) {
      const webhook = await createWebhook(db, ctx, webhookPolicy(deps), body);
      assertHears(caller, webhook);
      const shown = saved(webhook);
      return created(`${COLLECTION}/${webhook.id}`, body.secret ? { ...shown, secret: body.secret } : shown);
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    id: 'getWebhook',
    summary: 'One webhook',
    description: 'Everything but its secret, which is shown once.',
    tag: TAG,
    access: Webhook.access,
    params: Id,
    responses: { 200: dataBody(webhookSchema) },
    handler: async ({ reader, params }) => ok(webhookToJson(await readWebhook(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: ONE,
    id: 'changeWebhook',
    whenFull: 'reserve',
    summary: 'Change a webhook',
    description:
      'A secret of null removes the signature. Events that an inactive webhook misses are logged as skipped.',
    tag: TAG,
    access: 'webhooks:update',
    params: Id,
    body: webhookChanges,
    responses: { 200: dataBody(webhookSchema) },
    async handler({ db, ctx, caller, params, body, ifMatch, deps }) {
      const webhook = await changeWebhook(db, ctx, webhookPolicy(deps), params.id, body, ifMatch);
      assertHears(caller, webhook);
      return ok(saved(webhook));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    id: 'removeWebhook',
    summary: 'Delete a webhook and its log',
    description: 'Deliveries under way are stopped.',
    tag: TAG,
    access: 'webhooks:delete',
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removeWebhook(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/rotate-secret`,
    id: 'rotateWebhookSecret',
    whenFull: 'reserve',
    summary: 'Replace the secret of a webhook',
    problems: ['invalid_transition'],
    description: [
      'For 24 hours the previous secret signs as well: X-Service-Signature then contains both signatures, separated by a comma,',
      'webhook-signature both separated by a space, the new one first. Without `secret` one is generated.',
      'To revoke a leaked secret at once, PATCH another `secret`.',
    ].join(' '),
    tag: TAG,
    access: 'webhooks:update',
    params: Id,
    body: rotationInput,
    bodyOptional: true,
    responses: { 200: dataBody(rotationSchema) },
    async handler({ db, ctx, params, body, ifMatch, deps }) {
      const given = body?.secret ?? null;
      const { secret, previousUntil } = await rotateSecret(db, ctx, webhookPolicy(deps), params.id, given, ifMatch);
      return ok({ secret, previous_valid_until: previousUntil });
    },
  }),
  listRoute({
    path: `${ONE}/logs`,
    id: 'listWebhookLogs',
    summary: 'Delivery attempts of a webhook',
    tag: TAG,
    access: Webhook.access,
    params: Id,
    list: attemptList,
    parameters: {
      from: day({ description: "First day, in the company's time zone" }),
      to: day({ description: 'Last day, included' }),
    },
    row: attemptSchema,
    async rows({ reader, params, query }) {
      await readWebhook(reader, params.id);
      return attemptRows(params.id, query);
    },
  }),
  ...deliveryRoutes,
];

/** A webhook that was just saved, with warnings. */
function saved(webhook: Webhook): Record<string, unknown> {
  const warnings = filterWarnings(webhook);
  return { ...webhookToJson(webhook), ...(warnings.length === 0 ? {} : { warnings }) };
}

function webhookPolicy({ config }: Deps): WebhookPolicy {
  return { targets: config.webhooks.targets, encryptionKeys: configuredKeys(config) };
}

/**
 * Whoever says where events go must be allowed to read what they tell.
 * @throws ServiceError forbidden, which undoes the change
 */
function assertHears(caller: Caller, { events }: Webhook): void {
  for (const permission of neededToHear(events)) assertPermission(caller, permission);
}
