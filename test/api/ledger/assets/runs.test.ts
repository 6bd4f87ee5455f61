import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../accounting/books.ts';

const day = (month: number, date = 1) => `${YEAR}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;
const period = async (client: ReturnType<typeof useApp>['client'], month: number, status: string) => {
  const { data } = (await client.get(`/api/periods?code=${YEAR}-${String(month).padStart(2, '0')}`)).body;
  assert.equal((await client.patch(`/api/periods/${data[0].id}`, { status })).status, 200);
};

describe('runs of depreciation', function () {
  this.timeout(120_000);
  const app = useApp({}, { each: true });
  const register = use(() => openRegister(app, YEAR), { each: true });
  const books = use(() => openBooks(app), { each: true });
  const balances = async () => [await books.balance('681'), await books.balance('281')];

  it('enter each month once, with a pair of lines for each account and dimension', async () => {
    const { id: costCenterId } = await books.make('/api/cost-centers', { code: 'SHOP', name: 'Shop' });
    const lathe = await register.buy();
    await register.buy({ name: 'Drill', costCenterId, cost: 600 });
    await register.buy({
      name: 'Desk',
      groupId: register.groups.get('MOBILIARIO'),
      inUseOn: day(2, 15),
      cost: 2400,
      usefulLifeMonths: 24,
    });
    assert.equal(
      (await register.run({ to: day(2, 28) })).message,
      'AM00001: depreciation of 3 assets up to 2026-02-28',
    );
    const [run] = await register.runs();
    assert.deepEqual([run.assets, run.total], [3, 350]);
    assert.deepEqual(await books.enteredFor(run.id), [
      ...['D 681 100', 'H 281 100', 'D 681 50', 'H 281 50'],
      ...['D 681 150', 'H 281 150', 'D 681 50', 'H 281 50'],
    ]);
    assert.equal((await register.run({ to: day(2, 28) })).message, 'Nothing is left to depreciate up to 2026-02-28');
    await register.run();
    assert.equal((await register.runs())[0].to, day(5, 31));
    const shown = await register.asset(lathe.id);
    assert.deepEqual(
      [shown.cost, shown.accumulated, shown.netBookValue, shown.depreciatedTo],
      [1200, 500, 700, day(5, 31)],
    );
    assert.deepEqual(await balances(), [1100, -1100]);
    const { body } = await app.client.get(`/api/assets/${lathe.id}/movements?kind=acquisition`);
    assert.deepEqual([body.pagination.total, body.data[0].cost], [1, 1200]);
  });

  it('are missed by the checklist of a period until they are entered', async () => {
    await register.buy();
    const [{ id }] = (await app.client.get(`/api/periods?code=${YEAR}-02`)).body.data;
    const missed = async () => {
      const { checks } = (await app.client.get(`/api/periods/${id}/checklist`)).body.data;
      return checks.find(({ code }: { code: string }) => code === 'depreciation_not_run').count;
    };
    assert.equal(await missed(), 1);
    await register.run({ to: day(1, 31) });
    assert.equal(await missed(), 1);
    await register.run({ to: day(2, 28) });
    assert.equal(await missed(), 0);
  });

  it('can be undone from the last on, and done again; the entries are reversed by nothing else', async () => {
    const { id } = await register.buy();
    await register.run({ to: day(1, 31) });
    await register.run({ to: day(3, 31) });
    const [last, first] = await register.runs();
    assertProblem(await app.client.post(`/api/asset-runs/${first.id}/undo`), 409, 'invalid_transition');
    const entries = (await app.client.get(`/api/asset-runs/${last.id}`)).body.data.entries;
    const reversed = await app.client.post(`/api/journal-entries/${entries[0].entryId}/reverse`);
    assertProblem(reversed, 409, 'invalid_transition');
    const undone = await app.client.post(`/api/asset-runs/${last.id}/undo`);
    assert.deepEqual([undone.status, undone.body.data.status], [200, 'undone'], JSON.stringify(undone.body));
    assertProblem(await app.client.post(`/api/asset-runs/${last.id}/undo`), 409, 'invalid_transition');
    assert.deepEqual(await balances(), [100, -100]);
    const shown = await register.asset(id);
    assert.deepEqual([shown.accumulated, shown.depreciatedTo], [100, day(1, 31)]);
    await app.client.post(`/api/asset-runs/${first.id}/undo`, { date: day(2, 10) });
    assert.deepEqual((await register.asset(id)).depreciatedTo, null);
    await register.run({ to: day(3, 31) });
    assert.deepEqual(await balances(), [300, -300]);
    assert.deepEqual((await register.asset(id)).accumulated, 300);
  });

  it('refuse closed periods, or enter what they lack in the next open one', async () => {
    await register.buy();
    await period(app.client, 1, 'C');
    await period(app.client, 3, 'C');
    const refused = await register.run({ to: day(4, 30) }).catch((error: Error) => error);
    assert.match(
      String(refused),
      /Depreciation up to 2026-01-31 cannot be entered because its period is closed or locked/,
    );
    assertProblem(await app.client.post('/api/asset-runs?preview=true', { to: day(4, 30) }), 409, 'period_closed');
    await register.run({ to: day(4, 30), catchUp: true });
    const [run] = await register.runs();
    const { entries } = (await app.client.get(`/api/asset-runs/${run.id}`)).body.data;
    const shown = entries.map(({ date, amount }: Record<string, unknown>) => [date, amount]);
    assert.deepEqual(shown, [
      [day(2, 28), 200],
      [day(4, 30), 200],
    ]);
    await period(app.client, 2, 'C');
    assertProblem(await app.client.post(`/api/asset-runs/${run.id}/undo`), 409, 'period_closed');
    assert.equal((await app.client.post(`/api/asset-runs/${run.id}/undo`, { date: day(5, 1) })).status, 200);
    assert.deepEqual(await balances(), [0, 0]);
  });

  it('name the asset whose depreciation would begin before the books', async () => {
    const { code } = await register.buy({ acquiredOn: '1926-01-01' });
    const refused = await app.client.post('/api/asset-runs?preview=true', { to: day(4, 30), catchUp: true });
    assertProblem(refused, 422, 'validation_failed');
    assert.match(refused.body.detail, new RegExp(`^/to: cannot include ${code} because no accounting period contains`));
  });

  it('enter a fiscal year at once, and show before what they would enter', async () => {
    await register.buy({
      acquiredOn: `${YEAR - 1}-07-01`,
      inUseOn: `${YEAR - 1}-07-16`,
      cost: 2400,
      usefulLifeMonths: 24,
    });
    const { body } = await app.client.post('/api/asset-runs?preview=true', { frequency: 'year' });
    assert.deepEqual([body.data.document.total, body.data.entries.length], [551.61, 1]);
    assert.deepEqual(await balances(), [0, 0]);
    await register.run({ frequency: 'year' });
    const [run] = await register.runs();
    assert.deepEqual([run.frequency, run.total], ['year', 551.61]);
    const { entries } = (await app.client.get(`/api/asset-runs/${run.id}`)).body.data;
    assert.equal(entries[0].date, `${YEAR - 1}-12-31`);
    await register.run();
    assert.deepEqual(await balances(), [1051.61, -1051.61]);
  });

  it('refuse days after the present month', async () => {
    assertRefused(await app.client.post('/api/asset-runs', { to: day(7, 31) }), '/to');
    assertRefused(await app.client.post('/api/asset-runs', { frequency: 'week' }), '/frequency');
  });
});
