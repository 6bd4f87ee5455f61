/** Stocks with a day, as what is worked out from that day on is asked for. */
import type { Stock } from './levels.ts';

/** A stock whose layers are to be worked out again from a day on. */
export interface DatedStock extends Stock {
  readonly date: string;
}

/** The given stocks as a table `d`. */
export const DATED_SQL = `json_to_recordset(:stocks::json) as d("itemId" uuid, "warehouseId" uuid, date date)`;

/** Joins the layers `l` of the given stocks from their days on. */
export const LATER_SQL = `l.item_id = d."itemId" and l.warehouse_id = d."warehouseId" and l.date >= d.date`;
