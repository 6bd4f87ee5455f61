/** Stocks with the day from which their layers are recomputed. */
import type { Stock } from '../../../domain/trade/stock/levels.ts';

/** A stock whose layers are recomputed from a day on. */
export interface DatedStock extends Stock {
  readonly date: string;
}

/** SQL of the given stocks as a table `d`. */
export const DATED_SQL = `json_to_recordset(:stocks::json) as d("itemId" uuid, "warehouseId" uuid, date date)`;

/** SQL that joins the layers `l` of the given stocks from their days on. */
export const LATER_SQL = `l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date >= d.date`;

/**
 * SQL of the day of the earliest receipt whose cost a valuation movement changes on the day of `d` or later. Reading from there on shows
 * where its goods went.
 */
export const REVALUED_FROM_SQL = `(select min(r.date) from stock_layers l join stock_layers r on r.id = l.adjusts_id
  where ${LATER_SQL} and l.adjusts_id is not null)`;
