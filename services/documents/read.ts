/** Reading documents: whole ones by id, in one round trip however many there are. */
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { notFound } from '../../domain/errors.ts';
import { answerOf, type DocumentAnswer } from './answer.ts';
import type { DocumentRow, LoadedDocument } from './stored.ts';
import { headerToJson } from './to-json.ts';

/** The columns of a head under their REST names; exact numbers as text, since JSON numbers would round them. */
const HEAD_JSON = `json_build_object(
  'id', d.id, 'docType', d.doc_type, 'seriesId', d.series_id, 'seriesPrefix', s.prefix, 'periodId', d.period_id, 'number', d.number, 'code', d.code,
  'status', d.status, 'paymentStatus', d.payment_status,
  'partnerId', d.partner_id,
  'partner', json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'nif', p.nif),
  'date', d.date, 'dueDate', d.due_date, 'warehouseId', d.warehouse_id, 'reference', d.reference, 'supplierReference', d.supplier_reference,
  'notes', d.notes, 'internalNotes', d.internal_notes, 'tags', d.tags, 'billingAddress', d.billing_address, 'shippingAddress', d.shipping_address, 'vatRegime', d.vat_regime,
  'withholdingRate', d.withholding_rate::text, 'projectId', d.project_id, 'costCenterId', d.cost_center_id,
  'rectifies', d.rectifies, 'returns', d.returns, 'reason', d.reason, 'returnStock', d.return_stock, 'rectifying', s.rectifying, 'currency', d.currency, 'subtotal', d.subtotal::text, 'discountTotal', d.discount_total::text,
  'taxTotal', d.tax_total::text, 'withholdingAmount', d.withholding_amount::text, 'total', d.total::text, 'paidTotal', d.paid_total::text,
  'createdBy', d.created_by, 'createdAt', d.created_at, 'updatedAt', d.updated_at, 'postedAt', d.posted_at, 'cancelledAt', d.cancelled_at, 'sentAt', d.sent_at, 'closedAt', d.closed_at,
  'version', d.version, 'custom', d.custom, 'decimalPrecision', coalesce((f.value->>'decimalPrecision')::int, 2), 'quantityPrecision', coalesce((f.value->>'quantityPrecision')::int, 2))`;

/** Where heads come from; `d` is the document. */
const HEAD_FROM = `documents d join series s on s.id = d.series_id join partners p on p.id = d.partner_id
  left join settings f on f.name = 'format'`;

const LINES_JSON = `(select coalesce(json_agg(json_build_object(
    'id', l.id, 'documentId', l.document_id, 'lineNumber', l.line_number, 'itemId', l.item_id, 'description', l.description,
    'quantity', l.quantity::text, 'price', l.price::text, 'discountPercent', l.discount_percent::text, 'taxGroupId', l.tax_group_id,
    'taxRate', l.tax_rate::text, 'surchargeRate', l.surcharge_rate::text, 'amount', l.amount::text, 'warehouseId', l.warehouse_id,
    'zoneId', l.zone_id, 'uomId', l.uom_id, 'uomFactor', l.uom_factor::text, 'baseQuantity', l.base_quantity::text, 'batchDetails', l.batch_details,
    'allowExpired', l.allow_expired, 'vatRegime', l.vat_regime, 'vatUse', l.vat_use, 'accountId', l.account_id, 'projectId', l.project_id,
    'costCenterId', l.cost_center_id, 'baseType', l.base_type, 'baseId', l.base_id, 'baseLineId', l.base_line_id,
    'pluginData', l.plugin_data, 'deliveredQuantity', l.delivered_quantity::text, 'invoicedQuantity', l.invoiced_quantity::text,
    'returnedQuantity', l.returned_quantity::text, 'closedQuantity', l.closed_quantity::text, 'invoicedThroughNotes', case when l.delivered_quantity = 0 then '0' else coalesce((
      select sum(n.invoiced_quantity) from document_lines n join documents note on note.id = n.document_id
      where n.base_line_id = l.id and note.status <> 'X' and note.doc_type in ('SDN', 'PDN')), 0)::text end,
    'returnedThroughNotes', case when l.delivered_quantity = 0 then '0' else coalesce((
      select sum(n.returned_quantity) from document_lines n join documents note on note.id = n.document_id
      where n.base_line_id = l.id and note.doc_type in ('SDN', 'PDN')), 0)::text end
  ) order by l.line_number), '[]') from document_lines l where l.document_id = d.id)`;

