import assert from 'node:assert/strict';
import { openRegister } from '../../../helpers/assets.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

type Body = Record<string, unknown>;
const day = (month: number, date = 1) => `${YEAR}-0${month}-${String(date).padStart(2, '0')}`;

describe('what is done with fixed assets', function () {
  this.timeout(120_000);
  const app = useApp();
  const register = use(() => openRegister(app, YEAR));
  const books = use(() => openBooks(app));
  const till = use(() => openTill(app));
  const act = (id: string, name: string, body: Body = {}) => app.client.post(`/api/assets/${id}/${name}`, body);
  const done = async (id: string, name: string, body: Body = {}) => {
    const answer = await act(id, name, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const values = async (id: string) => {
    const { cost, accumulated, impairment, netBookValue } = await register.asset(id);
    return [cost, accumulated, impairment, netBookValue];
  };

  const sell = async (price: number, account = '771') => {
    const line = { description: 'Lathe', quantity: 1, price, accountId: books.account(account) };
    const sale = { partnerId: till.customerId, date: day(4, 15), lines: [line] };
    const invoice = await books.make('/api/sales/invoices', sale);
    await books.make(`/api/sales/invoices/${invoice.id}/post`);
    return (await app.client.get(`/api/sales/invoices/${invoice.id}`)).body.data;
  };

  it('improvements add to the cost, over what is left of the life', async () => {
    const { id } = await register.buy();
    await register.run({ to: day(2, 28) });
    await done(id, 'improve', { date: day(3, 10), amount: 500 });
    await register.run({ to: day(3, 31) });
    assert.deepEqual(await values(id), [1700, 350, 0, 1350]);
    assertRefused(await act(id, 'improve', { amount: 5 }), '/date');
    assertRefused(await act(id, 'improve', { date: day(4), amount: 0 }), '/amount');
    assertRefused(await act(id, 'improve', { date: day(4), amount: -1351 }), '/amount');
    assertRefused(await act(id, 'improve', { date: `${YEAR - 1}-12-31`, amount: 1 }), '/date');
    assertRefused(
      await act(id, 'improve', { date: day(4), amount: 1, documentLineId: app.tenantId }),
      '/documentLineId',
    );
    assertProblem(await act(id, 'undo'), 409, 'invalid_transition');
    await done(id, 'improve', { date: day(4), amount: -450, usefulLifeMonths: 18 });
    await register.run({ to: day(4, 30) });
    assert.deepEqual(await values(id), [1250, 410, 0, 840]);
    const before = await register.buy({ usefulLifeMonths: 60 });
    await done(before.id, 'improve', { date: day(3), amount: 600, usefulLifeMonths: 72 });
    const undone = await done(before.id, 'undo');
    assert.deepEqual([undone.cost, undone.usefulLifeMonths, undone.endsOn], [1200, 60, before.endsOn]);
    const old = await register.buy({ acquiredOn: day(1), usefulLifeMonths: 2 });
    await register.run({ to: day(2, 28) });
    assertRefused(await act(old.id, 'improve', { date: day(3), amount: 600 }), '/usefulLifeMonths');
    assert.equal(
      (await done(old.id, 'improve', { date: day(3), amount: 600, usefulLifeMonths: 6 })).endsOn,
      day(6, 30),
    );
  });

  it('impairments are entered at once, and taken back as far as they count', async () => {
    const { id } = await register.buy();
    await register.run({ to: day(2, 28) });
    assertRefused(await act(id, 'impair', { date: day(3), amount: 1000.01 }), '/amount');
    assertRefused(await act(id, 'impair', { date: day(2), amount: 10 }), '/date');
    assert.equal((await done(id, 'impair', { date: day(3), amount: 500 })).impairment, 500);
    assert.deepEqual(await books.enteredFor(id), ['D 691 500', 'H 291 500']);
    await register.run({ to: day(4, 30) });
    assert.deepEqual(await values(id), [1200, 300, 500, 400]);
    assertRefused(await act(id, 'reverse-impairment', { date: day(5), amount: 400.01 }), '/amount');
    await done(id, 'reverse-impairment', { date: day(5), amount: 400 });
    assert.deepEqual((await books.enteredFor(id)).slice(2), ['D 291 400', 'H 791 400']);
    assert.deepEqual(await values(id), [1200, 300, 100, 800]);
    await done(id, 'undo');
    assert.deepEqual(await values(id), [1200, 300, 500, 400]);
    assertProblem(await act(id, 'undo'), 409, 'invalid_transition');
  });

  it('sales take the proceeds of the invoice, and leave the result', async () => {
    const { id } = await register.buy();
    await register.run({ to: day(3, 31) });
    const dear = await sell(1000);
    const before = await books.balance('771');
    const sold = { date: day(4, 15), kind: 'sold', documentLineId: dear.lines[0].id };
    assertRefused(await act(id, 'dispose', { ...sold, date: day(3, 30) }), '/date');
    assertRefused(await act(id, 'dispose', { ...sold, proceeds: 1000.01 }), '/proceeds');
    assertRefused(await act(id, 'dispose', { ...sold, kind: 'scrapped' }), '/documentLineId');
    const gone = await done(id, 'dispose', sold);
    assert.deepEqual(
      [gone.status, gone.cost, gone.depreciatedTo, gone.disposedOn],
      ['disposed', 0, day(4, 15), day(4, 15)],
    );
    const entered = ['D 681 50', 'H 281 50', 'D 281 350', 'D 771 1000', 'H 771 150', 'H 213 1200'];
    assert.deepEqual(await books.enteredFor(id), entered);
    assert.equal((await books.balance('771')) - before, 850);
    assertProblem(await act(id, 'dispose', sold), 409, 'invalid_transition');
    assertProblem(await app.client.post(`/api/sales/invoices/${dear.id}/cancel`), 409, 'in_use');
    assert.equal((await app.client.post(`/api/sales/invoices/${dear.id}/rectify`, { reason: 'Error' })).status, 201);
    await done(id, 'undo');
    assert.deepEqual(await values(id), [1200, 300, 0, 900]);
    const cheap = await sell(400);
    await done(id, 'dispose', { ...sold, documentLineId: cheap.lines[0].id });
    assert.deepEqual(
      (await books.enteredFor(id)).slice(-5),
      ['D 281 350', 'D 771 400', 'D 671 450', 'H 213 1200'].toSpliced(0, 0, 'H 281 50'),
    );
  });

  it('sales may have been invoiced on the account of the asset itself', async () => {
    const { id } = await register.buy();
    const before = await books.balance('213');
    const { lines } = await sell(1500, '213');
    const sold = { date: day(4, 15), kind: 'sold', documentLineId: lines[0].id };
    await done(id, 'dispose', sold);
    const entered = ['D 681 350', 'H 281 350', 'D 281 350', 'D 213 1500', 'H 771 650', 'H 213 1200'];
    assert.deepEqual(await books.enteredFor(id), entered);
    assert.equal((await books.balance('213')) - before, -1200);
    await done(id, 'undo');
    await done(id, 'dispose', sold);
  });

  it('what is scrapped is a loss; by months, that of the disposal does not count', async () => {
    const { id } = await register.buy({ partialMonths: 'months', inUseOn: day(1, 20) });
    await done(id, 'impair', { date: day(1, 31), amount: 110 });
    await done(id, 'dispose', { date: day(5, 20), kind: 'scrapped' });
    const out = ['D 681 363.33', 'H 281 363.33', 'D 281 363.33', 'D 291 110', 'D 671 726.67', 'H 213 1200'];
    assert.deepEqual((await books.enteredFor(id)).slice(2), out);
    const other = await register.buy();
    const cash = { date: day(5), kind: 'sold', proceedsAccountId: books.account('572') };
    assertRefused(await act(other.id, 'dispose', cash), '/proceeds');
    assertRefused(
      await act(other.id, 'dispose', { ...cash, date: day(1), proceeds: 1, proceedsAccountId: app.tenantId }),
      '/proceedsAccountId',
    );
    await done(other.id, 'dispose', { ...cash, proceeds: 2000 });
    assert.ok((await books.enteredFor(other.id)).includes('D 572 2000'));
    assertProblem(await app.client.patch(`/api/assets/${other.id}`, { residualValue: 1 }), 409, 'invalid_transition');
  });

  it('parts go with their share of all values, and the rest is depreciated further', async () => {
    const { id } = await register.buy({ residualValue: 120 });
    await register.run({ to: day(3, 31) });
    const [march] = await register.runs();
    const sold = { date: day(4, 15), kind: 'sold', proceeds: 500, proceedsAccountId: books.account('572') };
    assertRefused(await act(id, 'dispose', { ...sold, percentage: 25, cost: 300 }), '/cost');
    assertRefused(await act(id, 'dispose', { ...sold, cost: 1200.01 }), '/cost');
    assertRefused(await act(id, 'dispose', { ...sold, cost: 0.001 }), '/cost');
    const rest = await done(id, 'dispose', { ...sold, percentage: 25 });
    assert.deepEqual([rest.status, rest.residualValue, rest.disposedOn], ['active', 90, null]);
    const out = ['D 681 45', 'H 281 45', 'D 281 78.75', 'D 572 500', 'H 771 278.75', 'H 213 300'];
    assert.deepEqual(await books.enteredFor(id), out);
    assert.deepEqual(await values(id), [900, 236.25, 0, 663.75]);
    await register.run({ to: day(4, 30) });
    assert.deepEqual(await values(id), [900, 270, 0, 630]);
    assertProblem(await act(id, 'undo'), 409, 'invalid_transition');
    const [april] = await register.runs();
    assert.equal((await app.client.post(`/api/asset-runs/${april.id}/undo`)).status, 200);
    assertProblem(await app.client.post(`/api/asset-runs/${march.id}/undo`), 409, 'invalid_transition');
    const whole = await done(id, 'undo');
    assert.deepEqual([whole.residualValue, await values(id)], [120, [1200, 270, 0, 930]]);
  });

  it('parts leave what an impairment may be taken back by in proportion', async () => {
    const { id } = await register.buy();
    await done(id, 'impair', { date: day(1, 31), amount: 550 });
    await done(id, 'dispose', { date: day(2, 28), kind: 'scrapped', cost: 600 });
    assert.deepEqual(await values(id), [600, 54.16, 275, 270.84]);
    assertRefused(await act(id, 'reverse-impairment', { date: day(3), amount: 229.17 }), '/amount');
    await done(id, 'reverse-impairment', { date: day(3), amount: 229.16 });
    await done(id, 'dispose', { date: day(3, 31), kind: 'scrapped', percentage: 100 });
    assert.deepEqual(await values(id), [0, 0, 0, 0]);
  });

  it('leave runs alone that came before', async () => {
    const { id } = await register.buy({ name: 'Saw' });
    await register.run();
    const [run] = await register.runs();
    await done(id, 'dispose', { date: day(6, 10), kind: 'scrapped' });
    assertProblem(await app.client.post(`/api/asset-runs/${run.id}/undo`), 409, 'invalid_transition');
    await done(id, 'undo');
    assert.equal((await app.client.post(`/api/asset-runs/${run.id}/undo`)).status, 200);
  });
});
