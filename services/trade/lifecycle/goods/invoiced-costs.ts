/** Changes the cost of received goods when a purchase invoice differs from its note or rectifies prices (decision 0155). */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { STATE } from '../../../../db/queries/document-states.ts';
import { type Bindings, query } from '../../../../db/sql.ts';
import { type Decimal, decimal, round, sum } from '../../../../domain/money.ts';
import {
  type InvoicedLine,
  invoicedCostDifference,
  type LineCostChange,
  rectifiedCostChanges,
} from '../../../../domain/trade/stock/invoiced-cost.ts';
import type { Stock } from '../../../../domain/trade/stock/levels.ts';
import type { DocumentRow, LineRow, LoadedDocument } from '../../documents/stored.ts';
import { openPlan } from '../../stock/levels.ts';
import type { CostChange, CostChanges } from '../../stock/valuation-movements.ts';
import { lineCost } from './stock-effects.ts';

/** Goods received by a line, or by the line of the note that it invoices. */
interface Receipt {
  readonly movementId: string;
  readonly quantity: Decimal;
  /** The quantity that has not been returned. */
  readonly left: Decimal;
  readonly unitCost: Decimal;
}

/** A line with the goods it received. */
interface Received extends LineRow {
  readonly receipts: readonly Receipt[] | null;
}

const RECEIVED_SQL = `
  select l.id, l.item_id as "itemId", l.base_quantity as "baseQuantity", l.price, l.discount_percent as "discountPercent",
    l.second_discount_percent as "secondDiscountPercent", l.amount,
    l.lost_tax as "lostTax", l.company_amount as "companyAmount", l.company_lost_tax as "companyLostTax", null as "baseLineId", (
      select json_agg(json_build_object('movementId', c.id, 'quantity', c.quantity::text, 'unitCost', c.given_cost::text,
        'left', (c.quantity + coalesce((
          select sum(b.quantity + coalesce((select sum(u.quantity) from stock_layers u where u.source_id = b.id), 0))
          from stock_layers b where b.source_id = c.id), 0))::text) order by c.seq)
      from stock_movements m join stock_layers c on c.id = m.id and c.given_cost is not null and c.quantity > 0
      where m.document_line_id = case when l.base_type = 'PDN' then l.base_line_id else l.id end) as receipts
  from document_lines l where l.document_id = :document::uuid`;

/** Whether posting the invoice may change the cost of goods already received. */
export function mayChangeCosts({ row, lines }: LoadedDocument): boolean {
  if (row.docType !== 'PINV') return false;
  return row.rectifies !== null || lines.some(({ baseType }) => baseType === 'PDN');
}

/**
 * Works out how posting an invoice changes the cost of goods already received.
 * @returns one change for each receipt whose cost differs by a cent or more
 */
export async function invoicedCosts(trx: Db, { row, lines }: LoadedDocument): Promise<CostChange[]> {
  const received = await query<Received>(trx, RECEIVED_SQL, { document: row.rectifies ?? row.id });
  const byId = new Map(received.map((line) => [line.id, line]));
  const changes = row.rectifies === null ? invoiced(lines, byId) : rectified(row, lines, received);
  const totals = new Map<string, LineCostChange>();
  for (const change of changes) {
    const known = totals.get(change.ofLineId);
    const value = sum([known?.value ?? 0, change.value]).toFixed();
    totals.set(change.ofLineId, { ...change, byLineId: known?.byLineId ?? change.byLineId, value });
  }
  return [...totals.values()].flatMap((change) => {
    if (decimal(round(change.value, row.companyPlaces)).eq(0)) return [];
    return divideAmongReceipts(row, change, byId.get(change.ofLineId)?.receipts ?? []);
  });
}

/**
 * Reverses the cost changes that an invoice made, for its cancellation. If its rectified invoice counts for its notes again, the changes
 * of the rectification that had released them are reversed too.
 */
export async function reversedCosts(
  trx: Db,
  { id, docType, rectifies }: DocumentRow,
  date: string,
): Promise<CostChange[]> {
  if (docType !== 'PINV') return [];
  const made = await costsMade(
    trx,
    `m.document_id = :id or m.document_id in (select c.id from documents c join documents d on d.id = c.rectifies and d.notes_released
       where c.rectifies = :rectifies::uuid and c.posted_at is not null and c.status <> ${STATE.cancelled})`,
    { id, rectifies },
  );
  return made.map((one) => reversal(one, { id: one.documentId, docType, date }, one.lineId));
}

/**
 * Reverses the cost changes that a rectified invoice and its earlier rectifications made, for the rectification that releases its notes:
 * their goods cost again what they did on receipt.
 */
