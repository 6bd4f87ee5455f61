import assert from 'node:assert/strict';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { recomputeLayers } from '../../../../services/trade/stock/recompute.ts';
import { WORKED, WORKED_COST_OF_SALES, type WorkedMovement } from '../../../helpers/worked-valuation.ts';
import { type Doc, useTrade } from '../lifecycle/follow-helpers.ts';

interface Layer {
  readonly date: string;
  readonly quantity: number;
  readonly after: number;
  readonly change: readonly [fifo: number, average: number];
  readonly value: readonly [fifo: number, average: number];
}

describe('the worked example of what stock is worth', () => {
  const trade = useTrade();
  before(async () => {
    await trade.company.run(async (trx) => {
      await trx.raw(`insert into settings (id, tenant_id, name, value, version, created_at, updated_at)
        values (gen_random_uuid(), current_setting('app.tenant_id')::uuid, 'flags', '{"allowNegativeStock": true}', 1, now(), now())`);
    });
  });

  const namedDay = (name: string) =>
    `2026-06-${String(WORKED.findIndex((one) => one.name === name) + 1).padStart(2, '0')}`;

  /** Makes one of the movements by a document of its own day. */
  async function make(itemId: string, movement: WorkedMovement, made: Map<string, Doc>): Promise<void> {
    const { name, quantity, unitCost, takesBack } = movement;
    const date = namedDay(name);
    const base = made.get(takesBack ?? '');
    const sold = base?.docType === 'SDN';
    if (base === undefined) {
      const line = { itemId, quantity: Math.abs(quantity), ...(unitCost === undefined ? {} : { price: unitCost }) };
      made.set(name, await trade.create(quantity > 0 ? 'PDN' : 'SDN', { date, lines: [line] }));
    } else if (sold && quantity === 35) {
      await trade.company.run((trx) => cancelDocument(trx, trade.company.ctx, base.id, { ifMatch: null, date }));
    } else {
      const lines = [{ baseLineId: base.lines[0]?.id ?? '', quantity: Math.abs(quantity) }];
      made.set(name, await trade.follow(base, 'return', { date, lines }));
    }
  }

  async function itemLayers(itemId: string): Promise<Layer[]> {
    const rows = await trade.company.rows(
      `select date::text, sum(quantity)::float as quantity, (array_agg(quantity_after order by seq desc))[1]::float as after,
         array[sum(fifo_change), sum(average_change)]::float[] as change,
         (array_agg(array[fifo_after, average_after]::float[] order by seq desc))[1:1] as value
       from stock_layers where item_id = ? group by date order by date`,
      [itemId],
    );
    return rows.map((row) => ({ ...row, value: (row.value as number[][])[0] })) as unknown as Layer[];
  }

  async function assertAsWorked(itemId: string): Promise<void> {
    const layers = await itemLayers(itemId);
    assert.deepEqual(
      layers,
      WORKED.map(({ name, quantity, after, fifo, average }) => {
        return { date: namedDay(name), quantity, after, change: [fifo[0], average[0]], value: [fifo[1], average[1]] };
      }),
    );
    const bought = WORKED.reduce((sum, { quantity, unitCost = 0 }) => sum + quantity * unitCost, -195);
    const last = layers.at(-1);
    assert.deepEqual(last?.value, [bought - WORKED_COST_OF_SALES, bought - WORKED_COST_OF_SALES]);
  }

  it('comes out of documents to the cent, and working it out again changes nothing', async () => {
    const { id: itemId } = await trade.company.item();
    const made = new Map<string, Doc>();
    for (const movement of WORKED) await make(itemId, movement, made);
    await assertAsWorked(itemId);
    const { company } = trade;
    const parts = () =>
      company.rows('select id, parts, remaining from stock_layers where item_id = ? order by id', [itemId]);
    const before = await parts();
    for (const { name } of WORKED) {
      const stocks = [{ itemId, warehouseId: company.warehouseId, date: namedDay(name) }];
      await company.run((trx) => recomputeLayers(trx, stocks));
      await assertAsWorked(itemId);
      assert.deepEqual(await parts(), before, `from ${name} on`);
    }
  });

  for (const late of ['R1', 'R2', 'R3'] as const) {
    it(`comes out the same when ${late} is entered late`, async () => {
      const { id: itemId } = await trade.company.item();
      const made = new Map<string, Doc>();
      const linked = WORKED.filter(({ takesBack }) => takesBack === late);
      const after = [...WORKED.filter(({ name }) => name === late), ...linked];
      for (const movement of WORKED.filter((one) => !after.includes(one))) await make(itemId, movement, made);
      for (const movement of after) await make(itemId, movement, made);
      await assertAsWorked(itemId);
    });
  }

  it('a purchase that was used up goes back from the oldest layers, and a receipt is cancelled at its own cost', async () => {
    const { id: itemId } = await trade.company.item();
    const first = await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 1 }] });
    const second = await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 3 }] });
    await trade.create('SDN', { lines: [{ itemId, quantity: 8 }] });
    const lines = (note: Doc, quantity: number) => ({ lines: [{ baseLineId: note.lines[0]?.id ?? '', quantity }] });
    const back = await trade.follow(first, 'return', lines(first, 4));
    assert.deepEqual(await trade.movements(back), [{ quantity: -4, value: -4, fifo: -8 }]);
    await trade.cancel(back);
    assert.deepEqual((await itemLayers(itemId)).at(-1)?.value, [32, 24]);
    const cancelled = await trade.cancel(second);
    assert.deepEqual((await trade.movements(cancelled)).at(-1), { quantity: -10, value: -24, fifo: -30 });
  });

  it('goods taken back from where they lie now leave at what they cost', async () => {
    const { id: itemId } = await trade.company.item();
    await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 1 }] });
    const note = await trade.create('PDN', { lines: [{ itemId, quantity: 10, price: 5 }] });
    const parts = [];
    for (const quantity of [3, 4]) {
      const lines = [{ baseLineId: note.lines[0]?.id ?? '', quantity }];
      parts.push(...(await trade.movements(await trade.follow(note, 'return', { lines }))));
    }
    assert.deepEqual(parts, [
      { quantity: -3, value: -15, fifo: -15 },
      { quantity: -4, value: -20, fifo: -20 },
    ]);
  });
});
