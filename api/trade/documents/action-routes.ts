/** Routes that change, send, duplicate, lock or close a document. */
import { Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType, type DocumentKind } from '../../../domain/trade/documents/types.ts';
import { binary, choice, dataBody, flag, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { documentPatch } from '../../../services/trade/documents/schemas.ts';
import type { LoadedDocument } from '../../../services/trade/documents/stored.ts';
import { closeOrder } from '../../../services/trade/lifecycle/close.ts';
import { duplicateDocument } from '../../../services/trade/lifecycle/duplicate.ts';
import { LOCK_TIMES, lockDocument, unlockDocument } from '../../../services/trade/lifecycle/lock.ts';
import { sendDocument } from '../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../services/trade/lifecycle/update/update.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { quotationLink } from '../quotations/address.ts';
import { documentBody, sentBody } from './answer-schemas.ts';
import { documentExample } from './examples.ts';
import { documentPdf } from './pdf.ts';
import { stepProblems } from './problems.ts';

const Id = Type.Object({ id: uuid() });

const SendBody = Type.Object(
  {
    to: Type.Optional(
      text({ max: 4000, description: "One or more addresses, separated by commas; defaults to the partner's" }),
    ),
    cc: Type.Optional(text({ max: 4000, description: 'Who get a copy that all see, separated by commas' })),
    bcc: Type.Optional(text({ max: 4000, description: 'Who get a copy that nobody else sees' })),
    subject: Type.Optional(text()),
    body: Type.Optional(text({ max: 20_000 })),
    attachments: Type.Optional(
      Type.Array(uuid(), {
        maxItems: 20,
        uniqueItems: true,
        description: 'Files that are attached to the document (GET /api/files), to be sent with it',
      }),
    ),
    attachPdf: Type.Optional(flag({ description: 'Whether the PDF is attached; true by default' })),
  },
  { additionalProperties: false },
);

const LockBody = Type.Object(
  { when: Type.Optional(choice(LOCK_TIMES, { description: "`end_of_day`: at the end of the company's day" })) },
  { additionalProperties: false },
);

const CHANGEABLE: Readonly<Record<DocumentKind, string>> = {
  quotation: 'A draft can be changed completely; what was sent can be revised.',
  order: 'While it is open, undelivered lines, reference, notes and due date can be changed.',
  delivery_note: 'A note has moved goods, so its content cannot be changed.',
  invoice: 'A draft can be changed completely. The list of lines is replaced as a whole.',
};

export function actionRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const words = type.name.replaceAll('_', ' ');
  const one = `${type.path}/:id`;
  const shared = {
    method: 'POST',
    tag: type.side === 'sales' ? 'Sales' : 'Purchases',
    params: Id,
  } as const;
  const Document = dataBody(documentBody(docType));
  const routes = [
    defineRoute({
      ...shared,
      method: 'PATCH',
      path: one,
      id: `update${type.entityType}`,
      summary: `Change a ${words}`,
      description: `${CHANGEABLE[type.kind]} Custom fields, internalNotes and tags can be changed in every status.`,
      problems: stepProblems(docType, 'update'),
      examples: {
        body: { tags: ['urgent'] },
        answer: { ...documentExample(docType, 'created'), tags: ['urgent'] },
      },
      access: `${type.resource}:update`,
      body: documentPatch(docType),
      responses: { 200: Document },
      async handler({ db, ctx, params, body, ifMatch }) {
        return ok(await updateDocument(db, ctx, params.id, body, { docType, ifMatch }));
      },
    }),
    defineRoute({
      ...shared,
      path: `${one}/send`,
      id: `send${type.entityType}`,
      summary: `Send a ${words} by e-mail`,
      problems: stepProblems(docType, 'send'),
      examples: { body: { to: 'compras@cafe.example' }, answer: documentExample(docType, 'sent') },
      description:
        'Sends it with its PDF. The mail goes out in the background: `email` names it, `GET /api/emails/{id}` and a notification ' +
        'report its delivery, and `sentAt` is when the mail server last accepted one. Subject and text default to the template. ' +
        'It can be sent again, also to others.',
      access: `${type.resource}:update`,
      body: SendBody,
      bodyOptional: true,
      responses: { 200: dataBody(sentBody(docType)) },
      async handler({ db, ctx, deps, params, body, ifMatch }) {
        const link = ({ row }: LoadedDocument) => quotationLink(deps.config, ctx, row);
        return ok(await sendDocument(db, ctx, params.id, { ...body, docType, ifMatch, link }, deps.config.mail));
      },
    }),
    defineRoute({
      ...shared,
      path: `${one}/duplicate`,
      id: `duplicate${type.entityType}`,
      summary: `Duplicate a ${words}`,
      problems: stepProblems(docType, 'duplicate'),
      examples: { answer: documentExample(docType, 'created') },
      description:
        'The copy is dated today and has the same partner, lines, prices and custom fields, but no bases or references.',
      access: `${type.resource}:create`,
      responses: { 201: Document },
      async handler({ db, ctx, params, ifMatch }) {
        const document = await duplicateDocument(db, ctx, params.id, { docType, ifMatch });
        return created(`${type.path}/${document.id}`, document);
      },
    }),
    defineRoute({
      ...shared,
      path: `${one}/lock`,
      id: `lock${type.entityType}`,
      summary: `Lock a ${words}`,
      problems: stepProblems(docType, 'lock'),
      examples: { body: { when: 'now' }, answer: documentExample(docType, 'locked') },
      description:
        'It cannot be changed, closed, cancelled or deleted any more (409 `document_locked`); what follows from it goes on. ' +
        'Has no effect on a locked document.',
      access: 'document_locks:update',
      body: LockBody,
      bodyOptional: true,
      responses: { 200: Document },
      async handler({ db, ctx, params, body, ifMatch }) {
        return ok(await lockDocument(db, ctx, params.id, body?.when ?? 'now', { docType, ifMatch }));
      },
    }),
    defineRoute({
      ...shared,
      path: `${one}/unlock`,
      id: `unlock${type.entityType}`,
      summary: `Unlock a ${words}`,
      examples: { answer: documentExample(docType, 'created') },
      description: 'It can be changed again if its status allows, and a lock due at the end of the day is dropped.',
      access: 'document_locks:update',
      responses: { 200: Document },
      async handler({ db, ctx, params, ifMatch }) {
        return ok(await unlockDocument(db, ctx, params.id, { docType, ifMatch }));
      },
    }),
  ];
  if (type.kind !== 'order') return routes;
  const proforma = defineRoute({
    method: 'GET',
    path: `${one}/proforma`,
    id: `get${type.entityType}Proforma`,
    summary: 'The proforma invoice of a sales order',
    description: 'A print of the order with the account to pay to. It is no invoice: nothing is numbered or booked.',
    tag: shared.tag,
    params: Id,
    access: `${type.resource}:read`,
    responses: { 200: binary('application/pdf') },
    transaction: 'none',
    handler: (request) => documentPdf(docType, request, 'proforma'),
  });
  const close = defineRoute({
    ...shared,
    path: `${one}/close`,
    id: `close${type.entityType}`,
    summary: `Close a ${words}`,
    problems: stepProblems(docType, 'close'),
    examples: { answer: documentExample(docType, 'closed') },
    description: 'Gives up its open quantities: they are no longer reserved or incoming.',
    access: `${type.resource}:update`,
    responses: { 200: Document },
    async handler({ db, ctx, params, ifMatch }) {
      return ok(await closeOrder(db, ctx, params.id, { docType, ifMatch }));
    },
  });
  return [...routes, close, ...(type.side === 'sales' ? [proforma] : [])];
}
