/** Warnings about what will go wrong later: goods that are not there, and what an invoice misses by law. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import { DOCUMENT_STATUS, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { lawWarnings, type ShortStock, stockWarnings, type Warning } from '../../../domain/trade/documents/warnings.ts';
import { goodsOnLines } from '../../../domain/trade/stock/kits.ts';
import type { DocumentRow, LineRow } from '../documents/stored.ts';
import { isSale } from './warnings.ts';

/** A document as it was written. */
interface Written {
  readonly row: DocumentRow;
  readonly lines: readonly LineRow[];
}

/** Available quantities of the stocks that have too little; an order itself has set its own quantities aside already. */
const STOCK_SQL = `
  select l.item_id as "itemId", l.warehouse_id as "warehouseId",
    (h.quantity - l.reserved + case when :reserves::boolean then w.quantity else 0 end)::text as available
  from (select item_id, warehouse_id, sum(quantity) as quantity
    from unnest(:items::uuid[], :warehouses::uuid[], :quantities::numeric[]) as w(item_id, warehouse_id, quantity) group by 1, 2) w
  join stock_levels l on l.item_id = w.item_id and l.warehouse_id = w.warehouse_id and l.item_id = any(:items::uuid[])
    and l.zone_id is null and l.batch_id is null
  cross join lateral (select sum(p.on_hand) as quantity from stock_levels p
    where p.item_id = l.item_id and p.warehouse_id = l.warehouse_id) h
  where h.quantity - l.reserved + case when :reserves::boolean then w.quantity else 0 end < w.quantity`;

const LAW_SQL = `select coalesce(c.value->>'address', '') <> '' and coalesce(c.value->>'city', '') <> '' as "hasCompanyAddress",
    coalesce((select s.value->>'simplifiedLimit' from settings s where s.name = 'verifactu'), '400') as "simplifiedLimit"
  from settings c where c.name = 'company' and c.value->>'country' = 'ES'`;

interface LawFacts {
  readonly hasCompanyAddress: boolean;
  readonly simplifiedLimit: Decimal;
}

/** Warns of goods that orders and drafts of invoices want and the stock has not. Reads what was written before. */
export async function expectedStock(trx: Db, { row, lines }: Written): Promise<Warning[]> {
  const { kind } = DOCUMENT_TYPES[row.docType];
  const isDraft = kind === 'invoice' && row.status === DOCUMENT_STATUS.draft;
  const wanted = goodsOnLines(lines).filter(({ warehouseId, baseId }) => warehouseId !== null && baseId === null);
  if (!isSale(row) || !(kind === 'order' || isDraft) || wanted.length === 0) return [];
  const stocks = await prepared<ShortStock>(trx, STOCK_SQL, {
    items: wanted.map(({ itemId }) => String(itemId)),
    warehouses: wanted.map(({ warehouseId }) => String(warehouseId)),
    quantities: wanted.map(({ baseQuantity }) => baseQuantity),
    reserves: kind === 'order',
  });
  return stocks.length === 0 ? [] : stockWarnings(wanted, stocks);
}

/** Warns of what a sales invoice misses by law. */
export async function missingByLaw(trx: Db, row: DocumentRow): Promise<Warning[]> {
  if (row.docType !== 'SINV' || row.rectifying) return [];
  const [facts] = await prepared<LawFacts>(trx, LAW_SQL, {});
  if (facts === undefined) return [];
  const { street = '', city = '' } = (row.billingAddress ?? {}) as { street?: string | null; city?: string | null };
  const hasCustomerAddress = Boolean(street) && Boolean(city);
  return lawWarnings({ ...facts, taxId: row.partner.nif, total: row.total, hasCustomerAddress });
}
