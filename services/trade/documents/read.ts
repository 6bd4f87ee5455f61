/** Reads documents: whole ones by id in one round trip, locked for payments, or checked for an action. */

import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { jsonList, selectColumns, selectJsonColumns } from '../../../db/models/selected.ts';
import { Document, DocumentInstalment, DocumentLine, DocumentTax } from '../../../db/models/trade/documents.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import type { Search } from '../../../db/queries/list.ts';
import { prepared } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import {
  type DocumentAction,
  isAllowed,
  isLocked,
  lockRefusal,
  refusal,
} from '../../../domain/trade/documents/transitions.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { DOCUMENT_RECORD, type DocumentRecord } from '../../ledger/verifactu/document-record.ts';
import { amountPlaces, PLACES, QUANTITY_PLACES } from '../../platform/settings/format.ts';
import type { DocumentRow, LoadedDocument } from './stored.ts';
import { type DocumentAnswer, documentAnswer } from './to-json.ts';

/** A head with the related data shown with it; `d` is the document, `p` its partner. */
export const HEAD_COLUMNS = `${selectColumns(Document, 'd')}, s.prefix as "seriesPrefix", s.rectifying,
  json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'nif', p.nif) as partner,
  ${amountPlaces('d')} as "decimalPrecision",
  ${PLACES} as "companyPlaces", ${QUANTITY_PLACES} as "quantityPrecision"`;

/** Every document has both, but PostgreSQL omits left joins whose columns are not used, as when rows are counted. */
export const HEAD_FROM = `documents d left join series s on s.id = d.series_id left join partners p on p.id = d.partner_id`;

/** Sums a quantity of the notes that delivered an order's line, if there are any. */
const throughNotes = (sum: string, condition = '') => `case when l.delivered_quantity = 0 then '0' else coalesce((
    select sum(n.${sum}) from document_lines n join documents note on note.id = n.document_id
    where n.base_line_id = l.id and note.doc_type in ('SDN', 'PDN') ${condition}), 0)::text end`;

/** Quantities of an order's line invoiced and returned through the notes that delivered it; `l` is the line. */
export const THROUGH_NOTES = {
  invoiced: throughNotes('invoiced_quantity', `and note.status <> ${STATE.cancelled}`),
  returned: throughNotes('returned_quantity'),
} as const;

const LINES = jsonList(`select ${selectJsonColumns(DocumentLine, 'l')},
    ${THROUGH_NOTES.invoiced} as "invoicedThroughNotes", ${THROUGH_NOTES.returned} as "returnedThroughNotes"
  from document_lines l where l.document_id = d.id order by l.line_number`);

const TAXES = jsonList(`select ${selectJsonColumns(DocumentTax, 't')} from document_taxes t
  where t.document_id = d.id order by t.rate desc, t.code`);

/** Only invoices with payment terms have instalments. */
const INSTALMENTS = `case when d.payment_terms_id is null then '[]' else ${jsonList(`select ${selectJsonColumns(DocumentInstalment, 'i')}
  from document_instalments i where i.document_id = d.id order by i.number`)} end`;

/**
 * Documents that take back from this one. They are looked up only where possible: not for orders, drafts, or documents
 * that take back themselves.
 */
const TAKEN_BACK = `case when d.doc_type in ('SO', 'PO') or d.status in (${STATE.draft}, ${STATE.cancelled}) or s.rectifying
  or d.returns is not null then '[]' else ${jsonList(`select b.id, b.code, b.date, b.status from documents b
    where (b.rectifies = d.id or b.returns = d.id) and b.status <> ${STATE.cancelled} order by b.date, b.id`)} end`;

/** Only posted sales invoices have records. */
const RECORD = `case when d.doc_type = 'SINV' and d.status <> ${STATE.draft} then ${DOCUMENT_RECORD} end`;

/** Only posted sales invoices are exchanged. */
const FULL = `case when d.doc_type = 'SINV' and d.status <> ${STATE.draft} then (
  select json_build_object('id', f.id, 'code', f.code, 'date', f.date, 'partnerId', f.partner_id, 'billingAddress', f.billing_address,
    'recipient', f.recipient) from full_invoices f where f.document_id = d.id) end`;

const WHOLE_SQL = `select ${HEAD_COLUMNS}, ${LINES} as lines, ${TAXES} as taxes, ${INSTALMENTS} as instalments,
  ${TAKEN_BACK} as "takenBackBy", ${RECORD} as record, ${FULL} as "full" from ${HEAD_FROM}`;
/** Separate statements, since PostgreSQL cannot know the size of a set of ids and would replan it every time. */
const ONE_SQL = `${WHOLE_SQL} where d.id = :id`;
const SOME_SQL = `${WHOLE_SQL} where d.id = any(:ids::uuid[]) order by d.id`;

type Whole = DocumentRow & Omit<LoadedDocument, 'row'>;

/** Loads whole documents by id. Unknown ones, including other tenants', are left out. */
export async function loadDocuments(reader: Reader, ids: readonly string[]): Promise<LoadedDocument[]> {
  const [first, ...others] = ids;
  if (first === undefined) return [];
  const rows =
    others.length === 0
      ? await prepared<Whole>(reader, ONE_SQL, { id: first })
      : await prepared<Whole>(reader, SOME_SQL, { ids: [...ids] });
  return rows.map(({ lines, taxes, instalments, takenBackBy, record, full, ...row }) => ({
    row,
    lines,
    taxes,
    instalments,
    takenBackBy,
    record,
    full,
  }));
}

