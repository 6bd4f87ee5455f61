/** The document graph: the bases and follow-ups of a document, loaded in one round trip. */
import type { Reader } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { notFound } from '../../../../domain/errors.ts';
import { type Decimal, roundedNumber } from '../../../../domain/money.ts';
import {
  DOC_TYPES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
} from '../../../../domain/trade/documents/types.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../../domain/trade/payments/types.ts';
import { PLACES } from '../../../platform/settings/format.ts';
import { loadGraphLedger } from './ledger.ts';

/** Maximum number of documents in each direction; the response says when more were left out. */
const GRAPH_LIMIT = 500;

interface Node {
  readonly id: string;
  readonly docType: DocType;
  readonly relation: 'before' | 'self' | 'after';
  readonly code: string | null;
  readonly status: DocumentStatus;
  readonly date: string;
  readonly total: Decimal;
  readonly currency: string;
  readonly places: number;
}

interface Link {
  readonly from: string;
  readonly to: string;
}

/**
 * Walks from the document to its bases and their bases, and to its follow-ups, level by level. Siblings (other notes of
 * the same order) belong to the graph of the shared document, not to this one.
 */
const FLOW_SQL = `
  with recursive subject as (select id from documents where id = :id and doc_type = :docType),
  upwards(id) as (
    select id from subject
    union select up.id from upwards f, lateral (
      select l.base_id as id from document_lines l where l.document_id = f.id and l.base_id is not null
      union all select coalesce(d.rectifies, d.returns) from documents d where d.id = f.id
        and coalesce(d.rectifies, d.returns) is not null) up
  ), downwards(id) as (
    select id from subject
    union select down.id from downwards f, lateral (
      select l.document_id as id from document_lines l where l.base_id = f.id
      union all select d.id from documents d where d.rectifies = f.id
      union all select d.id from documents d where d.returns = f.id) down
  ), found as (
    select id, 'self' as relation from subject
    union all (select f.id, 'before' from upwards f join documents d on d.id = f.id where f.id <> :id and d.doc_type = any(:types::text[])
      limit :limit)
    union all (select f.id, 'after' from downwards f join documents d on d.id = f.id where f.id <> :id and d.doc_type = any(:types::text[])
      limit :limit)
  ), nodes as (
    select d.id, d.doc_type as "docType", found.relation, d.code, d.status, d.date, d.total::text, d.currency, d.created_at,
      ${PLACES} as places
    from found join documents d on d.id = found.id
  ), links as (
    select distinct l.base_id as "from", l.document_id as "to" from document_lines l
    where l.document_id in (select id from found) and l.base_id in (select id from found)
    union select coalesce(d.rectifies, d.returns), d.id from documents d
    where d.id in (select id from found) and coalesce(d.rectifies, d.returns) in (select id from found)
  )
  select (select json_agg(n order by n.date, n.created_at, n.id) from nodes n) as nodes,
    (select json_agg(l order by l."to", l."from") from links l) as links`;

/** The relation of a document to its base. */
function documentRelation(from: DocType, to: DocType): 'orders' | 'delivers' | 'invoices' | 'returns' | 'rectifies' {
  const { kind } = DOCUMENT_TYPES[to];
  if (from === to) return kind === 'invoice' ? 'rectifies' : 'returns';
  if (kind === 'order') return 'orders';
  return kind === 'invoice' ? 'invoices' : 'delivers';
}

/** The parts of a document graph that the caller may see. */
export interface GraphReader {
  readonly types: ReadonlySet<DocType>;
  readonly payments: ReadonlySet<PaymentKind>;
  readonly entries: boolean;
}

const ALL: GraphReader = { types: new Set(DOC_TYPES), payments: new Set(PAYMENT_KINDS), entries: true };

/**
 * Loads the document graph: the documents before and after it, and their links.
 * @param visible what the caller may see; the rest is left out, with its links
 * @throws ServiceError not_found
 */
export async function loadDocumentGraph(reader: Reader, id: string, docType: DocType, visible: GraphReader = ALL) {
  const [found] = await query<{ nodes: Node[] | null; links: Link[] | null }>(reader, FLOW_SQL, {
    id,
    docType,
    // Invisible documents do not count towards the limit.
    types: [docType, ...visible.types],
    limit: GRAPH_LIMIT + 1,
  });
  if (!found?.nodes) throw notFound(`The ${DOCUMENT_TYPES[docType].name.replaceAll('_', ' ')}`);
  const { nodes } = found;
  const kept = withinLimit(nodes);
  const types = new Map(kept.map((node) => [node.id, node.docType]));
  const links = (found.links ?? []).flatMap(({ from, to }) => {
    const [one, other] = [types.get(from), types.get(to)];
    return one === undefined || other === undefined ? [] : [{ from, to, relation: documentRelation(one, other) }];
  });
  const ledger = await loadGraphLedger(reader, [...types.keys()], visible, GRAPH_LIMIT);
  const truncated = kept.length < nodes.length || ledger.truncated;
  return { nodes: kept.map(nodeToJson), links, payments: ledger.payments, entries: ledger.entries, truncated };
}

/** Cuts each direction, which was read with one more than the limit to detect an excess. */
function withinLimit(nodes: readonly Node[]): Node[] {
  const counts = { before: 0, self: 0, after: 0 };
  return nodes.filter(({ relation }) => ++counts[relation] <= GRAPH_LIMIT);
}

function nodeToJson({ docType, places, total, ...node }: Node) {
  const { id, code, status, date, currency, relation } = node;
  const { name: type } = DOCUMENT_TYPES[docType];
  return { type, docType, id, code, status, date, total: roundedNumber(total, places), currency, relation };
}
