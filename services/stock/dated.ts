/** Stocks with the day from which their layers are recomputed. */
import type { Stock } from './levels.ts';

/** A stock whose layers are recomputed from a day on. */
export interface DatedStock extends Stock {
  readonly date: string;
}

/** SQL of the given stocks as a table `d`. */
export const DATED_SQL = `json_to_recordset(:stocks::json) as d("itemId" uuid, "warehouseId" uuid, date date)`;

/** SQL that joins the layers `l` of the given stocks from their days on. */
export const LATER_SQL = `l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date >= d.date`;