/** Loads one document. @param docType the required type; any if absent @throws ServiceError not_found */
export async function loadDocument(reader: Reader, id: string, docType?: DocType): Promise<LoadedDocument> {
  const [document] = await loadDocuments(reader, [id]);
  if (!document || (docType !== undefined && document.row.docType !== docType)) {
    throw notFound(docType === undefined ? 'The document' : `The ${DOCUMENT_TYPES[docType].name.replaceAll('_', ' ')}`);
  }
  return document;
}

/** Reads an invoice's last record anew, once another one was added. */
export async function withRecord(trx: Db, document: LoadedDocument): Promise<LoadedDocument> {
  const sql = `select ${DOCUMENT_RECORD} as record from documents d where d.id = :id`;
  const [found] = await prepared<{ record: DocumentRecord | null }>(trx, sql, { id: document.row.id });
  return { ...document, record: found?.record ?? null };
}

/** Reads a document as returned by its GET route. @throws ServiceError not_found */
export async function readDocument(reader: Reader, id: string, docType?: DocType): Promise<DocumentAnswer> {
  return documentAnswer(await loadDocument(reader, id, docType));
}

const boundaryNumberSql = (order: 'asc' | 'desc') =>
  `(select number from documents where series_id = s.id and number is not null order by number ${order} limit 1)`;

/**
 * SQL that counts all documents of a type without reading them: series have no gaps in their numbers, but for those of full invoices in
 * exchange for simplified ones, and all others are drafts.
 */
export function documentCountSql(docType: DocType): string {
  return `select coalesce(sum(coalesce(${boundaryNumberSql('desc')} - ${boundaryNumberSql('asc')} + 1, 0)
      - (select count(*) from full_invoices f where f.series_id = s.id and f.number between ${boundaryNumberSql('asc')}
        and ${boundaryNumberSql('desc')})
      + (select count(*) from documents where series_id = s.id and number is null)), 0)::bigint as count
    from series s where s.doc_type = '${docType}'`;
}

/**
 * Finds the first documents that match a text: by code and references, and by code, tax number and name of the partner; exchanged invoices
 * also by those of the full one.
 * Each has its own index; `part` is searched for first among documents.
 */
export function documentSearch(docType: DocType): Search {
  const partners = `any(array(select id from partners where code ilike :pattern or nif ilike :pattern or name ilike :pattern))`;
  const sql = `select documents_containing('${docType}', :pattern, :part, :most) as id
    union all (select id from documents where doc_type = '${docType}' and partner_id = ${partners} limit :most)${
      docType === 'SINV'
        ? ` union all select full_invoices_containing(:pattern, :most)
          union all (select document_id from full_invoices where partner_id = ${partners} limit :most)`
        : ''
    }`;
  return async (reader, text) => (await prepared<{ id: string }>(reader, sql, { ...text })).map(({ id }) => id);
}

/** Locks documents in order of their ids. */
async function lockRows(trx: Db, ids: readonly string[]): Promise<void> {
  await prepared(trx, 'select id from documents where id = any(:ids::uuid[]) order by id for update', {
    ids: [...ids],
  });
}

/** Locks documents in the common order (by id) and reads their current state. */
export async function lockDocuments(trx: Db, ids: readonly string[]): Promise<Map<string, LoadedDocument>> {
  if (ids.length === 0) return new Map();
  await lockRows(trx, ids);
  return new Map((await loadDocuments(trx, ids)).map((document) => [document.row.id, document]));
}

/**
 * Locks only documents that still have an outstanding amount once their locks are free, so that a late transaction does
 * not block others.
 */
export async function lockOpen(trx: Db, ids: readonly string[]): Promise<Map<string, LoadedDocument>> {
  if (ids.length === 0) return new Map();
  const open = await prepared<{ id: string }>(
    trx,
    `select id from documents where id = any(:ids::uuid[]) and status = ${STATE.open} and total <> paid_total order by id for update`,
    { ids: [...ids] },
  );
  const documents = await loadDocuments(
    trx,
    open.map(({ id }) => id),
  );
  return new Map(documents.map((document) => [document.row.id, document]));
}

export interface ActionOptions {
  /** The version that the caller saw (If-Match); null = any. */
  readonly ifMatch: number | null;
  /** The required type; any if absent. */
  readonly docType?: DocType;
}

/**
 * Loads a document for an action without locking it: later writes name the version that was read.
 * @throws ServiceError not_found, stale_version, invalid_transition, document_locked
 */
export async function loadForAction(
  trx: Db,
  { now }: Pick<Context, 'now'>,
  documentId: string,
  action: DocumentAction,
  options: ActionOptions,
): Promise<LoadedDocument> {
  const document = await loadDocument(trx, documentId, options.docType);
  assertVersion(document.row, options.ifMatch);
  assertAllowed(document.row, action);
  assertUnlocked(document.row, action, now);
  return document;
}

/** @throws ServiceError document_locked */
export function assertUnlocked(row: DocumentRow, action: DocumentAction, now: Date): void {
  const reason = isLocked(row, now) ? lockRefusal(action, row.code ?? 'The draft') : null;
  if (reason !== null) throw new ServiceError('document_locked', reason);
}

/** @throws ServiceError invalid_transition */
export function assertAllowed({ docType, status, code }: DocumentRow, action: DocumentAction): void {
  if (isAllowed(docType, status, action)) return;
  throw new ServiceError('invalid_transition', refusal(docType, status, action, code ?? 'It'));
}
