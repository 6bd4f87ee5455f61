/** Counts and transfers, done to the service and to the model alike. */
import { adjustStock } from '../../services/trade/stock/operations/adjust.ts';
import { transferStock } from '../../services/trade/stock/operations/transfer.ts';
import type { Books } from './books.ts';
import type { Step } from './commands.ts';
import { both, type Real } from './real.ts';
import { BATCHES, type Place } from './shelves.ts';
import { SPOTS } from './site.ts';

const nothing = { id: '', lines: [] };

function pickSpot(index: number) {
  return SPOTS[index] as (typeof SPOTS)[number];
}

function pickBatch(item: number, index: number): string | null {
  return item === 0 ? null : (BATCHES[index]?.name ?? null);
}

/** A stocktaking of one place. */
export class Count implements Step {
  readonly #item: number;
  readonly #quarters: number;
  readonly #spot: number;
  readonly #batch: number;
  constructor(item: number, quarters: number, spot: number, batch: number) {
    this.#item = item;
    this.#quarters = quarters;
    this.#spot = spot;
    this.#batch = batch;
  }
  check = () => true;
  async run(books: Books, { company, items, site, ...rest }: Real): Promise<void> {
    const countedQuantity = this.#quarters / 4;
    const { warehouse, zone } = pickSpot(this.#spot);
    const batch = pickBatch(this.#item, this.#batch);
    const outcome = books.count({ item: this.#item, warehouse, zone, batch }, countedQuantity);
    await both(books, { company, items, site, ...rest }, 'count', outcome, async () => {
      const line = {
        itemId: items[this.#item] as string,
        countedQuantity,
        ...(zone === null ? {} : { zoneId: site.zones[zone] as string }),
        ...(batch === null ? {} : { batchNum: batch }),
      };
      const input = { warehouseId: site.warehouses[warehouse] as string, reason: 'counted', lines: [line] };
      await company.run((trx) => adjustStock(trx, company.ctx, input));
      return nothing;
    });
  }
  toString = () => `count ${this.#item} ${this.#quarters}/4 at ${this.#spot} of ${this.#batch}`;
}

/** Goods of a place where some lie go to another, of their batch by name or the first to expire. */
export class Transfer implements Step {
  readonly #which: number;
  readonly #quarters: number;
  readonly #to: number;
  readonly #named: boolean;
  constructor(which: number, quarters: number, to: number, named: boolean) {
    this.#which = which;
    this.#quarters = quarters;
    this.#to = to;
    this.#named = named;
  }
  check = ({ shelves }: Readonly<Books>) => shelves.places().length > 0;
  async run(books: Books, real: Real): Promise<void> {
    const { company, items, site } = real;
    const places = books.shelves.places();
    const { item, warehouse, zone, batch } = places[this.#which % places.length] as Place;
    const [quantity, to] = [this.#quarters / 4, pickSpot(this.#to)];
    const batches = this.#named && batch !== null ? [{ batch, quantity }] : null;
    await both(books, real, 'transfer', books.transfer({ item, warehouse, zone, quantity, batches }, to), async () => {
      const input = {
        warehouseId: site.warehouses[warehouse] as string,
        toWarehouseId: site.warehouses[to.warehouse] as string,
        ...(zone === null ? {} : { zoneId: site.zones[zone] as string }),
        ...(to.zone === null ? {} : { toZoneId: site.zones[to.zone] as string }),
        lines: [
          { itemId: items[item] as string, quantity, ...(batches === null ? {} : { batchNum: batch as string }) },
        ],
      };
      await company.run((trx) => transferStock(trx, company.ctx, input));
      return nothing;
    });
  }
  toString = () => `transfer #${this.#which} ${this.#quarters}/4 to ${this.#to}${this.#named ? ' by name' : ''}`;
}