const TAXES_JSON = `(select coalesce(json_agg(json_build_object(
    'id', t.id, 'documentId', t.document_id, 'taxGroupId', t.tax_group_id, 'code', t.code, 'rate', t.rate::text, 'base', t.base::text,
    'amount', t.amount::text, 'surchargeRate', t.surcharge_rate::text, 'surchargeAmount', t.surcharge_amount::text
  ) order by t.rate desc, t.code), '[]') from document_taxes t where t.document_id = d.id)`;

/** What takes back of the document, looked for only where something can: not of orders, drafts, or what takes back itself. */
const TAKEN_BACK_JSON = `case when d.doc_type in ('SO', 'PO') or d.status in ('D', 'X') or s.rectifying or d.returns is not null then '[]' else (
  select coalesce(json_agg(json_build_object('id', b.id, 'code', b.code, 'date', b.date, 'status', b.status) order by b.date, b.id), '[]')
  from documents b where (b.rectifies = d.id or b.returns = d.id) and b.status <> 'X') end`;

const WHOLE_SQL = `select ${HEAD_JSON} as row, ${LINES_JSON} as lines, ${TAXES_JSON} as taxes, ${TAKEN_BACK_JSON} as "takenBackBy" from ${HEAD_FROM}`;
/** By itself, since PostgreSQL would plan a set of ids afresh each time: it cannot know how many there will be. */
const ONE_SQL = `${WHOLE_SQL} where d.id = :id`;
const SOME_SQL = `${WHOLE_SQL} where d.id = any(:ids::uuid[]) order by d.id`;

/** Loads whole documents by id; those that do not exist (or are another tenant's) are left out. */
export async function loadDocuments(db: Db, ids: readonly string[]): Promise<LoadedDocument[]> {
  const [first, ...others] = ids;
  if (first === undefined) return [];
  const rows =
    others.length === 0
      ? await prepared<LoadedDocument>(db, ONE_SQL, { id: first })
      : await prepared<LoadedDocument>(db, SOME_SQL, { ids: [...ids] });
  return rows.map((document) => ({ ...document, row: withInstants(document.row) }));
}

/**
 * Loads one document.
 * @param docType the type it must be of; any when left out
 * @throws ServiceError not_found
 */
export async function loadDocument(db: Db, id: string, docType?: DocType): Promise<LoadedDocument> {
  const [document] = await loadDocuments(db, [id]);
  if (!document || (docType !== undefined && document.row.docType !== docType)) {
    throw notFound(docType === undefined ? 'The document' : `The ${DOCUMENT_TYPES[docType].name.replaceAll('_', ' ')}`);
  }
  return document;
}

/** One document as its GET returns it. @throws ServiceError not_found */
export async function readDocument(db: Db, id: string, docType?: DocType): Promise<DocumentAnswer> {
  return answerOf(await loadDocument(db, id, docType));
}

/** Heads of documents of one type as rows `{row}` for a list query; `d` is the document, `p` its partner. */
export const HEAD_COLUMN = `${HEAD_JSON} as "row"`;
export function headsOf(db: Db, docType: DocType) {
  return db.from(db.raw(HEAD_FROM)).where('d.doc_type', docType);
}

/** The head of a listed document as its GET returns it, without lines and taxes. */
export function listedToJson({ row }: { readonly row: DocumentRow }) {
  return headerToJson(withInstants(row));
}

/** PostgreSQL writes instants of JSON with an offset; everywhere else they end in Z. */
function withInstants(row: DocumentRow): DocumentRow {
  const instant = (value: string | null) => (value === null ? null : new Date(value).toISOString());
  return {
    ...row,
    createdAt: instant(row.createdAt) ?? row.createdAt,
    updatedAt: instant(row.updatedAt) ?? row.updatedAt,
    postedAt: instant(row.postedAt),
    cancelledAt: instant(row.cancelledAt),
    sentAt: instant(row.sentAt),
    closedAt: instant(row.closedAt),
  };
}
