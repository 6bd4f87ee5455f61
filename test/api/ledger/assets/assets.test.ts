import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Body = Record<string, unknown>;
const day = (month: number, date = 1) => `${YEAR}-0${month}-${String(date).padStart(2, '0')}`;

describe('fixed assets', function () {
  this.timeout(120_000);
  const app = useApp();
  const register = use(() => openRegister(app, YEAR));
  const books = use(() => openBooks(app));
  const till = use(() => openTill(app));
  let bills = 0;
  const machine = () => ({ groupId: register.groups.get('MAQUINARIA'), name: 'Lathe' });
  const invoice = async (lines: readonly Body[], more: Body = {}) => {
    const body = { partnerId: till.supplierId, date: day(3), supplierReference: `F-${++bills}`, lines, ...more };
    const { id } = await books.make('/api/purchases/invoices', body);
    await books.make(`/api/purchases/invoices/${id}/post`);
    return (await app.client.get(`/api/purchases/invoices/${id}`)).body.data;
  };
  const onAccount = (code: string, price: number, quantity = 1) =>
    ({ description: 'Lathe', quantity, price, accountId: books.account(code), vatUse: 'investment' }) as const;

  it('take the account, the life and the method of their group, and warn of what is beyond the official table', async () => {
    const groups = (await app.client.get('/api/asset-groups?limit=100')).body.data;
    assert.equal(groups.length, 33);
    const lathe = await register.buy({ usefulLifeMonths: null });
    assert.deepEqual(
      [lathe.code, lathe.method, lathe.usefulLifeMonths, lathe.endsOn],
      ['AF00001', 'linear', 100, '2034-04-30'],
    );
    assert.deepEqual([lathe.netBookValue, lathe.status, lathe.warnings ?? []], [1200, 'active', []]);
    const declining = await register.buy({ method: 'declining', usefulLifeMonths: 60 });
    assert.equal(declining.percent, 40);
    const desk = { ...machine(), groupId: register.groups.get('MOBILIARIO'), acquiredOn: day(1), cost: 100 };
    const { body } = await app.client.post('/api/assets', { ...desk, method: 'digits', usefulLifeMonths: 24 });
    assert.deepEqual(
      body.data.warnings.map(({ pointer, code }: Body) => [pointer, code]),
      [
        ['/usefulLifeMonths', 'beyond_table'],
        ['/method', 'beyond_table'],
      ],
    );
    const again = (await app.client.post('/api/asset-groups/generate')).body.data;
    assert.deepEqual([again.created, again.existing, again.skipped], [0, 33, []]);
  });

  it('are bought by lines of invoices, several by one, never for more than the line', async () => {
    const { lines } = await invoice([onAccount('213', 500, 4), onAccount('629', 90)]);
    const [line, other] = lines;
    const from = (more: Body = {}) =>
      app.client.post('/api/assets', { ...machine(), documentLineId: line.id, ...more });
    assertRefused(await from({ documentLineId: other.id }), '/documentLineId');
    assertRefused(await from({ groupId: register.groups.get('MOBILIARIO') }), '/documentLineId');
    assertRefused(await from({ acquiredOn: day(2) }), '/acquiredOn');
    assertRefused(await from({ cost: 2000.01 }), '/cost');
    const first = await from({ cost: 500 });
    assert.deepEqual([first.status, first.body.data.acquiredOn], [201, day(3)], JSON.stringify(first.body));
    assert.equal((await from()).body.data.cost, 1500);
    assertRefused(await from(), '/documentLineId');
    assert.equal((await app.client.del(`/api/assets/${first.body.data.id}`)).status, 204);
    assert.equal((await from()).body.data.cost, 500);
  });

  it('respect credits of the purchase: the asset goes first', async () => {
    const bill = await invoice([onAccount('213', 500, 4)]);
    const [line] = bill.lines;
    const asset = { ...machine(), documentLineId: line.id };
    const { id } = await books.make('/api/assets', { ...asset, cost: 1600 });
    const rectify = async (quantity: number) => {
      const body = { reason: 'Broken', supplierReference: `A-${quantity}`, lines: [{ baseLineId: line.id, quantity }] };
      const { id: credit } = await books.make(`/api/purchases/invoices/${bill.id}/rectify`, body);
      return `/api/purchases/invoices/${credit}/post`;
    };
    const path = await rectify(1);
    assertProblem(await app.client.post(path), 409, 'in_use');
    assertProblem(await app.client.post(`/api/purchases/invoices/${bill.id}/cancel`), 409, 'in_use');
    await app.client.del(`/api/assets/${id}`);
    await books.make(path);
    assert.equal((await books.make<{ cost: number }>('/api/assets', asset)).cost, 1500);
  });

  it('can be taken over with what is depreciated, one by one or from a file', async () => {
    const old = { acquiredOn: `${YEAR - 2}-01-01`, usefulLifeMonths: 60, cost: 6000 };
    const taken = await register.buy({ ...old, accumulated: 2400, depreciatedTo: `${YEAR - 1}-12-31` });
    assert.deepEqual([taken.netBookValue, taken.accumulated], [3600, 2400]);
    await register.run({ to: day(2, 28) });
    assert.equal((await register.asset(taken.id)).accumulated, 2600);
    const csv = [
      'name,groupId,acquiredOn,cost,accumulated,depreciatedTo,usefulLifeMonths',
      `Press,${machine().groupId},${YEAR - 1}-01-01,1200,600,${YEAR - 1}-12-31,24`,
      `Saw,${machine().groupId},${YEAR - 1}-01-01,1200,600,,24`,
    ];
    const put = async (rows: string[]) => {
      const headers = { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/csv' };
      const body = rows.join('\n');
      const { status } = await fetch(`${app.address}/api/import/assets`, { method: 'POST', headers, body });
      return status;
    };
    assert.equal(await put(csv), 422);
    assert.ok((await put(csv.slice(0, 2))) < 300);
    const { data } = (await app.client.get('/api/assets?name=Press')).body;
    assert.deepEqual([data[0].accumulated, data[0].depreciatedTo], [600, `${YEAR - 1}-12-31`]);
  });

  it('are refused with the place of each fault', async () => {
    const bad = (more: Body) =>
      app.client.post('/api/assets', { ...machine(), acquiredOn: day(1), cost: 1000, ...more });
    assertRefused(await bad({ usefulLifeMonths: 0 }), '/usefulLifeMonths');
    assertRefused(await bad({ residualValue: 1000.01 }), '/residualValue');
    assertRefused(await bad({ inUseOn: `${YEAR - 1}-12-31` }), '/inUseOn');
    assertRefused(await bad({ cost: 0 }), '/cost');
    assertRefused(await bad({ cost: 1.234 }), '/cost');
    assertRefused(await bad({ cost: undefined }), '/cost');
    assertRefused(await bad({ percent: 10 }), '/percent');
    assertRefused(await bad({ accumulated: 10 }), '/depreciatedTo');
    assertRefused(await bad({ accumulated: 1000.5, depreciatedTo: day(5) }), '/accumulated');
    assertRefused(await bad({ accumulated: 10, depreciatedTo: `${YEAR - 1}-01-01` }), '/depreciatedTo');
    assertRefused(await bad({ documentLineId: app.tenantId }), '/documentLineId');
    assertRefused(await bad({ groupId: app.tenantId }), '/groupId');
  });

  it('can be changed for the time that is left', async () => {
    const { id } = await register.buy();
    await register.run({ to: day(3, 31) });
    const path = `/api/assets/${id}`;
    assertRefused(await app.client.patch(path, { usefulLifeMonths: 3 }), '/usefulLifeMonths');
    assertProblem(await app.client.patch(path, { inUseOn: day(2) }), 409, 'invalid_transition');
    assertRefused(await app.client.patch(path, { residualValue: 1201 }), '/residualValue');
    assertRefused(await app.client.patch(path, { cost: 100 }), '/cost');
    const { body } = await app.client.patch(path, { usefulLifeMonths: 21, name: 'Old lathe' });
    assert.deepEqual([body.data.name, body.data.endsOn], ['Old lathe', `${YEAR + 1}-09-30`]);
    await register.run({ to: day(4, 30) });
    assert.equal((await register.asset(id)).accumulated, 350);
    assertProblem(await app.client.del(path), 409, 'in_use');
    const group = `/api/asset-groups/${machine().groupId}`;
    assertProblem(await app.client.patch(group, { assetAccountId: books.account('216') }), 409, 'in_use');
  });
});
