/** Loads and checks the references of counts and transfers, in one round trip. */

import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { standardCost } from '../../../../db/queries/stock-values.ts';
import { TODAY } from '../../../../db/queries/time-zone.ts';
import { query } from '../../../../db/sql.ts';
import type { Faults } from '../../../../domain/faults.ts';
import { assertOpenFor, type PeriodState } from '../../../../domain/ledger/periods/areas.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { decimalPlaces } from '../../../../domain/money.ts';
import type { CostMethod } from '../../../../domain/trade/stock/cost-methods.ts';
import { noPeriodMessage, openYear } from '../../../ledger/periods/open-year.ts';
import { batchKey } from '../batches.ts';

interface Row {
  readonly id: string;
}

export interface OperationItem extends Row {
  readonly code: string;
  readonly stockTracked: boolean;
  readonly batchTracked: boolean;
  readonly costMethod: CostMethod;
  /** The cost of the day; null for other costing methods, and before the first. */
  readonly standardCost: Decimal | null;
}

interface Zone extends Row {
  readonly warehouseId: string;
  readonly active: boolean;
}

interface Period extends Row, PeriodState {}

interface Found {
  readonly date: string;
  readonly period: Period | null;
  readonly quantityPrecision: number;
  readonly enforceWarehouseZones: boolean;
  readonly warehouses: readonly (Row & { readonly active: boolean })[] | null;
  readonly zones: readonly Zone[] | null;
  readonly items: readonly OperationItem[] | null;
  readonly batches: readonly { readonly id: string; readonly itemId: string; readonly batchNum: string }[] | null;
}

/** The ids that an operation refers to. */
export interface Named {
  readonly date: string | undefined;
  readonly warehouses: readonly (string | undefined)[];
  readonly zones: readonly (string | undefined)[];
  readonly items: readonly string[];
  readonly batchNums: readonly (string | undefined)[];
}

const SQL = `
with day as (select coalesce(:date::date, ${TODAY}) as value)
select (select value::text from day) as date,
  (select json_build_object('id', id, 'code', code, 'status', status, 'lockedAreas', locked_areas)
    from periods, day where day.value between "from" and "to") as period,
  coalesce((select (value ->> 'quantityPrecision')::integer from settings where name = 'format'), 2) as "quantityPrecision",
  coalesce((select (value ->> 'enforceWarehouseZones')::boolean from settings where name = 'flags'), false) as "enforceWarehouseZones",
  (select json_agg(json_build_object('id', id, 'active', active)) from warehouses where id = any(:warehouses::uuid[])) as warehouses,
  (select json_agg(json_build_object('id', id, 'warehouseId', warehouse_id, 'active', active)) from zones
    where id = any(:zones::uuid[])) as zones,
  (select json_agg(json_build_object('id', id, 'code', code, 'stockTracked', stock_tracked, 'batchTracked', batch_tracked, 'costMethod',
    cost_method, 'standardCost', case cost_method when 'standard' then ${standardCost('items.id', '(select value from day)')}::text end))
   from items where id = any(:items::uuid[])) as items,
  (select json_agg(json_build_object('id', id, 'itemId', item_id, 'batchNum', batch_num))
   from batches where item_id = any(:items::uuid[]) and batch_num = any(:batchNums::text[])) as batches`;

/** The references of one operation. Checks add their findings to `faults`. */
export class OperationReferences {
  readonly date: string;
  readonly enforcesZones: boolean;
  readonly #found: Found;
  readonly #warehouses: ReadonlyMap<string, Row & { readonly active: boolean }>;
  readonly #zones: ReadonlyMap<string, Zone>;
  readonly #items: ReadonlyMap<string, OperationItem>;
  readonly #batches: ReadonlyMap<string, string>;
  readonly #faults: Faults;

