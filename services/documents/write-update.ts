/** Writes a changed document: head, taxes, audit record and event in one statement, then its lines. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { answerOf } from './answer.ts';
import { documentEvent } from './events.ts';
import { AUDIT_SQL, auditBindings, EVENT_SQL, headBindings, IF_WRITTEN, LINES_SQL, TAXES_SQL } from './insert.ts';
import { presentDocument } from './present.ts';
import type { LoadedDocument } from './stored.ts';
import { refuseWrite } from './write-state.ts';

/** Both periods where the document moves from one to another; each is locked against closing. */
const PERIODS_SQL = `select id from periods where id in (:oldPeriodId, :periodId) and status = 'O' order by id for share`;

const HEAD_SQL = `update documents d set series_id = :seriesId::uuid, period_id = :periodId::uuid, status = :status, partner_id = :partnerId::uuid,
    date = :date::date, due_date = :dueDate::date, warehouse_id = :warehouseId::uuid, reference = :reference, supplier_reference = :supplierReference,
    notes = :notes, internal_notes = :internalNotes, tags = :tags::jsonb, billing_address = :billingAddress::jsonb, shipping_address = :shippingAddress::jsonb, vat_regime = :vatRegime,
    withholding_rate = :withholdingRate::numeric, project_id = :projectId::uuid, cost_center_id = :costCenterId::uuid, subtotal = :subtotal::numeric,
    discount_total = :discountTotal::numeric, tax_total = :taxTotal::numeric, withholding_amount = :withholdingAmount::numeric, total = :total::numeric,
    custom = :custom::jsonb, version = d.version + 1, updated_at = :now::timestamptz
  where d.id = :id and d.version = :version and (select count(*) from periods_open) = :periods
  returning d.number, d.code`;

/** A line keeps what has been taken from it. */
const KEPT_LINES_SQL = `${LINES_SQL}
  on conflict (id) do update set line_number = excluded.line_number, item_id = excluded.item_id, description = excluded.description,
    quantity = excluded.quantity, price = excluded.price, discount_percent = excluded.discount_percent, tax_group_id = excluded.tax_group_id,
    tax_rate = excluded.tax_rate, surcharge_rate = excluded.surcharge_rate, amount = excluded.amount, warehouse_id = excluded.warehouse_id,
    zone_id = excluded.zone_id, uom_id = excluded.uom_id, uom_factor = excluded.uom_factor, base_quantity = excluded.base_quantity,
    batch_details = excluded.batch_details, allow_expired = excluded.allow_expired, vat_regime = excluded.vat_regime, vat_use = excluded.vat_use,
    account_id = excluded.account_id, project_id = excluded.project_id, cost_center_id = excluded.cost_center_id, base_type = excluded.base_type,
    base_id = excluded.base_id, base_line_id = excluded.base_line_id, plugin_data = excluded.plugin_data,
    closed_quantity = case when document_lines.quantity = excluded.quantity then document_lines.closed_quantity else 0 end`;

/**
 * @param document as it was loaded: nothing is written when it has changed since
 * @param fields the members that differ
 * @throws ServiceError period_closed; ConcurrentChange
 */
export async function writeUpdate(
  trx: Db,
  ctx: Context,
  document: LoadedDocument,
  next: LoadedDocument,
  fields: readonly string[],
): Promise<Record<string, unknown>> {
  const { row, lines, taxes } = document;
  const shown = presentDocument(next.row, next.lines, next.taxes);
  const event = documentEvent('document.updated', next.row, { fields, previousStatus: row.status });
  const rows = await query(
    trx,
    `with periods_open as (${PERIODS_SQL}), written as (${HEAD_SQL}),
     untaxed as (delete from document_taxes where document_id = :id and exists (select 1 from written)),
     taxes as (${TAXES_SQL} ${IF_WRITTEN}),
     audited as (${AUDIT_SQL}), happened as (${EVENT_SQL})
     select 1 from written`,
    {
      ...headBindings(next.row),
      ...auditBindings(ctx, next.row, 'UPDATE', presentDocument(row, lines, taxes), shown, event),
      oldPeriodId: row.periodId,
      periods: row.periodId === next.row.periodId ? 1 : 2,
      version: row.version,
      taxes: JSON.stringify(next.taxes),
    },
  );
  if (rows.length === 0) return refuseWrite(trx, row);
  if (next.lines !== lines) await writeLines(trx, ctx, next);
  return answerOf(next, shown);
}

/** The places of the lines are freed first: two of them may have changed places. */
async function writeLines(trx: Db, ctx: Context, { row, lines }: LoadedDocument): Promise<void> {
  const bindings = { id: row.id, kept: lines.map(({ id }) => id) };
  await query(trx, 'delete from document_lines where document_id = :id and not id = any(:kept::uuid[])', bindings);
  await query(trx, 'update document_lines set line_number = -line_number where document_id = :id', bindings);
  await query(trx, KEPT_LINES_SQL, { id: row.id, tenant: ctx.tenantId, lines: JSON.stringify(lines) });
}
