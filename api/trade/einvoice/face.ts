/** Invoices to public bodies: sent through FACe, and followed there. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { CANCELLATION_STATUSES, SUBMISSION_STATUSES } from '../../../domain/trade/einvoice/face/statuses.ts';
import {
  choice,
  dataBody,
  email,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import {
  enterRegistration,
  requestCancellation,
  requestSending,
} from '../../../services/trade/einvoice/face/request.ts';
import {
  readSubmission,
  SUBMISSIONS_SQL,
  submissionRowToJson,
  submissionToJson,
} from '../../../services/trade/einvoice/face/submissions.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/face/submissions';
const TAG = 'Sales';
const Id = Type.Object({ id: uuid() });

const FaceError = Type.Object(
  {
    code: text({ description: 'Code that FACe gives, or the status of its answer' }),
    text: text({ max: 2000, description: "FACe's own words" }),
  },
  { title: 'FaceError' },
);

const FaceSubmission = Type.Object(
  {
    id: uuid(),
    documentId: uuid({ description: 'The sales invoice' }),
    number: text({ description: 'Its series and number' }),
    environment: choice(['test', 'production'], { description: 'Where it is sent' }),
    email: text({ description: 'Address to which FACe reports' }),
    status: choice(SUBMISSION_STATUSES, {
      description:
        'waiting, sending; uncertain: whether FACe has it is not known; refused: FACe did not take it; registered; then what the public ' +
        'body says: accounted (accepted), paid, rejected, annulled',
    }),
    code: nullable(integer({ description: 'Number of its state at FACe, such as 1200' })),
    comment: nullable(text({ max: 2000, description: 'What the public body says of its state' })),
    registryCode: nullable(text({ description: 'Number under which FACe has it' })),
    cancellation: nullable(
      choice(CANCELLATION_STATUSES, { description: 'The request to cancel it; null if there is none' }),
    ),
    cancellationReason: nullable(text({ max: 500, description: 'What the public body is told of it' })),
    errors: Type.Array(FaceError, { description: 'What FACe objected to last, or why it could not be asked' }),
    attachmentId: nullable(uuid({ description: 'Attachment of the invoice with the signed file' })),
    createdAt: instant({ description: 'When somebody asked for it' }),
    sentAt: nullable(instant({ description: 'When it was sent last' })),
    changedAt: instant({ description: 'When its status last changed' }),
  },
  { title: 'FaceSubmission' },
);

const submissions: ListDefinition = {
  defaultSort: '-createdAt',
  fields: {
    createdAt: { type: 'instant', notNull: true },
    changedAt: { type: 'instant', notNull: true },
    documentId: { type: 'uuid' },
    number: { type: 'text', searchable: true },
    status: { type: 'choice', choices: [...SUBMISSION_STATUSES] },
    registryCode: { type: 'text', searchable: true },
  },
};

/** Members that what is asked for an invoice shares. */
const ASKED = {
  method: 'POST',
  tag: TAG,
  access: 'sales_invoices:update',
  params: Id,
} as const;

export const routes: Route[] = [
  listRoute({
    path: PATH,
    id: 'listFaceSubmissions',
    summary: 'Invoices sent to public bodies, newest first',
    description: 'One for each time that somebody asked for it.',
    tag: TAG,
    access: 'sales_invoices:read',
    list: submissions,
    row: FaceSubmission,
    rows: () => ({
      from: `(${SUBMISSIONS_SQL}) as submissions`,
      count: 'select count(*) from face_submissions',
      toJson: submissionRowToJson,
    }),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getFaceSubmission',
    summary: 'An invoice sent to a public body',
    description: 'What has become of it: followed until it is paid, rejected or cancelled.',
    problems: ['not_found'],
    tag: TAG,
    access: 'sales_invoices:read',
    params: Id,
    responses: { 200: dataBody(FaceSubmission) },
    handler: async ({ reader, params }) => ok(submissionToJson(await readSubmission(reader, params.id))),
  }),
  defineRoute({
    ...ASKED,
    path: '/api/sales/invoices/:id/facturae/send',
    id: 'sendSalesInvoiceFacturae',
    summary: 'Send a sales invoice to a public body',
    description:
      'Through FACe, in the background: signed with the certificate of `/api/verifactu/certificate`, kept as an attachment, and followed ' +
      'there. `/api/config/face` says whether it goes to production; the certificate must be registered with FACe first. An invoice that ' +
      'was refused, rejected or cancelled can be sent again.',
    problems: ['not_found', 'invalid_transition', 'validation_failed'],
    body: Type.Object(
      {
        email: Type.Optional(email({ description: 'Address to which FACe reports; that of the settings by default' })),
      },
      { title: 'FacturaeSending', additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 201: dataBody(FaceSubmission) },
    async handler({ db, ctx, params, body }) {
      const submission = await requestSending(db, ctx, params.id, body ?? {});
      return created(`${PATH}/${submission.id}`, submissionToJson(submission));
    },
  }),
  defineRoute({
    ...ASKED,
    path: '/api/sales/invoices/:id/facturae/annul',
    id: 'annulSalesInvoiceFacturae',
    summary: 'Ask a public body to cancel an invoice that it has',
    description: 'The body accepts or refuses it: see `cancellation`. The invoice here stays as it is.',
    problems: ['not_found', 'invalid_transition'],
    body: Type.Object(
      { reason: text({ max: 500, description: 'What the public body is told' }) },
      { title: 'FacturaeCancellation', additionalProperties: false },
    ),
    responses: { 200: dataBody(FaceSubmission) },
    handler: async ({ db, ctx, params, body }) =>
      ok(submissionToJson(await requestCancellation(db, ctx, params.id, body.reason))),
  }),
  defineRoute({
    ...ASKED,
    path: '/api/sales/invoices/:id/facturae/registered',
    id: 'registerSalesInvoiceFacturae',
    summary: 'State that FACe has an invoice',
    description:
      'For one of which that was not known (`uncertain`), once somebody has found it there: it is followed from now on.',
    problems: ['not_found', 'invalid_transition'],
    body: Type.Object(
      {
        registryCode: text({
          max: 100,
          pattern: '^[A-Za-z0-9][A-Za-z0-9.-]*$',
          description: 'Number under which FACe has it, as it shows it',
        }),
      },
      { title: 'FacturaeRegistration', additionalProperties: false },
    ),
    responses: { 200: dataBody(FaceSubmission) },
    handler: async ({ db, ctx, params, body }) =>
      ok(submissionToJson(await enterRegistration(db, ctx, params.id, body.registryCode))),
  }),
];