  private constructor(found: Found, faults: Faults) {
    this.#found = found;
    this.#faults = faults;
    this.date = found.date;
    this.enforcesZones = found.enforceWarehouseZones;
    this.#warehouses = byId(found.warehouses);
    this.#zones = byId(found.zones);
    this.#items = byId(found.items);
    this.#batches = new Map((found.batches ?? []).map((batch) => [batchKey(batch), batch.id]));
  }

  static async load(trx: Db, ctx: Context, named: Named, faults: Faults): Promise<OperationReferences> {
    const bindings = {
      date: named.date ?? null,
      now: ctx.now.toISOString(),
      warehouses: defined(named.warehouses),
      zones: defined(named.zones),
      items: defined(named.items),
      batchNums: defined(named.batchNums),
    };
    const read = () => query<Found>(trx, SQL, bindings);
    let [found] = await read();
    if (found?.period === null && (await openYear(trx, ctx, found.date))) [found] = await read();
    if (!found) throw new Error('the statement always returns one row');
    return new OperationReferences(found, faults);
  }

  /** The open period of the date. @throws ServiceError validation_failed with all faults so far; period_closed */
  openPeriod(): Period {
    const { period, date } = this.#found;
    if (period === null) this.#faults.add('/date', 'no_period', noPeriodMessage(date));
    this.#faults.throwIfAny();
    if (period === null) throw new Error('a date without faults has a period');
    assertOpenFor(period, 'stock', '/date');
    return period;
  }

  /** @param mustBeActive where goods come in; goods in an inactive warehouse can be counted and taken away */
  checkWarehouse(id: string, pointer: string, mustBeActive: boolean): void {
    const warehouse = this.#warehouses.get(id);
    if (!warehouse) this.#faults.add(pointer, 'invalid_reference', 'refers to a warehouse that does not exist');
    else if (mustBeActive && !warehouse.active)
      this.#faults.add(pointer, 'inactive', 'refers to an inactive warehouse');
  }

  /** The zone must belong to its warehouse. @param required where the company enforces zones */
  checkZone(
    id: string | null,
    {
      pointer,
      warehouseId,
      required,
      mustBeActive,
    }: {
      readonly pointer: string;
      readonly warehouseId: string;
      readonly required: boolean;
      readonly mustBeActive: boolean;
    },
  ): void {
    if (id === null) {
      if (required && this.enforcesZones) {
        this.#faults.add(pointer, 'required', 'is required because the company enforces zones');
      }
      return;
    }
    const zone = this.#zones.get(id);
    if (!zone) this.#faults.add(pointer, 'invalid_reference', 'refers to a zone that does not exist');
    else if (zone.warehouseId !== warehouseId) {
      this.#faults.add(pointer, 'wrong_warehouse', 'is a zone of another warehouse');
    } else if (mustBeActive && !zone.active) this.#faults.add(pointer, 'inactive', 'refers to an inactive zone');
  }

  /** An item with stock; inactive ones too, since their goods are still on hand. */
  checkItem(id: string, pointer: string): OperationItem | undefined {
    const item = this.#items.get(id);
    if (!item) this.#faults.add(`${pointer}/itemId`, 'invalid_reference', 'refers to an item that does not exist');
    else if (!item.stockTracked)
      this.#faults.add(`${pointer}/itemId`, 'not_applicable', 'refers to an item without stock');
    return item;
  }

  /** Checks the decimals against the company's settings. */
  checkQuantity(quantity: number, pointer: string): void {
    const places = this.#found.quantityPrecision;
    if (decimalPlaces(quantity) > places) {
      this.#faults.add(pointer, 'too_many_decimals', `must have at most ${places} decimals`);
    }
  }

  item(id: string): OperationItem {
    return this.#items.get(id) as OperationItem; // Checked by checkItem.
  }

  /** The id of an existing batch. */
  batchId(itemId: string, batchNum: string): string | undefined {
    return this.#batches.get(batchKey({ itemId, batchNum }));
  }
}

function byId<T extends Row>(rows: readonly T[] | null): ReadonlyMap<string, T> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}

function defined(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
