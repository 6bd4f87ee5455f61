/** The log of mails. */
import { Type } from 'typebox';
import type { JsonRow } from '../../db/models/base.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { DOC_TYPES } from '../../domain/documents/types.ts';
import { EMAIL_KINDS, EMAIL_STATUSES } from '../../domain/mail/kinds.ts';
import {
  EMAIL_COLUMNS,
  EMAILS_FROM,
  emailToJson,
  findEmail,
  type MailViewer,
  resendEmail,
  visibleTo,
} from '../../services/mail/emails.ts';
import { choice, dataOf, instant, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, ok } from '../respond.ts';
import { defineRoute, type Route, type RouteRequest } from '../route.ts';

const status = () =>
  choice(EMAIL_STATUSES, { description: 'sent: the mail server took it for at least one recipient' });
const error = () =>
  nullable(text({ max: 1000, description: 'Who has not got it, and why; of a queued mail, why it waits' }));

const members = {
  id: uuid(),
  kind: choice(EMAIL_KINDS),
  to: { ...text({ max: 6000, description: 'All recipients, separated by commas' }), 'x-label': 'addressees' },
  subject: text(),
  status: status(),
  error: error(),
  recipients: Type.Array(Type.Object({ address: text({ max: 254 }), status: choice(EMAIL_STATUSES), error: error() }), {
    description: 'What became of it for each',
  }),
  document: nullable(
    Type.Object(
      { id: uuid(), docType: choice(DOC_TYPES), code: nullable(text()) },
      { description: 'The document that it carries; null without one, or when that was deleted' },
    ),
  ),
  tries: integer({ minimum: 0, description: 'How often the mail server was asked to take it' }),
  createdBy: nullable(uuid()),
  sentAt: nullable(instant({ description: 'When the mail server first took it' })),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

const row = Type.Object(members, { title: 'Email' });
const whole = Type.Object(
  {
    ...members,
    text: nullable(Type.String({ description: 'Null where only the mail itself may hold it: invitations' })),
    html: nullable(Type.String()),
  },
  { title: 'EmailWithText' },
);

const list: ListDefinition = {
  fields: {
    kind: { type: 'choice', choices: EMAIL_KINDS, column: 'e.kind' },
    to: { type: 'text', column: 'e.addressees', searchable: true },
    subject: { type: 'text', column: 'e.subject', searchable: true },
    status: { type: 'choice', choices: EMAIL_STATUSES, column: 'e.status' },
    error: { type: 'text', column: 'e.error', searchable: true },
    documentId: { type: 'uuid', column: 'e.document_id' },
    createdBy: { type: 'uuid', column: 'e.created_by' },
    sentAt: { type: 'instant', column: 'e.sent_at' },
    createdAt: { type: 'instant', column: 'e.created_at', notNull: true },
  },
  defaultSort: '-createdAt',
  key: 'e.id',
};

const ONE = '/api/emails/:id';
const params = Type.Object({ id: uuid() });
const shared = { tag: 'E-mail', access: 'member', params } as const;

export const routes: Route[] = [
  listRoute({
    tag: shared.tag,
    access: shared.access,
    path: '/api/emails',
    id: 'listEmails',
    summary: 'List e-mails that were sent',
    description:
      'Those that you asked for, and those of documents that you may read; owners and administrators see all.',
    list,
    row,
    // Told by `to` and `error`.
    hidden: ['recipients'],
    rows: (request) => ({
      from: EMAILS_FROM,
      columns: EMAIL_COLUMNS,
      where: visibleTo(viewerOf(request)),
      toJson: (found: JsonRow) => emailToJson(found),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: ONE,
    id: 'getEmail',
    summary: 'One e-mail',
    description: 'With its text, and what became of it for each recipient.',
    responses: { 200: dataOf(whole) },
    async handler(request) {
      const found = await findEmail(request.reader, viewerOf(request), request.params.id);
      return ok({ ...emailToJson(found), text: found.text, html: found.html });
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: `${ONE}/resend`,
    id: 'resendEmail',
    summary: 'Send an e-mail again',
    problems: ['invalid_transition', 'forbidden'],
    description:
      'As another mail, to those who have not got it, or to all if everybody has. A queued mail is tried by itself: first after ' +
      'minutes, then every two hours, for five days.',
    responses: { 201: dataOf(row) },
    async handler(request) {
      const { db, ctx, deps, ifMatch } = request;
      const which = { id: request.params.id, ifMatch };
      const again = emailToJson(await resendEmail(db, ctx, deps.config.mail, viewerOf(request), which));
      return created(`/api/emails/${String(again.id)}`, again);
    },
  }),
];

function viewerOf({ ctx, caller }: Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'caller'>): MailViewer {
  return { userId: ctx.userId, actor: ctx.actor, role: caller.role, permissions: caller.permissions };
}
