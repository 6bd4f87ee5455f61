import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Warehouse, Zone } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { adjustStock } from '../../../../services/trade/stock/operations/adjust.ts';
import { transferStock } from '../../../../services/trade/stock/operations/transfer.ts';
import { revalueByEvent } from '../../../../services/trade/stock/revalue.ts';
import { useCompany } from '../../../helpers/hooks.ts';

/** Somewhere in the company; a warehouse as such is where goods lie in no zone. */
interface Place {
  readonly warehouseId: string;
  readonly zoneId?: string;
}

interface Made {
  readonly id: string;
}

const TODAY = '2026-06-15';

describe('counts and transfers', () => {
  /** Main warehouse, its zones, another warehouse, its zone Z-01. */
  let places: Place[];

  const company = useCompany();
  before(async () => {
    const { ctx, warehouseId } = company;
    const other = await company.run((trx) => insertRow(trx, ctx, Warehouse, { code: 'W2', name: 'Segundo' }));
    const zone = async (within: string, code: string) => {
      const { id } = await company.run((trx) => insertRow(trx, ctx, Zone, { warehouseId: within, code }));
      return { warehouseId: within, zoneId: id };
    };
    const [main, second] = [{ warehouseId }, { warehouseId: other.id }];
    places = [
      main,
      await zone(warehouseId, 'A-01'),
      await zone(warehouseId, 'A-02'),
      second,
      await zone(other.id, 'Z-01'),
    ];
  });

  const at = (index: number) => places[index] as Place;
  const receive = (itemId: string, place: Place, quantity: number, price: number, date = TODAY) =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'PDN', {
        partnerId: company.supplierId,
        date,
        lines: [{ itemId, ...place, quantity, price }],
      }),
    );
  const sell = (itemId: string, place: Place, quantity: number, date = TODAY) =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'SDN', {
        partnerId: company.customerId,
        date,
        lines: [{ itemId, ...place, quantity }],
      }),
    );
  const count = (itemId: string, { warehouseId, zoneId }: Place, countedQuantity: number, date = TODAY) => {
    const line = { itemId, countedQuantity, ...(zoneId === undefined ? {} : { zoneId }) };
    return company.run((trx) => adjustStock(trx, company.ctx, { warehouseId, date, lines: [line] }));
  };
  const transfer = (itemId: string, from: Place, to: Place, quantity: number, date = TODAY) =>
    company.run((trx) =>
      transferStock(trx, company.ctx, {
        ...from,
        toWarehouseId: to.warehouseId,
        ...(to.zoneId === undefined ? {} : { toZoneId: to.zoneId }),
        date,
        lines: [{ itemId, quantity }],
      }),
    ) as Promise<unknown> as Promise<Made>;
  /** Quantity, average and FIFO value in a warehouse after its last movement. */
  const worth = async (itemId: string, { warehouseId }: Place) => {
    const [row] = await company.rows(
      `select quantity_after::float as quantity, average_after::float as average, fifo_after::float as fifo from stock_layers
       where item_id = ? and warehouse_id = ? order by date desc, seq desc limit 1`,
      [itemId, warehouseId],
    );
    return [row?.quantity, row?.average, row?.fifo];
  };
  const done = new Set<string>();
  /** Does what the workflow does for revaluations that no request could do. @returns how many there were */
  const revalueByEvents = async () => {
    const before = done.size;
    for (;;) {
      const events = await company.rows(
        `select id from outbox where event = 'internal.stock_revaluation_due' order by created_at, id`,
      );
      const due = events.map(({ id }) => String(id)).filter((id) => !done.has(id));
      if (due.length === 0) return done.size - before;
      for (const id of due) await company.run((trx) => revalueByEvent(trx, company.ctx, id));
      for (const id of due) done.add(id);
    }
  };

  it('values a count of an earlier day as of that day, and what came later again', async () => {
    const { id: itemId } = await company.item();
    await receive(itemId, at(0), 10, 1, '2026-03-01');
    await receive(itemId, at(0), 10, 3, '2026-05-01');
    // Five pieces were gone in April already: they cost 1, and what came in May makes the average of the rest.
    await count(itemId, at(0), 15, '2026-04-01');
    assert.deepEqual(await worth(itemId, at(0)), [15, 35, 35]);
    await count(itemId, at(0), 17, '2026-04-02');
    assert.deepEqual(await worth(itemId, at(0)), [17, 37, 37]);
  });

  it('transfers of an earlier day leave with the cost of that day, and arrive with it', async () => {
    const { id: itemId } = await company.item();
    await receive(itemId, at(0), 10, 1, '2026-03-01');
    await receive(itemId, at(0), 10, 3, '2026-05-01');
    await sell(itemId, at(0), 2, '2026-05-02');
    await transfer(itemId, at(0), at(3), 4, '2026-04-01');
    assert.deepEqual(await worth(itemId, at(3)), [4, 4, 4]);
    // Six at 1 and ten at 3 were there: two of the oldest have been sold, by average two at 2.25.
    assert.deepEqual(await worth(itemId, at(0)), [14, 31.5, 34]);
    assert.equal(await revalueByEvents(), 0);
  });

  it('goods that went to another warehouse follow when what they cost turns out otherwise', async () => {
    const { id: itemId } = await company.item();
    await receive(itemId, at(0), 10, 4, '2026-04-01');
    await transfer(itemId, at(0), at(3), 5, '2026-05-01');
    await transfer(itemId, at(3), at(4), 5, '2026-05-02');
    await sell(itemId, at(4), 2, '2026-05-03');
    assert.deepEqual(await worth(itemId, at(3)), [3, 12, 12]);
    await receive(itemId, at(0), 10, 2, '2026-03-01');
    assert.deepEqual(await worth(itemId, at(0)), [15, 45, 50]);
    assert.equal(await revalueByEvents(), 1);
    assert.deepEqual(await worth(itemId, at(3)), [3, 9, 6]);
    const [unbalanced] = await company.rows(
      `select sum(average_change) as average, sum(fifo_change) as fifo from stock_layers l join stock_movements m on m.id = l.id
       where m.operation_id is not null and m.item_id = ?`,
      [itemId],
    );
    assert.deepEqual([Number(unbalanced?.average), Number(unbalanced?.fifo)], [0, 0]);
  });

  it('moving within a warehouse leaves the order in which goods came as it was', async () => {
    const { id: itemId } = await company.item();
    await receive(itemId, at(0), 5, 1, '2026-03-01');
    await receive(itemId, at(0), 5, 2, '2026-03-02');
    await transfer(itemId, at(0), at(1), 7, '2026-03-03');
    await receive(itemId, at(0), 5, 9, '2026-03-04');
    await sell(itemId, at(0), 1);
    assert.deepEqual((await worth(itemId, at(0)))[2], 4 + 10 + 45);
    // Also when all of it is worked out again.
    await receive(itemId, at(2), 1, 7, '2026-02-01');
    assert.deepEqual((await worth(itemId, at(0)))[2], 5 + 10 + 45);
    await transfer(itemId, at(1), at(2), 7, '2026-03-01');
    assert.deepEqual((await worth(itemId, at(0)))[2], 5 + 10 + 45);
  });

  const place = fc.nat({ max: 4 });
  const quantity = fc.integer({ min: 1, max: 900 }).map((hundredths) => hundredths / 100);
  const command = fc.oneof(
    fc.record({
      do: fc.constant('receive' as const),
      place,
      quantity,
      price: fc.integer({ min: 0, max: 999 }).map((cents) => cents / 100),
      date: fc.constantFrom(TODAY, TODAY, '2026-03-01', '2026-05-01'),
    }),
    fc.record({ do: fc.constant('sell' as const), place, quantity }),
    fc.record({ do: fc.constant('count' as const), place, quantity }),
    fc.record({ do: fc.constant('transfer' as const), place, to: place, quantity }),
  );

  it('agree with a plain model of what lies where, and keep the value of what they move', async function () {
    this.timeout(300_000);
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 2, maxLength: 8 }), async (commands) => {
        const { id: itemId } = await company.item();
        const model = new Model(places);
        for (const step of commands) {
          const here = at(step.place);
          if (step.do === 'receive') {
            model.add(step.place, step.quantity);
            await receive(itemId, here, step.quantity, step.price, step.date);
          } else if (step.do === 'count') {
            model.set(step.place, step.quantity);
            await count(itemId, here, step.quantity);
          } else {
            const [work, expected] =
              step.do === 'sell'
                ? [sell(itemId, here, step.quantity), model.take(step.place, step.quantity)]
                : [transfer(itemId, here, at(step.to), step.quantity), model.move(step.place, step.to, step.quantity)];
            assert.equal(await failureCode(work), expected, JSON.stringify(step));
          }
        }
        const levels = await company.rows(
          'select warehouse_id, zone_id, on_hand from stock_levels where item_id = ? and on_hand <> 0',
          [itemId],
        );
        assert.deepEqual(
          levels.map((level) => `${level.warehouse_id} ${level.zone_id ?? ''} ${Number(level.on_hand)}`).sort(),
          model.lying(),
        );
        await revalueByEvents();
        await assertWorth(itemId);
      }),
      { numRuns: 100 },
    );
  });

  /** The code of the refusal, null when it is done. */
  async function failureCode(work: Promise<unknown>): Promise<string | null> {
    try {
      await work;
      return null;
    } catch (error) {
      if (error instanceof ServiceError) return error.code;
      throw error;
    }
  }

  /** Transfers neither make nor lose value; what is there by FIFO is worth what its layers cost. */
  async function assertWorth(itemId: string): Promise<void> {
    const lost = await company.rows(
      `select o.code, sum(l.average_change) as average, sum(l.fifo_change) as fifo from stock_layers l join stock_movements m on m.id = l.id
       join stock_operations o on o.id = m.operation_id where o.kind = 'transfer' and m.item_id = ?
       group by 1 having sum(l.average_change) <> 0 or sum(l.fifo_change) <> 0`,
      [itemId],
    );
    assert.deepEqual(lost, []);
    const off = await company.rows(
      `select warehouse_id, sum(fifo_change) as worth, sum(remaining * fifo_unit_cost) as cost from stock_layers where item_id = ?
       group by 1 having abs(sum(fifo_change) - sum(remaining * fifo_unit_cost)) > 0.0001`,
      [itemId],
    );
    assert.deepEqual(off, []);
  }
});

