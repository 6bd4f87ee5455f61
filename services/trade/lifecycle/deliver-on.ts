/** Delivers goods to customers when their supplier has sent them (decision 0320). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type Decimal, decimal, round, toNumber } from '../../../domain/money.ts';
import { openQuantity } from '../../../domain/trade/documents/progress.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { loadDocuments } from '../documents/read.ts';
import type { DocumentInput, DocumentLineInput } from '../documents/schemas.ts';
import type { DocumentRow, LineRow, LoadedDocument, StoredDocument } from '../documents/stored.ts';
import { confirmBatch } from '../stock/batch-records.ts';
import { carriedHead } from './document-input.ts';
import { inBaseUnit } from './goods/stock-effects.ts';

interface Link {
  readonly purchaseLineId: string;
  readonly salesLineId: string;
  readonly orderId: string;
}

const SQL = `
  select s.purchase_line_id as "purchaseLineId", s.sales_line_id as "salesLineId", l.document_id as "orderId"
  from drop_shipment_lines s join document_lines l on l.id = s.sales_line_id
  where s.purchase_line_id = any(:ids::uuid[]) order by l.document_id, l.line_number`;

/** Decimals of quantities. */
const PLACES = 6;

/**
 * Makes the delivery notes of goods that have come in for customers: one for each sales order, of what is open there. What its order no
 * longer needs stays in stock.
 * @param received a purchase note, or an invoice that receives goods, as it was written
 * @param create creates documents; passed in, as it calls this
 * @throws ServiceError invalid_transition, naming the sales order whose goods cannot leave, and why
 */
export async function deliverOn(
  trx: Db,
  ctx: Context,
  { row, lines }: Pick<StoredDocument, 'row' | 'lines'>,
  create: (trx: Db, ctx: Context, docType: 'SDN', input: DocumentInput) => Promise<unknown>,
): Promise<void> {
  const came = lines.filter((line) => line.baseType === 'PO' && decimal(line.quantity).gt(0));
  if (row.returns !== null || row.rectifying || came.length === 0) return;
  const links = await query<Link>(trx, SQL, { ids: came.map(({ baseLineId }) => String(baseLineId)) });
  if (links.length === 0) return;
  const byOrder = groupBy(links, ({ orderId }) => orderId);
  for (const order of await loadDocuments(trx, [...byOrder.keys()])) {
    const notes = deliveries(order, byOrder.get(order.row.id) ?? [], came);
    if (notes.length === 0) continue;
    await confirmBatches(trx, ctx, notes, order);
    const note = { ...carriedHead(order), date: row.date, lines: notes };
    await create(trx, ctx, 'SDN', note).catch((error: unknown) => {
      throw asRefusal(error, order.row.code);
    });
  }
}

/** The lines of the note of an order. */
function deliveries(order: LoadedDocument, links: readonly Link[], came: readonly LineRow[]): DocumentLineInput[] {
  const { open, partial } = DOCUMENT_STATUS;
  if (order.row.status !== open && order.row.status !== partial) return [];
  const left = new Map(order.lines.map((line) => [line.id, decimal(openQuantity('order', line))]));
  return came.flatMap((line): DocumentLineInput[] => {
    const link = links.find(({ purchaseLineId }) => purchaseLineId === line.baseLineId);
    const sold = order.lines.find(({ id }) => id === link?.salesLineId);
    const open = left.get(sold?.id ?? '');
    if (sold === undefined || open === undefined || !open.gt(0)) return [];
    const inUnit = (amount: Decimal) => round(decimal(amount).times(sold.quantity).div(sold.baseQuantity), PLACES);
    const whole = inUnit(line.baseQuantity);
    const fits = open.gte(whole);
    const quantity = fits ? whole : open.toFixed();
    left.set(sold.id, open.minus(quantity));
    // If only a part is needed, it leaves in the usual order of batches.
    const batches = fits ? inBaseUnit(line) : [];
    const named = batches.map(({ batchNum, quantity: amount }) => ({ batchNum, quantity: toNumber(inUnit(amount)) }));
    return [
      {
        ...{ baseId: order.row.id, baseLineId: sold.id, quantity: toNumber(quantity), allowExpired: true },
        ...(line.warehouseId === null ? {} : { warehouseId: line.warehouseId }),
        ...(line.zoneId === null ? {} : { zoneId: line.zoneId }),
        ...(named.length === 0 ? {} : { batchDetails: named }),
      },
    ];
  });
}

/** Restates a refusal of the note as one of the purchase, whose body has no such members. */
function asRefusal(error: unknown, code: string | null): unknown {
  if (!(error instanceof ServiceError)) return error;
  const why = error.errors[0]?.message ?? error.message;
  return new ServiceError('invalid_transition', `The goods cannot be delivered on to the customer of ${code}: ${why}`);
}

/** Confirms the batches that came in for the customer: nobody else can look at them. */
async function confirmBatches(trx: Db, ctx: Context, notes: readonly DocumentLineInput[], { lines }: LoadedDocument) {
  const named = notes.flatMap(({ baseLineId, batchDetails }) => {
    const itemId = lines.find(({ id }) => id === baseLineId)?.itemId ?? '';
    return (batchDetails ?? []).map(({ batchNum }) => ({ itemId, batchNum }));
  });
  if (named.length === 0) return;
  const pending = await query<{ id: string }>(
    trx,
    `select b.id from unnest(:items::uuid[], :batchNums::text[]) n(item_id, batch_num)
     join batches b on b.item_id = n.item_id and b.batch_num = n.batch_num where b.status = 'pending' order by b.id`,
    { items: named.map(({ itemId }) => itemId), batchNums: named.map(({ batchNum }) => batchNum) },
  );
  for (const { id } of pending) await confirmBatch(trx, ctx, id, null);
}

/** Refuses to cancel an order whose goods are on order from a supplier. @throws ServiceError in_use naming the purchase order */
export async function assertNotDropped(trx: Db, { id, code }: DocumentRow): Promise<void> {
  const { open, partial } = DOCUMENT_STATUS;
  const [dropped] = await query<{ code: string }>(
    trx,
    `select d.code from document_lines l join drop_shipment_lines s on s.sales_line_id = l.id
       join document_lines p on p.id = s.purchase_line_id join documents d on d.id = p.document_id
     where l.document_id = :id::uuid and d.status = any(:open::text[]) limit 1`,
    { id, open: [open, partial] },
  );
  if (dropped === undefined) return;
  throw new ServiceError(
    'in_use',
    `${code} cannot be cancelled because the supplier of ${dropped.code} is to send its goods to the customer; cancel or close that first`,
  );
}
