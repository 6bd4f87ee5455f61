import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chunks, concurrentlyBy } from '../../demo/concurrently.ts';
import { goodsFor } from '../../demo/goods-in.ts';
import { Progress, table } from '../../demo/report.ts';
import { chooseDays, dayAt, plannedCustomers, plannedItems, plannedSales } from '../../demo/wholesaler.ts';

describe('the plan of the demo', () => {
  it('is thirty items, twenty customers and the same sales on every run', () => {
    const items = plannedItems();
    assert.deepEqual([items.length, plannedCustomers().length], [30, 20]);
    assert.equal(new Set(items.map(({ code }) => code)).size, 30);
    assert.deepEqual(plannedItems(), items);
    const days = ['2026-03-01', '2026-03-02'];
    const sales = plannedSales(days, items);
    assert.deepEqual(plannedSales(days, items), sales);
    assert.deepEqual([...new Set(sales.map(({ date }) => date))], days);
    assert.ok(sales.every(({ lines }) => lines.length >= 1 && lines.every(({ quantity }) => quantity >= 1)));
  });

  it('sells on open days only: up to today, or from today on at the start of a year', () => {
    const period = (from: string, to: string, status = 'O') => ({ code: from, from, to, status });
    const months = [period('2026-01-01', '2026-01-31'), period('2026-02-01', '2026-02-28')];
    const february = chooseDays(months, '2026-02-20');
    assert.deepEqual([february.length, february[0], february.at(-1)], [30, '2026-01-22', '2026-02-20']);
    const january = chooseDays(months, '2026-01-03');
    assert.deepEqual([january.length, january[0], january.at(-1)], [30, '2026-01-01', '2026-01-30']);
    const closed = [period('2026-01-01', '2026-01-31', 'C'), period('2026-02-01', '2026-02-28')];
    assert.equal(chooseDays(closed, '2026-02-20')[0], '2026-02-01');
    assert.deepEqual(chooseDays(months, '2026-06-01'), []);
    const next = chooseDays(months, '2027-06-01');
    assert.deepEqual([next.length, next.at(-1)], [30, '2027-06-01'], 'a new year is opened by what is sold in it');
  });

  it('ends on the current day of the company', () => {
    const midnight = new Date('2026-12-31T23:30:00Z');
    assert.deepEqual(
      ['Europe/Madrid', 'UTC'].map((timezone) => dayAt(midnight, timezone)),
      ['2027-01-01', '2026-12-31'],
    );
  });

  it('buys what is sold, each item once', () => {
    const line = (itemId: string, quantity: number, price: number) => ({ itemId, quantity, price });
    assert.deepEqual(goodsFor([line('a', 2, 1.35), line('b', 1, 4), line('a', 5, 9)]), [
      line('a', 7, 0.81),
      line('b', 1, 2.4),
    ]);
  });

  it('is cut into pieces that hold everything in order and are never too long', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (entries, size) => {
        const pieces = chunks(entries, size);
        assert.deepEqual(pieces.flat(), entries);
        assert.ok(pieces.every((piece) => piece.length >= 1 && piece.length <= size));
      }),
    );
  });
});

describe('parallel work', () => {
  it('runs tasks of one kind in order, and different kinds in parallel', async () => {
    const log: string[] = [];
    await concurrentlyBy(
      ['a1', 'b1', 'a2', 'a3', 'b2'],
      ([kind = '']) => kind,
      async (item) => {
        log.push(`${item} begins`);
        await new Promise((resolve) => setTimeout(resolve, 1));
        log.push(`${item} ends`);
      },
    );
    assert.deepEqual(log.slice(0, 2), ['a1 begins', 'b1 begins']);
    const ofA = log.filter((entry) => entry.startsWith('a'));
    assert.deepEqual(
      ofA,
      ['a1', 'a2', 'a3'].flatMap((item) => [`${item} begins`, `${item} ends`]),
    );
    assert.equal(log.length, 10);
  });

  it('starts nothing more after a failure, and passes it on', async () => {
    const begun: number[] = [];
    const failing = concurrentlyBy(
      [1, 2, 3, 4],
      () => 'one kind',
      async (n) => {
        begun.push(n);
        if (n === 2) throw new Error('no');
      },
    );
    await assert.rejects(failing, /^Error: no$/);
    assert.deepEqual(begun, [1, 2]);
  });
});

describe('the output of the demo', () => {
  it('is a table with numbers aligned right', () => {
    assert.equal(
      table([
        ['what', 'n'],
        ['sales', 7],
        ['goods', 12],
      ]),
      'what   n\nsales   7\ngoods  12',
    );
  });

  it('reports progress in quarters without a terminal', () => {
    const printed: string[] = [];
    const output = { terminal: false, write: (text: string) => void printed.push(text) };
    const progress = new Progress('sales', 8, output);
    for (let n = 0; n < 8; n++) progress.step();
    assert.deepEqual(printed.join('').match(/\d+ of 8/g), ['2 of 8', '4 of 8', '6 of 8', '8 of 8']);
  });
});
