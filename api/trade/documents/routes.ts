/** The routes of sales and purchase documents, derived from the table of document types. */

import { Type } from 'typebox';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { TRANSITIONS } from '../../../domain/trade/documents/transitions.ts';
import {
  beginsAsDraft,
  DOC_TYPES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentKind,
} from '../../../domain/trade/documents/types.ts';
import { loadSettings } from '../../../services/platform/settings/settings.ts';
import { binary, dataBody, day, flag, uuid } from '../../../services/platform/validation/schemas.ts';
import { documentList } from '../../../services/trade/documents/list.ts';
import { readDocument } from '../../../services/trade/documents/read.ts';
import { documentInput } from '../../../services/trade/documents/schemas.ts';
import { cancelDocument } from '../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { deleteDocument } from '../../../services/trade/lifecycle/delete.ts';
import { postInvoice } from '../../../services/trade/lifecycle/post.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok, withWarnings } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { actionRoutes } from './action-routes.ts';
import { documentBody, documentHeader } from './answer-schemas.ts';
import { documentExample, NEW_DOCUMENT } from './examples.ts';
import { followUpRoutes } from './follow-ups.ts';
import { documentHeads } from './heads.ts';
import { documentPdf } from './pdf.ts';
import { stepProblems } from './problems.ts';

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
  quotation:
    'A draft without a number, which moves, reserves and books nothing. `POST …/send` or `POST …/issue` numbers it.',
  order: 'It is numbered and open at once, and its goods are reserved or incoming.',
  delivery_note:
    'It is numbered and open at once, and moves the goods. `baseId` of a line names the order that it delivers.',
  invoice:
    'A draft without a number; `POST …/post` posts it. `baseId` of a line names the order or note that it invoices.',
};
const CANCELLED: Readonly<Record<DocumentKind, string>> = {
  quotation: 'Possible until it is partly ordered: it is withdrawn.',
  order: 'Possible until it is partly delivered or invoiced. Its goods are no longer reserved or incoming.',
  delivery_note: 'Possible until it is partly invoiced. Its goods move back.',
  invoice: 'Possible until it is partly paid. Its entry is reversed, and any goods that it moved go back.',
};

export const routes: Route[] = DOC_TYPES.flatMap(documentRoutes);

function documentRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const words = typeWords(docType);
  const tag = documentTag(docType);
  const one = `${type.path}/:id`;
  const Document = dataBody(documentBody(docType));
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
      // The partner's id already has its own column.
      hidden: ['partner.id'],
      rows: () => documentHeads(docType),
    }),
    defineRoute({
      method: 'POST',
      path: type.path,
      id: `create${type.entityType}`,
      summary: `Create a ${words}`,
      description: CREATED[type.kind],
      problems: stepProblems(docType, 'create'),
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
      description: 'With its lines, taxes, and progress of delivery, invoicing and payment.',
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
      description: 'The printed form, in the language of the partner.',
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
      whenFull: 'reserve',
      summary: `Cancel a ${words}`,
      description: CANCELLED[type.kind],
      problems: stepProblems(docType, 'cancel'),
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

/** Requires confirmation from people only: programs omit X-Client and are never stopped. */
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
    summary: `Post a draft ${typeWords(docType)}`,
    problems: stepProblems(docType, 'post'),
    examples: { answer: documentExample(docType, 'posted') },
    description:
      'The invoice takes the next number of its series and becomes O (posted). Check `warnings`; a `Warning` header also reports a ' +
      'date in an earlier period than that of the previous number.',
    tag: documentTag(docType),
    access: `${type.resource}:update`,
    params: Id,
    responses: { 200: dataBody(documentBody(docType)) },
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
  const drafts = beginsAsDraft(type.kind);
  return defineRoute({
    method: 'DELETE',
    path: `${type.path}/:id`,
    id: `delete${type.entityType}`,
    summary: `Delete a ${drafts ? 'draft ' : ''}${typeWords(docType)}`,
    problems: stepProblems(docType, 'delete'),
    description: drafts
      ? 'What has a number is cancelled, rectified or revised instead.'
      : 'Only the last document of its series can be deleted, while nothing is based on it. Its goods go out again.',
    tag: documentTag(docType),
    access: `${type.resource}:delete`,
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await deleteDocument(db, ctx, params.id, { docType, ifMatch });
      return noContent();
    },
  });
}

function typeWords(docType: DocType): string {
  return DOCUMENT_TYPES[docType].name.replaceAll('_', ' ');
}

function documentTag(docType: DocType): string {
  return DOCUMENT_TYPES[docType].side === 'sales' ? 'Sales' : 'Purchases';
}
