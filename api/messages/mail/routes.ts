/** The mail log. */
import { Type } from 'typebox';
import type { JsonRow } from '../../../db/models/base.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { MAIL_KINDS, MAIL_STATUSES } from '../../../domain/messages/mail/kinds.ts';
import { COPY_KINDS } from '../../../domain/messages/mail/recipients.ts';
import { DOC_TYPES } from '../../../domain/trade/documents/types.ts';
import {
  findMail,
  MAIL_COLUMNS,
  MAIL_TABLES,
  type MailViewer,
  mailToJson,
  resendMail,
  visibleMail,
} from '../../../services/messages/mail/mail-log.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route, type RouteRequest } from '../../route.ts';

const status = () =>
  choice(MAIL_STATUSES, { description: 'sent: the mail server accepted it for at least one recipient' });
const error = () =>
  nullable(
    text({ max: 1000, description: 'The recipients who did not receive it, and why; for a queued mail, why it waits' }),
  );

const members = {
  id: uuid(),
  kind: choice(MAIL_KINDS),
  to: { ...text({ max: 6000, description: 'All recipients, separated by commas' }), 'x-label': 'addressees' },
  subject: text(),
  status: status(),
  error: error(),
  recipients: Type.Array(
    Type.Object({
      address: text({ max: 254 }),
      status: choice(MAIL_STATUSES),
      error: error(),
      as: Type.Optional(choice(COPY_KINDS, { description: 'cc or bcc: a copy; absent for whom it is addressed to' })),
    }),
    {
      description: 'Outcome for each recipient',
    },
  ),
  document: nullable(
    Type.Object(
      { id: uuid(), docType: choice(DOC_TYPES), code: nullable(text()) },
      { description: 'The document sent with it; null if there is none or it was deleted' },
    ),
  ),
  tries: integer({ minimum: 0, description: 'Number of tries to hand it to the mail server' }),
  createdBy: nullable(uuid()),
  sentAt: nullable(instant({ description: 'When the mail server first accepted it' })),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

const row = Type.Object(members, { title: 'Email' });
const whole = Type.Object(
  {
    ...members,
    text: nullable(Type.String({ description: 'Null if only the mail itself may contain it, as for invitations' })),
    html: nullable(Type.String()),
  },
  { title: 'EmailWithText' },
);

const list: ListDefinition = {
  fields: {
    kind: { type: 'choice', choices: MAIL_KINDS, column: 'e.kind' },
    to: { type: 'text', column: 'e.addressees', searchable: true },
    subject: { type: 'text', column: 'e.subject', searchable: true },
    status: { type: 'choice', choices: MAIL_STATUSES, column: 'e.status' },
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
      'Mails that you requested, and mails with documents that you may read; owners and administrators see all.',
    list,
    row,
    // `to` and `error` contain the same.
    hidden: ['recipients'],
    rows: (request) => ({
      from: MAIL_TABLES,
      columns: MAIL_COLUMNS,
      where: visibleMail(mailViewer(request)),
      toJson: (found: JsonRow) => mailToJson(found),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: ONE,
    id: 'getEmail',
    summary: 'One e-mail',
    description: 'With its text, and the outcome for each recipient.',
    responses: { 200: dataBody(whole) },
    async handler(request) {
      const found = await findMail(request.reader, mailViewer(request), request.params.id);
      return ok({ ...mailToJson(found), text: found.text, html: found.html });
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
      'As a new mail, to the recipients who did not receive it, or to all if everybody did. Queued mails are retried automatically: ' +
      'first after minutes, then every two hours, for five days.',
    responses: { 201: dataBody(row) },
    async handler(request) {
      const { db, ctx, deps, ifMatch } = request;
      const which = { id: request.params.id, ifMatch };
      const again = mailToJson(await resendMail(db, ctx, deps.config.mail, mailViewer(request), which));
      return created(`/api/emails/${String(again.id)}`, again);
    },
  }),
];

function mailViewer({ ctx, caller }: Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'caller'>): MailViewer {
  return { userId: ctx.userId, actor: ctx.actor, role: caller.role, permissions: caller.permissions };
}
