/** Writes a new document: head, lines, taxes, movements, audit record and event in one statement, its number last of all. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { ConcurrentChange } from '../../db/errors.ts';
import { newId } from '../../db/ids.ts';
import { prepared } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { revalueBackdated } from '../stock/revalue.ts';
import { movementBindings, movementParts } from '../stock/written.ts';
import { answerOf } from './answer.ts';
import { documentEvent } from './events.ts';
import type { MovedGoods } from './move-goods.ts';
import { presentDocument } from './present.ts';
import type { DocumentRow, StoredDocument } from './stored.ts';
import { LATER_SQL, type LaterNumber } from './warnings.ts';

/** Ends a part of a statement that must do nothing when the head itself met no row. */
export const IF_WRITTEN = 'where exists (select 1 from written)';

/** Lines as a set of rows. */
export const LINES_SQL = `insert into document_lines (id, tenant_id, document_id, line_number, item_id, description, quantity, price, discount_percent,
    tax_group_id, tax_rate, surcharge_rate, amount, warehouse_id, zone_id, uom_id, uom_factor, base_quantity, batch_details, allow_expired, vat_regime,
    vat_use, account_id, project_id, cost_center_id, base_type, base_id, base_line_id, plugin_data)
  select id, :tenant, :id, "lineNumber", "itemId", description, quantity, price, "discountPercent", "taxGroupId", "taxRate", "surchargeRate", amount,
    "warehouseId", "zoneId", "uomId", "uomFactor", "baseQuantity", "batchDetails", "allowExpired", "vatRegime", "vatUse", "accountId", "projectId",
    "costCenterId", "baseType", "baseId", "baseLineId", "pluginData"
  from json_to_recordset(:lines::json) as l(id uuid, "lineNumber" integer, "itemId" uuid, description text, quantity numeric, price numeric,
    "discountPercent" numeric, "taxGroupId" uuid, "taxRate" numeric, "surchargeRate" numeric, amount numeric, "warehouseId" uuid, "zoneId" uuid,
    "uomId" uuid, "uomFactor" numeric, "baseQuantity" numeric, "batchDetails" jsonb, "allowExpired" boolean, "vatRegime" text, "vatUse" text,
    "accountId" uuid, "projectId" uuid, "costCenterId" uuid, "baseType" text, "baseId" uuid, "baseLineId" uuid, "pluginData" jsonb)`;

export const TAXES_SQL = `insert into document_taxes (id, tenant_id, document_id, tax_group_id, code, rate, base, amount, surcharge_rate, surcharge_amount)
  select gen_random_uuid(), :tenant, :id, "taxGroupId", code, rate, base, amount, "surchargeRate", "surchargeAmount"
  from json_to_recordset(:taxes::json) as t("taxGroupId" uuid, code text, rate numeric, base numeric, amount numeric, "surchargeRate" numeric, "surchargeAmount" numeric)`;

/** The movements of a document and what follows from them; nothing where it moves no goods. */
export function goodsParts({ movements }: MovedGoods): string {
  return movements.length === 0 ? '' : `${movementParts(':docType, :id::uuid, null::uuid', IF_WRITTEN)},`;
}

export function goodsBindings(docType: DocType, { movements, costs, date }: MovedGoods): Record<string, string> {
  return movements.length === 0 ? {} : movementBindings(movements, costs, date, DOCUMENT_TYPES[docType].name);
}

/** Audit record and event of a document, completed with the number that the statement has just taken. */
export const AUDIT_SQL = `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
  select :auditId, :tenant, :entityType, :id::uuid, :action, :userId::uuid, :actor, :requestId, :oldValue::json,
    (:newValue::jsonb || jsonb_build_object('number', written.number, 'code', written.code))::json, :now::timestamptz from written`;
export const EVENT_SQL = `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
  select :eventId, :tenant, :event, :entityType, :id::uuid, (:payload::jsonb || jsonb_build_object('number', written.number))::json, :now::timestamptz from written`;

export const NUMBER_SQL = `update series set next_number = next_number + 1 where id = :seriesId and exists (select 1 from period)
  returning next_number - 1 as number,
    prefix || lpad((next_number - 1)::text, greatest(padding, length((next_number - 1)::text)), '0') || suffix as code`;
/** Locks the period against closing until the commit; no row when it has been closed meanwhile. */
export const PERIOD_SQL = `select id from periods where id = :periodId and status = 'O' for share`;

/**
 * Inserts the document. An invoice stays without number; orders and notes take the next one of their series.
 * @returns the document as its GET returns it, and the number before it where that is dated later
 * @throws ConcurrentChange when the period was closed since it was read
 */
