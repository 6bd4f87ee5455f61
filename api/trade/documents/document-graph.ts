/** The route of the document graph, with payments and entries. */
import { Type } from 'typebox';
import type { Permission } from '../../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_STATUSES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/trade/payments/types.ts';
import { choice, dataBody, day, flag, nullable, uuid } from '../../../services/platform/validation/schemas.ts';
import { canRead } from '../../../services/platform/visibility/reading.ts';
import { loadDocumentGraph } from '../../../services/trade/documents/graph/document-graph.ts';
import { ok } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

/** Permission to read each kind of payment. */
const READS: Readonly<Record<PaymentKind, Permission>> = {
  in: 'payments_in:read',
  out: 'payments_out:read',
  offset: 'payments:read',
};
const Id = Type.Object({ id: uuid() });
const Node = Type.Object({
  type: choice(DOC_TYPES.map((code) => DOCUMENT_TYPES[code].name)),
  docType: choice(DOC_TYPES),
  id: uuid(),
  code: nullable(Type.String()),
  status: choice(DOCUMENT_STATUSES),
  date: day(),
  total: Type.Number(),
  currency: Type.String(),
  relation: choice(['before', 'self', 'after'], { description: 'Its position relative to the requested document' }),
});
const Flow = dataBody(
  compared(
    Type.Object({
      nodes: Type.Array(Node, { description: 'By date' }),
      links: Type.Array(
        Type.Object({
          from: uuid(),
          to: uuid(),
          relation: choice(['orders', 'delivers', 'invoices', 'returns', 'rectifies']),
        }),
        { description: '`to` delivers, invoices … `from`' },
      ),
      payments: Type.Array(
        Type.Object({
          id: uuid(),
          type: choice(PAYMENT_KINDS.map((kind) => `payment_${kind}` as const)),
          date: day(),
          amount: Type.Number(),
          currency: Type.String(),
          reference: nullable(Type.String()),
          documentIds: Type.Array(uuid(), { description: 'Documents of the graph that it is applied to' }),
        }),
      ),
      entries: Type.Array(
        Type.Object({
          id: uuid(),
          number: nullable(Type.Integer()),
          date: day(),
          kind: Type.String(),
          description: nullable(Type.String()),
          total: Type.Number(),
          sourceType: Type.String(),
          sourceId: uuid({ description: 'The document or payment that it was made for' }),
          reversalOf: nullable(uuid()),
        }),
        { description: 'Ledger entries of the documents and payments' },
      ),
      truncated: flag({ description: 'Whether the graph has more documents than shown' }),
    }),
  ),
);

/** The route of the document graph of one type. */
export function documentGraphRoute(docType: DocType): Route {
  const type = DOCUMENT_TYPES[docType];
  const words = type.name.replaceAll('_', ' ');
  return defineRoute({
    method: 'GET',
    path: `${type.path}/:id/flow`,
    id: `get${type.entityType}Flow`,
    summary: `The document graph of a ${words}: its bases and follow-ups`,
    description: 'Documents, payments and entries that the role may not read are omitted.',
    tag: type.side === 'sales' ? 'Sales' : 'Purchases',
    access: `${type.resource}:read`,
    params: Id,
    responses: { 200: Flow },
    async handler({ reader, params, caller }) {
      const types = DOC_TYPES.filter((code) => canRead(caller.permissions, DOCUMENT_TYPES[code].entityType));
      const visible = {
        types: new Set(types),
        payments: new Set(PAYMENT_KINDS.filter((kind) => caller.permissions.has(READS[kind]))),
        entries: caller.permissions.has('journal_entries:read'),
      };
      return ok(await loadDocumentGraph(reader, params.id, docType, visible));
    },
  });
}
