/** Browsers that receive the calling user's notifications by Web Push. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { PushSubscription } from '../../../db/models/messages/push.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { loadPushKeys } from '../../../services/messages/push/keys.ts';
import { subscribe, unsubscribe } from '../../../services/messages/push/subscriptions.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import {
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
  verbatim,
  webAddress,
} from '../../../services/platform/validation/schemas.ts';
import { requireUser } from '../../access/sessions/routes.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/notifications/push-subscriptions';
const shared = { tag: 'Notifications', access: 'member', problems: ['forbidden'] } as const;

const Subscription = Type.Object(
  {
    id: uuid(),
    user_id: uuid(),
    service: text({ description: "Host of the browser's push service" }),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'PushSubscription' },
);

const list: ListDefinition = {
  fields: { created_at: { type: 'instant', notNull: true } },
  defaultSort: '',
};

export const pushRoutes: Route[] = [
  defineRoute({
    tag: shared.tag,
    access: shared.access,
    method: 'GET',
    path: '/api/notifications/push-key',
    id: 'getPushKey',
    summary: 'The key with which browsers subscribe to pushes',
    description:
      '`applicationServerKey` of `PushManager.subscribe`, in base64url. It is the same for all companies and never changes.',
    problems: ['unavailable'],
    responses: {
      200: Type.Object({ public_key: text({ description: 'A point on the curve P-256' }) }, { title: 'PushKey' }),
    },
    async handler({ deps }) {
      const { publicKey } = await loadPushKeys(deps.database, configuredKeys(deps.config));
      return { status: 200, body: { public_key: publicKey } };
    },
  }),
  listRoute<never, JsonRow>({
    ...shared,
    path: PATH,
    id: 'listPushSubscriptions',
    summary: 'Your browsers that get pushes in this company',
    list,
    row: Subscription,
    ids: ['id'],
    rows: ({ caller }) => ({
      from: 'push_subscriptions',
      where: { user_id: requireUser(caller).userId },
      toJson: (row: JsonRow) => PushSubscription.toJson({ ...fromRow(PushSubscription, row) }),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: PATH,
    id: 'createPushSubscription',
    summary: 'Subscribe a browser to pushes',
    description:
      'Takes the result of `PushSubscription.toJSON()` in the browser. While `push_enabled` is on, the browser gets your notifications ' +
      'of this company. A subscribed browser gets new keys. The subscription ends with the session: by signing out or a new password.',
    body: Type.Object({
      endpoint: webAddress({ description: "The browser's address at its push service" }),
      expirationTime: Type.Optional(
        nullable(Type.Number({ description: 'Ignored: push services report browsers that are gone' })),
      ),
      keys: Type.Object(
        {
          p256dh: verbatim({ max: 100, description: "The browser's public key, in base64url" }),
          auth: verbatim({ max: 50, description: "The browser's secret, in base64url" }),
        },
        { description: 'Encrypt the messages to the browser' },
      ),
    }),
    responses: { 201: dataBody(Subscription) },
    async handler({ db, ctx, caller, deps, body }) {
      const subscription = await subscribe(db, ctx, requireUser(caller), body, deps.config.webhooks);
      return created(`${PATH}/${subscription.id}`, PushSubscription.toJson({ ...subscription }));
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: PATH,
    id: 'deletePushSubscriptionByEndpoint',
    summary: 'Unsubscribe a browser by its address',
    description: 'For a browser that knows only its own subscription.',
    problems: ['forbidden', 'not_found'],
    query: Type.Object({ endpoint: webAddress({ description: "The browser's address at its push service" }) }),
    responses: { 204: null },
    async handler({ db, ctx, caller, query: { endpoint } }) {
      await unsubscribe(db, ctx, requireUser(caller).userId, { endpoint });
      return noContent();
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deletePushSubscription',
    summary: 'Unsubscribe a browser',
    description: 'One of your own browsers, by its id in the list.',
    params: Type.Object({ id: uuid() }),
    responses: { 204: null },
    async handler({ db, ctx, caller, params: { id }, ifMatch }) {
      await unsubscribe(db, ctx, requireUser(caller).userId, { id }, ifMatch);
      return noContent();
    },
  }),
];