/** Quantities by place in hundredths, and nothing else. */
class Model {
  readonly #places: readonly Place[];
  readonly #lying: number[];

  constructor(places: readonly Place[]) {
    this.#places = places;
    this.#lying = places.map(() => 0);
  }

  set(place: number, quantity: number): void {
    this.#lying[place] = Math.round(quantity * 100);
  }

  add(place: number, quantity: number): void {
    this.#lying[place] = (this.#lying[place] ?? 0) + Math.round(quantity * 100);
  }

  /** Takes from a zone, or from the whole warehouse: what lies in no zone first, then zone by zone. */
  take(place: number, quantity: number, here = this.#within(place)): string | null {
    let wanted = Math.round(quantity * 100);
    if (here.reduce((total, index) => total + (this.#lying[index] ?? 0), 0) < wanted) return 'insufficient_stock';
    for (const index of here) {
      const part = Math.min(wanted, this.#lying[index] ?? 0);
      this.#lying[index] = (this.#lying[index] ?? 0) - part;
      wanted -= part;
    }
    return null;
  }

  move(from: number, to: number, quantity: number): string | null {
    if (from === to) return 'validation_failed';
    const within = this.#places[from]?.warehouseId === this.#places[to]?.warehouseId;
    const refused = this.take(from, quantity, within ? [from] : this.#within(from));
    if (refused === null) this.add(to, quantity);
    return refused;
  }

  lying(): string[] {
    const texts = this.#places.map(
      ({ warehouseId, zoneId }, index) => [this.#lying[index] ?? 0, `${warehouseId} ${zoneId ?? ''}`] as const,
    );
    return texts.flatMap(([hundredths, text]) => (hundredths === 0 ? [] : [`${text} ${hundredths / 100}`])).sort();
  }

  #within(place: number): number[] {
    const { warehouseId, zoneId } = this.#places[place] as Place;
    if (zoneId !== undefined) return [place];
    return this.#places.flatMap((other, index) => (other.warehouseId === warehouseId ? [index] : []));
  }
}
