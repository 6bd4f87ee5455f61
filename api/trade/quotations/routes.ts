/** Routes that quotations and requests have besides those of every document: sent, answered, revised, shown by a link. */
import { Type } from 'typebox';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { dataBody, instant, label, text, uuid, webAddress } from '../../../services/platform/validation/schemas.ts';
import { assertAllowed, loadDocument } from '../../../services/trade/documents/read.ts';
import { type Answer, answerQuotation } from '../../../services/trade/quotations/answer.ts';
import { issueQuotation } from '../../../services/trade/quotations/issue.ts';
import { linkFor } from '../../../services/trade/quotations/link.ts';
import { listRevisions, reviseQuotation } from '../../../services/trade/quotations/revise.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { documentBody } from '../documents/answer-schemas.ts';
import { linkAddress } from './address.ts';
import { pageRoutes } from './page.ts';

const params = Type.Object({ id: uuid() });

const AnswerBody = Type.Object(
  {
    name: Type.Optional(label({ description: 'Who answers' })),
    note: Type.Optional(text({ max: 2000, description: 'What they say about it' })),
  },
  { additionalProperties: false },
);

const Link = Type.Object(
  {
    url: webAddress({ description: 'A page with the PDF, where whoever has the link accepts or rejects this version' }),
    expiresAt: instant({ description: 'When the link ends' }),
  },
  { title: 'QuotationLink' },
);

export const routes: Route[] = [
  ...DOC_TYPES.filter((docType) => DOCUMENT_TYPES[docType].kind === 'quotation').flatMap(quotationRoutes),
  ...pageRoutes,
];

function quotationRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const words = type.name.replaceAll('_', ' ');
  const one = `${type.path}/:id`;
  const shared = { tag: type.side === 'sales' ? 'Sales' : 'Purchases', params } as const;
  const changes = { ...shared, method: 'POST', access: `${type.resource}:update` } as const;
  const Document = dataBody(documentBody(docType));
  const answering = (answer: Answer, summary: string, description: string) =>
    defineRoute({
      ...changes,
      path: `${one}/${answer}`,
      id: `${answer}${type.entityType}`,
      whenFull: 'reserve',
      summary,
      description,
      problems: ['invalid_transition'],
      body: AnswerBody,
      bodyOptional: true,
      responses: { 200: Document },
      handler: async ({ db, ctx, params: { id }, body = {}, ifMatch }) =>
        ok(await answerQuotation(db, ctx, id, answer, body, { docType, ifMatch })),
    });
  return [
    defineRoute({
      ...changes,
      path: `${one}/issue`,
      id: `issue${type.entityType}`,
      summary: `Mark a ${words} as sent`,
      description:
        'Numbered and open, like one that is sent by e-mail: it can be accepted, and its content cannot be changed any more. With ' +
        '`validUntil` it expires when that day is over.',
      problems: ['invalid_transition', 'period_closed'],
      responses: { 200: Document },
      handler: async ({ db, ctx, params: { id }, ifMatch }) =>
        ok(await issueQuotation(db, ctx, id, { docType, ifMatch })),
    }),
    answering('accept', `Accept a ${words}`, 'By whoever has accepted it. Ordering or invoicing it accepts it, too.'),
    answering('reject', `Reject a ${words}`, 'It can be revised and sent again.'),
    defineRoute({
      ...changes,
      path: `${one}/revise`,
      id: `revise${type.entityType}`,
      summary: `Begin a new version of a ${words}`,
      description:
        'What was sent, rejected or has expired becomes a draft with the same number; the version as it was is kept, and its link ends.',
      problems: ['invalid_transition'],
      responses: { 200: Document },
      handler: async ({ db, ctx, params: { id }, ifMatch }) =>
        ok(await reviseQuotation(db, ctx, id, { docType, ifMatch })),
    }),
    defineRoute({
      ...shared,
      method: 'GET',
      access: `${type.resource}:read`,
      path: `${one}/revisions`,
      id: `list${type.entityType}Revisions`,
      summary: `Earlier versions of a ${words}`,
      description: 'As they were sent, the latest first.',
      responses: { 200: dataBody(Type.Array(documentBody(docType))) },
      handler: async ({ reader, params: { id } }) => ok(await listRevisions(reader, id, docType)),
    }),
    defineRoute({
      ...changes,
      path: `${one}/link`,
      id: `link${type.entityType}`,
      whenFull: 'works',
      summary: `A link to a ${words}, for whom it is made`,
      description:
        'Whoever has it sees the PDF of this version and answers it, with their name, without a login. It ends when the version does.',
      problems: ['invalid_transition', 'unavailable'],
      responses: { 200: dataBody(Link) },
      async handler({ reader, ctx, deps, params: { id } }) {
        const { row } = await loadDocument(reader, id, docType);
        assertAllowed(row, 'accept');
        const link = linkFor(ctx.tenantId, row, ctx.now);
        return ok({ url: linkAddress(deps.config, link), expiresAt: new Date(link.expires * 1000).toISOString() });
      },
    }),
  ];
}
