/** The routes of sales and purchase documents, derived from the table of document types. */

import { Type } from 'typebox';
import type { Db } from '../../db/database.ts';
import { TRANSITIONS } from '../../domain/documents/transitions.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType, type DocumentKind } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { documentList } from '../../services/documents/list.ts';
import { readDocument } from '../../services/documents/read.ts';
import { documentInput } from '../../services/documents/schemas.ts';
import { loadSettings } from '../../services/settings/settings.ts';
import { cancelDocument } from '../../services/trade/cancel.ts';
import { createDocument } from '../../services/trade/create.ts';
import { deleteDocument } from '../../services/trade/delete.ts';
import { postInvoice } from '../../services/trade/post.ts';
import { binary, dataOf, day, flag, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, noContent, ok, withWarnings } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { actionRoutes } from './action-routes.ts';
import { documentBody, documentHeader } from './answer-schemas.ts';
import { documentExample, NEW_DOCUMENT } from './examples.ts';
import { followUpRoutes } from './follow-ups.ts';
import { documentHeads } from './heads.ts';
import { documentPdf } from './pdf.ts';
import { problemsOf } from './problems.ts';

const Id = Type.Object({ id: uuid() });
const CancelBody = Type.Object(
  {
    date: Type.Optional(day({ description: 'Date of the reversing movements; defaults to today' })),
    confirm: Type.Optional(
      flag({ description: 'The user has confirmed; required with X-Client: ui and confirmBeforeCancel' }),
    ),
  },
  { additionalProperties: false },
);

const CREATED: Readonly<Record<DocumentKind, string>> = {
  order: 'It is open at once, with its number, and reserves the goods or announces them.',
  delivery_note:
    'It is open at once, with its number, and moves the goods. `baseId` of a line names the order that it delivers.',
  invoice:
    'A draft without a number; `POST …/post` posts it. `baseId` of a line names the order or note that it invoices.',
};
const CANCELLED: Readonly<Record<DocumentKind, string>> = {
  order: 'Possible until it is partly delivered or invoiced; releases what it reserved or announced.',
  delivery_note: 'Possible until it is partly invoiced; its goods move back.',
  invoice: 'Possible until it is partly paid; its entry is reversed, and the goods that it moved go back.',
};

export const routes: Route[] = DOC_TYPES.flatMap(documentRoutes);

function documentRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const words = wordsOf(docType);
  const tag = tagOf(docType);
  const one = `${type.path}/:id`;
  const Document = dataOf(documentBody(docType));
  const shared = [
    listRoute({
      path: type.path,
      id: `list${type.entityType}s`,
      summary: `List ${words}s`,
      tag,
      access: `${type.resource}:read`,
      list: documentList(docType),
      row: documentHeader(docType),
      examples: { answer: documentExample(docType, 'posted') },
      // The partner's id already has a column.
      hidden: ['partner.id'],
      rows: () => documentHeads(docType),
    }),
    defineRoute({
      method: 'POST',
      path: type.path,
      id: `create${type.entityType}`,
      summary: `Create a ${words}`,
      description: CREATED[type.kind],
      problems: problemsOf(docType, 'create'),
      examples: { body: NEW_DOCUMENT, answer: documentExample(docType, 'created') },
      tag,
      access: `${type.resource}:create`,
      body: documentInput(docType),
      responses: { 201: Document },
      async handler({ db, ctx, body }) {
        const document = await createDocument(db, ctx, docType, body);
        return created(`${type.path}/${document.id}`, document);
      },
    }),
    defineRoute({
      method: 'GET',
      path: one,
      id: `get${type.entityType}`,
      summary: `One ${words}`,
      examples: { answer: documentExample(docType, 'posted') },
      description: 'With its lines and taxes, and what was delivered, invoiced and paid so far.',
      tag,
      access: `${type.resource}:read`,
      params: Id,
      responses: { 200: Document },
      async handler({ reader, params }) {
        return ok(await readDocument(reader, params.id, docType));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${one}/pdf`,
      id: `get${type.entityType}Pdf`,
      summary: `The PDF of a ${words}`,
      description: 'As the company prints it, in the language of the partner.',
      tag,
      access: `${type.resource}:read`,
      params: Id,
      responses: { 200: binary('application/pdf') },
      transaction: 'none',
      handler: (request) => documentPdf(docType, request),
    }),
    defineRoute({
      method: 'POST',
      path: `${one}/cancel`,
      id: `cancel${type.entityType}`,
      summary: `Cancel a ${words}`,
      description: CANCELLED[type.kind],
      problems: problemsOf(docType, 'cancel'),
      examples: { answer: documentExample(docType, 'cancelled') },
      tag,
      access: `${type.resource}:update`,
      params: Id,
      body: CancelBody,
      bodyOptional: true,
      responses: { 200: Document },
      async handler({ db, ctx, params, body, ifMatch, header }) {
        if (header('x-client') === 'ui' && body?.confirm !== true) await assertNoConfirmationNeeded(db);
        const date = body?.date;
        return ok(
          await cancelDocument(db, ctx, params.id, { docType, ifMatch, ...(date === undefined ? {} : { date }) }),
        );
      },
    }),
  ];
  return [
    ...shared,
    ...(type.kind === 'invoice' ? [postRoute(docType)] : []),
    ...(TRANSITIONS[docType].delete.length > 0 ? [deleteRoute(docType)] : []),
    ...actionRoutes(docType),
    ...followUpRoutes(docType),
  ];
}

/** Only people are asked: programs omit X-Client and are never stopped. */
async function assertNoConfirmationNeeded(db: Db): Promise<void> {
  const { confirmBeforeCancel } = await loadSettings(db, 'flags');
  if (confirmBeforeCancel) {
    throw new ServiceError(
      'confirmation_required',
      'Cancelling requires confirmation: send {"confirm": true} in the body',
    );
  }
}

function postRoute(docType: DocType): Route {
  const type = DOCUMENT_TYPES[docType];
  return defineRoute({
    method: 'POST',
    path: `${type.path}/:id/post`,
    id: `post${type.entityType}`,
    summary: `Post a draft ${wordsOf(docType)}`,
    problems: problemsOf(docType, 'post'),
    examples: { answer: documentExample(docType, 'posted') },
    description:
      'The invoice takes the next number of its series and becomes O (posted). Check `warnings`; a `Warning` header also reports a ' +
      'date in an earlier period than that of the previous number.',
    tag: tagOf(docType),
    access: `${type.resource}:update`,
    params: Id,
    responses: { 200: dataOf(documentBody(docType)) },
    headers: ['Warning'],
    async handler({ db, ctx, params, ifMatch }) {
      const warnings: string[] = [];
      const onWarning = (message: string) => warnings.push(message);
      return withWarnings(ok(await postInvoice(db, ctx, params.id, { docType, ifMatch, onWarning })), warnings);
    },
  });
}

function deleteRoute(docType: DocType): Route {
  const type = DOCUMENT_TYPES[docType];
  const invoice = type.kind === 'invoice';
  return defineRoute({
    method: 'DELETE',
    path: `${type.path}/:id`,
    id: `delete${type.entityType}`,
    summary: `Delete a ${invoice ? 'draft ' : ''}${wordsOf(docType)}`,
    problems: problemsOf(docType, 'delete'),
    description: invoice
      ? 'Posted invoices have a number and are cancelled or rectified instead.'
      : 'Only the last of its series, while nothing is based on it; its goods go out again.',
    tag: tagOf(docType),
    access: `${type.resource}:delete`,
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await deleteDocument(db, ctx, params.id, { docType, ifMatch });
      return noContent();
    },
  });
}

function wordsOf(docType: DocType): string {
  return DOCUMENT_TYPES[docType].name.replaceAll('_', ' ');
}

function tagOf(docType: DocType): string {
  return DOCUMENT_TYPES[docType].side === 'sales' ? 'Sales' : 'Purchases';
}