export async function releasedCosts(trx: Db, row: DocumentRow): Promise<CostChange[]> {
  const made = await costsMade(
    trx,
    `m.document_id in (select c.id from documents c
       where (c.id = :rectifies or c.rectifies = :rectifies) and c.posted_at is not null and c.status <> ${STATE.cancelled})`,
    { rectifies: row.rectifies },
  );
  return made.map((one) => reversal(one, row, null));
}

/** A cost change that an invoice made. */
interface Made extends Pick<CostChange, 'adjustsId' | 'value' | 'fifoValue'> {
  readonly documentId: string;
  readonly lineId: string | null;
}

/** @param which SQL condition on the movements `m` */
async function costsMade(trx: Db, which: string, bindings: Bindings): Promise<Made[]> {
  return await query<Made>(
    trx,
    `select l.adjusts_id as "adjustsId", l.given_value as value, l.given_fifo_value as "fifoValue", m.document_id as "documentId",
       m.document_line_id as "lineId"
     from stock_movements m join stock_layers l on l.id = m.id and l.adjusts_id is not null and l.follows_id is null
     where ${which} order by m.seq`,
    bindings,
  );
}

/** @param by the document that causes the reversal, and its line */
function reversal(
  { adjustsId, value, fifoValue }: Made,
  by: Pick<DocumentRow, 'id' | 'docType' | 'date'>,
  lineId: string | null,
): CostChange {
  return {
    ...costChange(by, adjustsId, decimal(value).neg().toFixed(), lineId),
    fifoValue: decimal(fifoValue).neg().toFixed(),
  };
}

/**
 * Locks the stocks of the receipts and those to which the goods may have been transferred.
 * @param more stocks that the same transaction will change
 */
export async function lockForCosts(
  trx: Db,
  ctx: Context,
  costs: readonly CostChange[],
  more: readonly Stock[],
): Promise<CostChanges> {
  if (costs.length === 0) return { costs, locked: [] };
  const stocks = await query<Stock>(
    trx,
    `select distinct item_id as "itemId", warehouse_id as "warehouseId" from stock_levels
     where item_id in (select item_id from stock_movements where id = any(:receipts::uuid[]))`,
    { receipts: costs.map(({ adjustsId }) => adjustsId) },
  );
  await openPlan(trx, ctx, [...stocks, ...more]);
  return { costs, locked: stocks };
}

function invoiced(lines: readonly LineRow[], received: ReadonlyMap<string, Received>): LineCostChange[] {
  return lines.flatMap((line): LineCostChange[] => {
    const [first] = received.get(line.id)?.receipts ?? [];
    // A line that moves goods itself receives them at its own cost when it is posted.
    if (first === undefined || line.baseType !== 'PDN') return [];
    return [
      { ofLineId: line.id, byLineId: line.id, value: invoicedCostDifference(invoicedLine(line), first.unitCost) },
    ];
  });
}

function rectified(row: DocumentRow, lines: readonly LineRow[], received: readonly Received[]): LineCostChange[] {
  return rectifiedCostChanges(lines.map(invoicedLine), received.map(invoicedLine), row.returnStock);
}

function invoicedLine(line: LineRow): InvoicedLine {
  return { ...line, cost: lineCost(line) };
}

/** Divides the cost change of a line among its receipts, in proportion to what is left of them. */
function divideAmongReceipts(
  row: DocumentRow,
  { byLineId, value }: LineCostChange,
  receipts: readonly Receipt[],
): CostChange[] {
  const left = sum(receipts.map((receipt) => receipt.left));
  const receiptWeight = (receipt: Receipt) => (left.gt(0) ? receipt.left : receipt.quantity);
  const whole = sum(receipts.map(receiptWeight));
  let [until, given] = [decimal(0), decimal(0)];
  return receipts.flatMap((receipt) => {
    until = until.plus(receiptWeight(receipt));
    const part = decimal(round(until.times(value).div(whole), VALUE_PLACES)).minus(given);
    given = given.plus(part);
    return part.eq(0) ? [] : [costChange(row, receipt.movementId, part.toFixed(), byLineId)];
  });
}

/** Decimals of values. */
const VALUE_PLACES = 6;

function costChange(
  { id: documentId, docType, date }: Pick<DocumentRow, 'id' | 'docType' | 'date'>,
  adjustsId: string,
  value: Decimal,
  documentLineId: string | null,
): CostChange {
  const cause = { docType, documentId, documentLineId, operationId: null };
  return { adjustsId, followsId: null, date, value, fifoValue: value, cause };
}