export async function insertDocument(
  trx: Db,
  ctx: Context,
  document: StoredDocument,
  moved: MovedGoods,
): Promise<{ readonly answer: Record<string, unknown>; readonly later: LaterNumber | null }> {
  const { row, lines, taxes } = document;
  const shown = presentDocument(row, lines, taxes);
  const event = documentEvent('document.created', row);
  const numbered = row.status !== 'D';
  const [written] = await prepared<{ number: number | null; code: string | null; later: LaterNumber | null }>(
    trx,
    `with period as (${PERIOD_SQL}),
     numbering as (${numbered ? NUMBER_SQL : 'select null::integer as number, null::text as code from period'}),
     written as (
       insert into documents (id, tenant_id, doc_type, series_id, period_id, number, code, status, payment_status, partner_id, date, due_date,
         warehouse_id, reference, supplier_reference, notes, internal_notes, tags, billing_address, shipping_address, vat_regime, withholding_rate, project_id, cost_center_id, rectifies, returns, reason, return_stock, currency, subtotal,
         discount_total, tax_total, withholding_amount, total, created_by, custom, version, created_at, updated_at)
       select :id, :tenant, :docType, :seriesId::uuid, :periodId::uuid, numbering.number, numbering.code, :status, :paymentStatus, :partnerId::uuid, :date::date,
         :dueDate::date, :warehouseId::uuid, :reference, :supplierReference, :notes, :internalNotes, :tags::jsonb, :billingAddress::jsonb, :shippingAddress::jsonb, :vatRegime,
         :withholdingRate::numeric, :projectId::uuid, :costCenterId::uuid, :rectifies::uuid, :returns::uuid, :reason, :returnStock::boolean, :currency, :subtotal::numeric, :discountTotal::numeric, :taxTotal::numeric, :withholdingAmount::numeric,
         :total::numeric, :createdBy::uuid, :custom::jsonb, 1, :now::timestamptz, :now::timestamptz
       from numbering
       returning number, code
     ),
     lines as (${LINES_SQL} ${IF_WRITTEN}),
     taxes as (${TAXES_SQL} ${IF_WRITTEN}),
     ${goodsParts(moved)}
     audited as (${AUDIT_SQL}),
     happened as (${EVENT_SQL})
     select number, code, ${numbered ? LATER_SQL : 'null'} as later from written`,
    {
      ...headBindings(row),
      ownDate: row.date,
      ...auditBindings(ctx, row, 'CREATE', null, shown, event),
      lines: JSON.stringify(lines),
      taxes: JSON.stringify(taxes),
      ...goodsBindings(row.docType, moved),
    },
  );
  if (!written) throw new ConcurrentChange();
  await revalueBackdated(trx, ctx, moved.costs.backdated, moved.date);
  const { later, ...numbers } = written;
  return { answer: { ...answerOf({ ...document, takenBackBy: [] }, shown), ...numbers }, later };
}

/** The columns of a head, but for number and times. */
export function headBindings(row: DocumentRow): Record<string, string | number | boolean | null> {
  return {
    seriesId: row.seriesId,
    periodId: row.periodId,
    status: row.status,
    paymentStatus: row.paymentStatus,
    partnerId: row.partner.id,
    date: row.date,
    dueDate: row.dueDate,
    warehouseId: row.warehouseId,
    reference: row.reference,
    supplierReference: row.supplierReference,
    notes: row.notes,
    internalNotes: row.internalNotes,
    tags: JSON.stringify(row.tags),
    billingAddress: row.billingAddress === null ? null : JSON.stringify(row.billingAddress),
    shippingAddress: row.shippingAddress === null ? null : JSON.stringify(row.shippingAddress),
    vatRegime: row.vatRegime,
    withholdingRate: row.withholdingRate,
    projectId: row.projectId,
    costCenterId: row.costCenterId,
    rectifies: row.rectifies,
    returns: row.returns,
    reason: row.reason,
    returnStock: row.returnStock,
    currency: row.currency,
    subtotal: row.subtotal,
    discountTotal: row.discountTotal,
    taxTotal: row.taxTotal,
    withholdingAmount: row.withholdingAmount,
    total: row.total,
    createdBy: row.createdBy,
    custom: JSON.stringify(row.custom),
  };
}

/** What AUDIT_SQL and EVENT_SQL (and the movements) take. */
export function auditBindings(
  ctx: Context,
  row: DocumentRow,
  action: 'CREATE' | 'UPDATE' | 'DELETE',
  oldValue: Record<string, unknown> | null,
  newValue: Record<string, unknown> | null,
  event: { readonly name: string; readonly payload: Record<string, unknown> },
): Record<string, string | null> {
  return {
    id: row.id,
    tenant: ctx.tenantId,
    docType: row.docType,
    now: ctx.now.toISOString(),
    auditId: newId(),
    entityType: DOCUMENT_TYPES[row.docType].entityType,
    action,
    userId: ctx.userId,
    actor: ctx.actor,
    requestId: ctx.requestId,
    oldValue: oldValue === null ? null : JSON.stringify(oldValue),
    newValue: newValue === null ? null : JSON.stringify(newValue),
    eventId: newId(),
    event: event.name,
    payload: JSON.stringify(event.payload),
  };
}
