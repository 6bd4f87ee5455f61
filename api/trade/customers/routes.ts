/** Links of customers, one for each, and their statements by e-mail. */
import { Type } from 'typebox';
import type { CustomerLink } from '../../../db/models/trade/customer-links.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import {
  dataBody,
  day,
  instant,
  nullable,
  text,
  uuid,
  webAddress,
} from '../../../services/platform/validation/schemas.ts';
import { sendStatement } from '../../../services/reports/generation/send-to-partner.ts';
import { customerQuery, findLink, makeLink, revokeLink } from '../../../services/trade/customers/link.ts';
import { assertPermission } from '../../permission.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { customerAddress } from './address.ts';
import { pageRoutes } from './page.ts';

const PATH = '/api/partners/:id/link';
const shared = { tag: 'Partners', path: PATH, params: Type.Object({ id: uuid() }) } as const;

const Link = Type.Object(
  {
    url: webAddress({
      description: 'A page with their open documents, PDFs, what to pay and where, and their statement',
    }),
    expiresAt: nullable(instant({ description: 'When it ends; null for no end' })),
    lastOpenedAt: nullable(
      instant({ description: 'When it was first opened on the last day on which it was; null for never' }),
    ),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'CustomerLink' },
);

export const routes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    access: 'sales_invoices:read',
    id: 'getCustomerLink',
    summary: 'The link of a customer',
    description: 'Whoever has it sees what the customer may see, without a login.',
    problems: ['unavailable'],
    responses: { 200: dataBody(Link) },
    async handler({ reader, ctx, deps, params: { id } }) {
      return ok(toJson(deps, ctx.tenantId, await findLink(reader, id)));
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    access: 'sales_invoices:update',
    id: 'makeCustomerLink',
    whenFull: 'works',
    summary: 'Make the link of a customer',
    description: 'One that was made before ends.',
    problems: ['unavailable'],
    body: Type.Object(
      { expiresAt: Type.Optional(instant({ description: 'When it ends; without one, when it is revoked' })) },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 201: dataBody(Link) },
    async handler({ db, ctx, deps, params: { id }, body = {} }) {
      // Without a key there would be a link that cannot be given to anybody.
      customerQuery(configuredKeys(deps.config), { tenantId: ctx.tenantId, partnerId: id, nonce: '' });
      const link = await makeLink(db, ctx, id, body.expiresAt ?? null);
      return created(`/api/partners/${id}/link`, toJson(deps, ctx.tenantId, link));
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    access: 'sales_invoices:update',
    id: 'revokeCustomerLink',
    whenFull: 'works',
    summary: 'Revoke the link of a customer',
    description: 'It opens nothing any more.',
    responses: { 204: null },
    async handler({ db, ctx, params: { id } }) {
      await revokeLink(db, ctx, id);
      return noContent();
    },
  }),
  defineRoute({
    tag: 'Partners',
    method: 'POST',
    access: 'sales_invoices:update',
    path: '/api/partners/:id/statement/send',
    params: Type.Object({ id: uuid() }),
    id: 'sendCustomerStatement',
    summary: 'Send a customer their statement of account',
    description:
      'A task makes the PDF of the report customer-statement, and mails it. Needs the permission for that report, too.',
    problems: ['forbidden', 'not_found', 'too_many_requests'],
    body: Type.Object(
      {
        to: Type.Optional(text({ max: 2000, description: "One or several addresses; defaults to the partner's" })),
        from: Type.Optional(day({ description: 'First day; defaults to the beginning of the fiscal year' })),
        until: Type.Optional(day({ description: 'Last day; defaults to today' })),
      },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 202: TaskStarted },
    async handler({ db, ctx, caller, params: { id }, body = {} }) {
      assertPermission(caller, 'reports:sales');
      return taskStarted(await sendStatement(db, ctx, { partnerId: id, ...body }));
    },
  }),
  ...pageRoutes,
];

function toJson({ config }: Deps, tenantId: string, link: CustomerLink) {
  const { partnerId, nonce, expiresAt, lastOpenedAt, createdAt, updatedAt } = link;
  return {
    url: customerAddress(config, { tenantId, partnerId, nonce }),
    expiresAt,
    lastOpenedAt,
    createdAt,
    updatedAt,
  };
}
