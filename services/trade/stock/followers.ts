/** Passes changes of cost on to goods that were transferred to another warehouse, by a valuation movement there. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { Decimal } from '../../../domain/money.ts';
import { DATED_SQL, type DatedStock, LATER_SQL } from './dated-stocks.ts';
import { writeGivenValues } from './recompute.ts';
import { addCostChanges, type CostChange, type MovementCause } from './valuation-movements.ts';

/** A valuation movement that is missing or has a different amount. */
export interface Follower extends DatedStock, MovementCause {
  /** The existing movement; null if it is missing. */
  readonly id: string | null;
  readonly followsId: string;
  readonly adjustsId: string;
  readonly value: Decimal;
  readonly fifoValue: Decimal;
}

const DUE_SQL = `
  with changes as (
    select distinct l.id, l.date, l.warehouse_id, l.settles from ${DATED_SQL} join stock_layers l on ${LATER_SQL}
  ), wanted as (
    select f.item_id, f.warehouse_id, c.id as follows_id, f.id as adjusts_id, greatest(c.date, f.date) as date,
      -(s.value->>'average')::numeric as value, -(s.value->>'fifo')::numeric as fifo_value
    from changes c cross join jsonb_each(c.settles) s
    join stock_layers f on f.source_id = s.key::uuid and f.warehouse_id <> c.warehouse_id
  ), made as (
    select v.id, v.item_id, v.warehouse_id, v.follows_id, v.adjusts_id, v.date, v.given_value, v.given_fifo_value
    from changes c join stock_layers v on v.follows_id = c.id
  )
  select v.id, coalesce(w.item_id, v.item_id) as "itemId", coalesce(w.warehouse_id, v.warehouse_id) as "warehouseId",
    coalesce(w.date, v.date)::text as date, follows_id as "followsId", adjusts_id as "adjustsId",
    coalesce(w.value, 0)::text as value, coalesce(w.fifo_value, 0)::text as "fifoValue",
    m.doc_type as "docType", m.document_id as "documentId", m.document_line_id as "documentLineId", m.operation_id as "operationId",
    m.landed_cost_id as "landedCostId"
  from wanted w full join made v using (follows_id, adjusts_id)
  join stock_movements m on m.id = follows_id
  where (coalesce(w.value, 0), coalesce(w.fifo_value, 0)) is distinct from (coalesce(v.given_value, 0), coalesce(v.given_fifo_value, 0))
  order by 2, 3, m.seq, adjusts_id`;

/** @param stocks with the day from which the cost of goods that had left may have changed */
export async function followersDue(trx: Db, stocks: readonly DatedStock[]): Promise<Follower[]> {
  if (stocks.length === 0) return [];
  return await query<Follower>(trx, DUE_SQL, { stocks: JSON.stringify(stocks) });
}

/** Finds the valuation movements that one stock lacks or has with a different amount, as the item's other stocks are now. */
export async function followersIn(trx: Db, { itemId, warehouseId, date }: DatedStock): Promise<Follower[]> {
  const others = await query<DatedStock>(
    trx,
    `select distinct item_id as "itemId", warehouse_id as "warehouseId", :date as date from stock_levels
     where item_id = :itemId::uuid and warehouse_id <> :warehouseId::uuid`,
    { itemId, warehouseId, date },
  );
  const due = await followersDue(trx, others);
  return due.filter((follower) => follower.warehouseId === warehouseId);
}

/** Creates or changes them; their stocks are locked. Recomputing the layers from their days on works out their values. */
export async function writeFollowers(trx: Db, ctx: Context, followers: readonly Follower[]): Promise<void> {
  if (followers.length === 0) return;
  const made = followers.filter(({ id }) => id !== null);
  await writeGivenValues(trx, made);
  const missing = followers.filter(({ id }) => id === null);
  const changes = new Changes(ctx);
  const costs = missing.map(
    ({ docType, documentId, documentLineId, operationId, landedCostId = null, ...follower }): CostChange => {
      return { ...follower, cause: { docType, documentId, documentLineId, operationId, landedCostId } };
    },
  );
  await addCostChanges(trx, changes, costs);
  await changes.write(trx);
}
