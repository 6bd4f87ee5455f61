/** Changes of stock levels. Rows are locked in the order of item and warehouse, whatever the order of the lines. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { query } from '../../db/sql.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';

export interface StockChange {
  readonly itemId: string;
  readonly warehouseId: string;
  /** Signed. */
  readonly onHand: Decimal;
  /** Signed change of what open sales orders have set aside. */
  readonly reserved: Decimal;
  /** Signed change of what open purchase orders will bring. */
  readonly incoming: Decimal;
  /** Where in the request's body the line stands; for the answer when there is not enough. */
  readonly pointer?: string;
}

interface LevelRow {
  readonly item_id: string;
  readonly warehouse_id: string;
  readonly on_hand: Decimal;
  readonly code: string;
}

/** Stock on hand after the change, by `levelKey`. */
export type Levels = ReadonlyMap<string, Decimal>;

export function levelKey(place: { readonly itemId: string; readonly warehouseId: string }): string {
  return `${place.itemId} ${place.warehouseId}`;
}

/**
 * Applies the changes in one statement; the rows stay locked until the transaction ends, so that of two takers of the last
 * piece the second sees what the first has left.
 * @throws ServiceError insufficient_stock, naming each item that would fall below zero and what is there
 */
export async function changeStock(
  trx: Db,
  ctx: Context,
  changes: readonly StockChange[],
  allowNegative: boolean,
): Promise<Levels> {
  if (changes.length === 0) return new Map();
  const rows = await query<LevelRow>(
    trx,
    `with wanted as (
       select "itemId" as item_id, "warehouseId" as warehouse_id, sum("onHand") as on_hand, sum(reserved) as reserved, sum(incoming) as incoming
       from json_to_recordset(:changes::json) as c("itemId" uuid, "warehouseId" uuid, "onHand" numeric, reserved numeric, incoming numeric)
       group by 1, 2
     ), changed as (
       insert into stock_levels as l (id, tenant_id, item_id, warehouse_id, on_hand, reserved, incoming)
       select gen_random_uuid(), :tenant, item_id, warehouse_id, on_hand, reserved, incoming
       from wanted order by item_id, warehouse_id
       on conflict (tenant_id, item_id, warehouse_id) do update set
         on_hand = l.on_hand + excluded.on_hand,
         reserved = l.reserved + excluded.reserved,
         incoming = l.incoming + excluded.incoming
       returning item_id, warehouse_id, on_hand
     )
     select changed.*, items.code from changed join items on items.id = changed.item_id`,
    { changes: JSON.stringify(changes), tenant: ctx.tenantId },
  );
  const levels = new Map(
    rows.map((row) => [levelKey({ itemId: row.item_id, warehouseId: row.warehouse_id }), row.on_hand]),
  );
  if (!allowNegative) refuseNegative(rows, changes);
  return levels;
}

/** Only what takes goods out can be refused: a level that is negative already may be filled up again. */
function refuseNegative(rows: readonly LevelRow[], changes: readonly StockChange[]): void {
  const taking = changes.filter((change) => decimal(change.onHand).lt(0));
  const short = rows.filter((row) => decimal(row.on_hand).lt(0));
  const taken = new Map<string, { total: ReturnType<typeof decimal>; pointer: string | undefined }>();
  for (const change of taking) {
    const key = levelKey(change);
    const known = taken.get(key);
    taken.set(key, {
      total: (known?.total ?? decimal(0)).plus(change.onHand),
      pointer: known?.pointer ?? change.pointer,
    });
  }
  const refused = short.filter((row) => taken.has(levelKey({ itemId: row.item_id, warehouseId: row.warehouse_id })));
  if (refused.length === 0) return;
  const errors = refused.map((row) => {
    const take = taken.get(levelKey({ itemId: row.item_id, warehouseId: row.warehouse_id }));
    const there = decimal(row.on_hand)
      .minus(take?.total ?? 0)
      .toFixed();
    return {
      pointer: take?.pointer ?? '',
      code: 'insufficient_stock',
      message: `${row.code}: ${there} there, ${take?.total.abs().toFixed()} wanted`,
    };
  });
  throw new ServiceError(
    'insufficient_stock',
    `Not enough stock of ${errors
      .map((error) => error.message)
      .slice(0, 5)
      .join('; ')}`,
    { errors },
  );
}

export interface Movement {
  readonly id: string;
  readonly itemId: string;
  readonly warehouseId: string;
  readonly quantity: Decimal;
  /** On hand at that place after this movement. */
  readonly balance: Decimal;
  readonly documentLineId: string | null;
}

/** The movements behind changed levels, each with the balance it left, in the order of the lines. */
export function movementsOf(
  lines: readonly {
    readonly id: string;
    readonly itemId: string;
    readonly warehouseId: string;
    readonly quantity: Decimal;
  }[],
  levels: Levels,
): Movement[] {
  const balances = new Map<string, ReturnType<typeof decimal>>();
  // From the last movement backwards: the level after all of them is known.
  const backwards = [...lines].reverse().map((line): Movement => {
    const key = levelKey(line);
    const balance = balances.get(key) ?? decimal(levels.get(key) ?? 0);
    balances.set(key, balance.minus(line.quantity));
    return {
      id: newId(),
      itemId: line.itemId,
      warehouseId: line.warehouseId,
      quantity: line.quantity,
      balance: balance.toFixed(),
      documentLineId: line.id,
    };
  });
  return backwards.reverse();
}
