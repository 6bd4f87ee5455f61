import assert from 'node:assert/strict';
import { ApiClient } from '../../demo/api-client.ts';
import { plannedItems } from '../../demo/wholesaler.ts';
import { costIn, goodsBySupplier, monthsUntil, payDay, salesIn } from '../../demo/year/plan.ts';
import { runYear } from '../../demo/year/run-year.ts';
import { OWNER } from '../helpers/app.ts';
import { useIntegrations, useWorker } from '../helpers/hooks.ts';
import { testConfig } from '../helpers/worker.ts';

describe('the plan of a year', () => {
  const items = plannedItems();

  it('has the twelve months to a day, the last of them up to it', () => {
    const months = monthsUntil('2026-02-10');
    assert.equal(months.length, 12);
    assert.deepEqual(months[0], { year: 2025, month: 3, from: '2025-03-01', to: '2025-03-31' });
    assert.deepEqual(months.slice(-2), [
      { year: 2026, month: 1, from: '2026-01-01', to: '2026-01-31' },
      { year: 2026, month: 2, from: '2026-02-01', to: '2026-02-10' },
    ]);
    assert.equal(monthsUntil('2024-03-31').at(-2)?.to, '2024-02-29');
  });

  it('sells on working days in order, and buys more than it sells', () => {
    for (const [index, month] of monthsUntil('2026-11-29').entries()) {
      const sales = salesIn(month, index, items);
      assert.deepEqual(sales, salesIn(month, index, items), 'the same on every run');
      assert.deepEqual(
        [...sales].map(({ date }) => date).sort(),
        sales.map(({ date }) => date),
      );
      assert.ok(sales.every(({ date }) => date >= month.from && date <= month.to));
      assert.ok(sales.every(({ date }) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay())));
      const bought = new Map([...goodsBySupplier(sales, items).values()].flatMap((goods) => [...goods]));
      const sold = new Map<string, number>();
      for (const { code, quantity } of sales.flatMap(({ lines }) => lines))
        sold.set(code, (sold.get(code) ?? 0) + quantity);
      for (const [code, quantity] of sold) assert.ok((bought.get(code) ?? 0) >= quantity * 1.1, code);
    }
    assert.equal(
      salesIn({ year: 2026, month: 8, from: '2026-08-01', to: '2026-08-02' }, 0, items)[0]?.date,
      '2026-08-02',
    );
  });

  it('costs more each month, and is paid after invoices, mostly', () => {
    const [item] = items as [(typeof items)[0]];
    assert.equal(costIn(0, item), item.purchasePrice);
    assert.ok(costIn(11, item) > costIn(5, item));
    const days = Array.from({ length: 38 }, (_, nth) => payDay('2026-03-02', 'La Tahona', nth));
    assert.equal(days.filter((day) => day === null).length, 2);
    assert.ok(days.every((day) => day === null || day > '2026-03-02'));
  });
});

describe('npm run demo -- --year', function () {
  this.timeout(180_000);
  const { app, temporal } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  it('trades, pays, hires and files, so that reports agree; and refuses to do it twice', async () => {
    const client = new ApiClient(app.address);
    await client.login({ email: OWNER.email, password: OWNER.password });
    const session = { client, tenantId: app.tenantId, company: 'Test', how: 'logged in' };
    const options = {
      now: new Date(),
      length: 4,
      output: { write: () => undefined, terminal: false },
      receiverPort: undefined,
    };
    const { rows, problems } = await runYear(session, options);
    assert.deepEqual(problems, []);
    const count = (what: string) => Number(rows.find(([name]) => String(name).includes(what))?.[1]);
    assert.ok(count('sales posted') > 60);
    assert.ok(count('payrolls') >= 9);
    assert.equal(count('of which explained'), count('lines of bank statements'));
    await assert.rejects(runYear(session, options), /has invoices of the last twelve months already/);
  });
});
