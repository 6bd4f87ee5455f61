/** Routes that create follow-ups of documents. */
import { Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { createFollowUp, followUpType, invoiceNotes } from '../../../services/trade/lifecycle/create-follow-up.ts';
import { fromNotesInput } from '../../../services/trade/lifecycle/follow-up-schemas.ts';
import { created } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { documentBody } from './answer-schemas.ts';
import { documentGraphRoute } from './document-graph.ts';
import { documentExample } from './examples.ts';
import { followUpActions } from './next-steps.ts';
import { stepProblems } from './problems.ts';

const Id = Type.Object({ id: uuid() });

/** The follow-up routes of one document type. */
export function followUpRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const tag = type.side === 'sales' ? 'Sales' : 'Purchases';
  const routes = followUpActions(docType).map(({ step, path, summary, description, body, bodyOptional }) => {
    const next = DOCUMENT_TYPES[followUpType(docType, step)];
    return defineRoute({
      method: 'POST',
      path: `${type.path}/:id/${path}`,
      id: `${path}${type.entityType}`,
      summary,
      description,
      problems: stepProblems(next.code, 'follow'),
      examples: { answer: documentExample(next.code, 'created') },
      tag,
      access: `${next.resource}:create`,
      params: Id,
      body,
      bodyOptional,
      responses: { 201: dataBody(documentBody(next.code)) },
      async handler({ db, ctx, params, body: following = {}, ifMatch }) {
        const document = await createFollowUp(db, ctx, params.id, step, following, { docType, ifMatch });
        return created(`${next.path}/${document.id}`, document);
      },
    });
  });
  return type.kind === 'invoice'
    ? [...routes, documentGraphRoute(docType), fromNotesRoute(docType)]
    : [...routes, documentGraphRoute(docType)];
}

function fromNotesRoute(docType: DocType): Route {
  const type = DOCUMENT_TYPES[docType];
  return defineRoute({
    method: 'POST',
    path: `${type.path}/from-notes`,
    id: `create${type.entityType}FromNotes`,
    summary: 'Create one invoice for several delivery notes',
    problems: stepProblems(docType, 'follow'),
    examples: { answer: documentExample(docType, 'created') },
    description:
      'Creates a draft with everything open on the notes, in the given order. They must belong to the same partner.',
    tag: type.side === 'sales' ? 'Sales' : 'Purchases',
    access: `${type.resource}:create`,
    body: fromNotesInput(docType),
    responses: { 201: dataBody(documentBody(docType)) },
    async handler({ db, ctx, body }) {
      const document = await invoiceNotes(db, ctx, docType, body);
      return created(`${type.path}/${document.id}`, document);
    },
  });
}
