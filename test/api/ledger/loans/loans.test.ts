import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Context } from '../../../../db/context.ts';
import { INVARIANTS } from '../../../../db/invariants.ts';
import { enterDue } from '../../../../services/contracts/due-entries/due.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../accounting/books.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('loans', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const borrow = (more: object = {}) =>
    books.make<Data>('/api/loans', {
      ...{ code: 'ICO', name: 'Préstamo ICO', principal: 2400, annualRate: 6, instalments: 24, method: 'linear' },
      ...{ startsOn: '2026-01-10', firstDueOn: '2026-02-10' },
      ...{ longTermAccountId: books.account('170'), shortTermAccountId: books.account('520') },
      ...{ interestAccountId: books.account('662'), bankAccountId: books.account('572'), ...more },
    });
  const turn = async (time: string, transactions?: number) => {
    const ctx: Context = {
      ...{ tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now: new Date(time) },
    };
    return await enterDue(app.database, ctx, { progress: () => {}, refused: () => {} }, transactions);
  };
  const enter = async (time: string) => (await turn(time)).entered;
  const loan = async (id: string): Promise<Data> => (await app.client.get(`/api/loans/${id}`)).body.data;
  const plan = async (id: string): Promise<Data> => (await app.client.get(`/api/loans/${id}/schedule`)).body.data;
  const assertTrue = async () => {
    const { sql } = INVARIANTS.find(({ name }) => name === 'loans') as { sql: string };
    const found = await app.database.readTenant(
      { tenantId: app.tenantId },
      async (db) => (await db.raw(sql)).rows as Data[],
    );
    assert.deepEqual(
      found.filter(({ ok }) => !ok),
      [],
    );
    assert.notEqual(found.length, 0);
  };

  it('stand on debts, an expense and an account of money', async () => {
    const wrong = (member: string, code: string) => ({ [member]: books.account(code) });
    const { id } = await borrow();
    for (const [member, code] of [
      ['longTermAccountId', '572'],
      ['shortTermAccountId', '662'],
      ['interestAccountId', '170'],
      ['bankAccountId', '626'],
    ] as const) {
      const refused = await app.client.patch(`/api/loans/${id}`, wrong(member, code));
      assertProblem(refused, 422, 'validation_failed');
      assert.deepEqual([refused.body.errors[0].pointer, refused.body.errors[0].code], [`/${member}`, 'wrong_type']);
    }
  });

  it('have a schedule before they are drawn, and can be changed until then', async () => {
    const { id, status, firstDueOn } = await borrow({ firstDueOn: undefined });
    assert.deepEqual([status, firstDueOn], ['planned', '2026-02-10']);
    const { instalments, interest } = await plan(id);
    assert.deepEqual([instalments.length, instalments[0].principal, instalments[0].interest], [24, 100, 12]);
    assert.deepEqual([interest, instalments[23].outstanding], [150, 0]);
    assert.equal((await app.client.patch(`/api/loans/${id}`, { instalments: 12 })).body.data.instalments, 12);
    await books.make(`/api/loans/${id}/draw`);
    assertProblem(await app.client.patch(`/api/loans/${id}`, { instalments: 6 }), 409, 'invalid_transition');
    assert.equal((await app.client.patch(`/api/loans/${id}`, { name: 'ICO 2026' })).status, 200);
    assertProblem(await app.client.post(`/api/loans/${id}/draw`), 409, 'invalid_transition');
    assertProblem(await app.client.del(`/api/loans/${id}`), 409, 'invalid_transition');
  });

  it('are entered when drawn, and each instalment on its day, once', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`, { fee: 24 });
    assert.deepEqual(await books.enteredFor(id), ['D 572 2376', 'D 626 24', 'H 520 1200', 'H 170 1200']);
    assert.equal(await enter('2026-02-09T10:00:00Z'), 0);
    assert.equal(await enter('2026-03-10T10:00:00Z'), 2);
    assert.equal(await enter('2026-03-10T10:00:00Z'), 0);
    assert.deepEqual((await books.enteredFor(id)).slice(4), [
      ...['H 572 112', 'D 662 12', 'D 520 100'],
      ...['H 572 111.5', 'D 662 11.5', 'D 520 100'],
    ]);
    const { outstanding, shortTerm, longTerm, nextDueOn, instalmentsLeft } = await loan(id);
    assert.deepEqual(
      [outstanding, shortTerm, longTerm, nextDueOn, instalmentsLeft],
      [2200, 1000, 1200, '2026-04-10', 22],
    );
    const { instalments } = await plan(id);
    assert.deepEqual(instalments.map(({ entered }: Data) => entered).slice(0, 3), [true, true, false]);
    assert.deepEqual([instalments[1].outstanding, instalments[2].outstanding], [2200, 2100]);
    await assertTrue();
  });

  it('leave what exceeds a turn of the company to the next', async () => {
    for (let number = 1; number <= 9; number++) {
      const { id } = await borrow({ code: `ICO-${number}` });
      await books.make(`/api/loans/${id}/draw`);
    }
    // Each has eleven instalments in the year, and what becomes short-term at its end.
    assert.deepEqual(await turn('2026-12-31T10:00:00Z', 1), { entered: 100, more: true });
    assert.deepEqual(await turn('2026-12-31T10:00:00Z', 1), { entered: 8, more: false });
    await assertTrue();
  });

  it('move what becomes due within a year to the short-term account at the end of each fiscal year', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`);
    await enter('2026-12-31T10:00:00Z');
    const { shortTerm, longTerm } = await loan(id);
    assert.deepEqual([shortTerm, longTerm], [1200, 100]);
    assert.deepEqual((await books.enteredFor(id)).slice(-2), ['H 520 1100', 'D 170 1100']);
    await enter('2028-02-10T10:00:00Z');
    const { status, outstanding, nextDueOn } = await loan(id);
    assert.deepEqual([status, outstanding, nextDueOn], ['repaid', 0, null]);
    assert.deepEqual([await books.balance('170', '520'), await books.balance('662')], [0, 150]);
    await assertTrue();
  });

  it('can be repaid early, with fewer instalments or lower ones', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`);
    await enter('2026-02-10T10:00:00Z');
    const repay = (body: object) => app.client.post(`/api/loans/${id}/repay`, { date: '2026-02-20', ...body });
    assertRefused(await repay({ amount: 5000 }), '/amount');
    assertRefused(await repay({ amount: 100, date: '2026-03-11' }), '/date');
    assertRefused(await repay({ amount: 100, date: '2026-02-09' }), '/date');
    const { data } = (await repay({ amount: 1300, interest: 2, fee: 13 })).body;
    assert.deepEqual([data.outstanding, data.longTerm, data.instalmentsLeft], [1000, 0, 10]);
    assert.deepEqual((await books.enteredFor(id)).slice(-5), [
      'H 572 1315',
      'D 662 2',
      'D 626 13',
      'D 520 100',
      'D 170 1200',
    ]);
    const lower = (await repay({ amount: 500, keeps: 'term' })).body.data;
    assert.deepEqual([lower.outstanding, lower.payment, lower.instalmentsLeft], [500, 50, 10]);
    await assertTrue();
    assert.equal((await repay({ amount: 500 })).body.data.status, 'repaid');
    assertProblem(await repay({ amount: 1 }), 409, 'invalid_transition');
    await assertTrue();
  });

  it('are undone from the last entry on', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`);
    await enter('2026-02-10T10:00:00Z');
    const [, { id: entryId }] = (await app.client.get(`/api/journal-entries?sourceId=${id}&sort=date`)).body.data;
    assertProblem(await app.client.post(`/api/journal-entries/${entryId}/reverse`), 409, 'invalid_transition');
    const first = await books.make<Data>(`/api/loans/${id}/undo`);
    assert.deepEqual([first.outstanding, first.nextDueOn, first.instalmentsLeft], [2400, '2026-02-10', 24]);
    await assertTrue();
    assert.equal((await books.make<Data>(`/api/loans/${id}/undo`)).status, 'planned');
    assert.equal(await books.balance('170', '520', '572', '662'), 0);
    assertProblem(await app.client.post(`/api/loans/${id}/undo`), 409, 'invalid_transition');
    await assertTrue();
    await books.make(`/api/loans/${id}/draw`);
    await assertTrue();
  });

  it('wait where a period is closed, with a to-do', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`);
    const [{ id: period }] = (await app.client.get('/api/periods?code=2026-03')).body.data;
    await app.client.patch(`/api/periods/${period}`, { status: 'C' });
    assert.equal(await enter('2026-04-10T10:00:00Z'), 1);
    assert.equal((await loan(id)).nextDueOn, '2026-03-10');
    const [toDo, ...more] = (await app.client.get('/api/to-dos')).body.data;
    assert.deepEqual([toDo.title, more.length], ['Contabilice lo vencido de los préstamos ICO', 0]);
    await app.client.patch(`/api/periods/${period}`, { status: 'O' });
    assert.equal(await enter('2026-04-10T10:00:00Z'), 2);
  });

  it('wait where the account of the interest requires a cost center, until the company has one', async () => {
    const { id } = await borrow();
    await books.make(`/api/loans/${id}/draw`);
    await app.client.patch(`/api/accounts/${books.account('662')}`, { requires: 'cost_center' });
    assert.equal(await enter('2026-02-10T10:00:00Z'), 0);
    const [{ body }] = (await app.client.get('/api/to-dos')).body.data;
    assert.match(body, /662.*defaultCostCenterId/);
    const { id: center } = await books.make('/api/cost-centers', { code: 'C1', name: 'Head office' });
    await app.client.put('/api/config/accounting', { defaultCostCenterId: center });
    assert.equal(await enter('2026-02-10T10:00:00Z'), 1);
    const [entry] = (await app.client.get(`/api/journal-entries?sourceId=${id}&sort=-date`)).body.data;
    const { lines } = (await app.client.get(`/api/journal-entries/${entry.id}`)).body.data;
    assert.deepEqual(
      lines.map(({ accountCode, costCenterId }: Data) => [accountCode, costCenterId]),
      [
        ['572', null],
        ['662', center],
        ['520', null],
      ],
    );
    await assertTrue();
  });

  it('are not paid from a bank account in another currency', async () => {
    const dollars = await books.make('/api/accounts', { code: '572900', name: 'USD', type: 'asset' });
    const bank = { name: 'Dollars', iban: 'GB29NWBK60161331926819', currency: 'USD', account_id: dollars.id };
    await books.make('/api/config/bank-accounts', bank);
    const { id, code: _, ...loan } = await borrow();
    assertRefused(await app.client.patch(`/api/loans/${id}`, { bankAccountId: dollars.id }), '/bankAccountId');
    const { name, principal, annualRate, instalments, startsOn } = loan;
    const { longTermAccountId, shortTermAccountId, interestAccountId } = loan;
    const accounts = { longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId: dollars.id };
    const other = { code: 'USD', name, principal, annualRate, instalments, startsOn, ...accounts };
    assertRefused(await app.client.post('/api/loans', other), '/bankAccountId');
    assert.equal((await app.client.patch(`/api/loans/${id}`, { name: 'Euros' })).status, 200);
  });

  it('are taken over from other books with what is outstanding, without an entry', async () => {
    const { id } = await borrow({ startsOn: '2025-01-10', firstDueOn: '2025-02-10' });
    const takeOver = (body: object) =>
      app.client.post(`/api/loans/${id}/take-over`, { date: '2025-12-31', outstanding: 1300, ...body });
    assertRefused(await takeOver({ date: '2025-01-09' }), '/date');
    assertRefused(await takeOver({ date: '2027-01-10' }), '/date');
    assertRefused(await takeOver({ outstanding: 2400.01 }), '/outstanding');
    assertRefused(await takeOver({ shortTerm: 1300.01 }), '/shortTerm');
    const { data } = (await takeOver({})).body;
    const { outstanding, shortTerm, longTerm, payment, instalmentsLeft, nextDueOn } = data;
    assert.deepEqual([outstanding, shortTerm, longTerm], [1300, 1200, 100]);
    assert.deepEqual([payment, instalmentsLeft, nextDueOn], [100, 13, '2026-01-10']);
    assert.deepEqual(await books.enteredFor(id), []);
    assertProblem(await takeOver({}), 409, 'invalid_transition');
    await enter('2026-01-10T10:00:00Z');
    assert.deepEqual(await books.enteredFor(id), ['H 572 106.5', 'D 662 6.5', 'D 520 100']);
    assert.deepEqual(
      (await plan(id)).instalments.slice(0, 2).map((one: Data) => one.outstanding),
      [1200, 1100],
    );
    await assertTrue();
    await books.make(`/api/loans/${id}/undo`);
    assert.equal((await books.make<Data>(`/api/loans/${id}/undo`)).status, 'planned');
    await assertTrue();
    const other = await takeOver({ shortTerm: 0, instalmentsLeft: 5, payment: 260 });
    assert.deepEqual([other.body.data.longTerm, other.body.data.instalmentsLeft], [1300, 5]);
    await assertTrue();
  });

  it('are refused with a first instalment that is not after the drawing, or more decimals than the company has', async () => {
    const { code: _, ...body } = await borrow();
    const { longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId } = body;
    const accounts = { longTermAccountId, shortTermAccountId, interestAccountId, bankAccountId };
    const given = {
      code: 'B',
      name: 'B',
      principal: 10,
      annualRate: 0,
      instalments: 1,
      startsOn: '2026-01-10',
      ...accounts,
    };
    assertRefused(await app.client.post('/api/loans', { ...given, firstDueOn: '2026-01-10' }), '/firstDueOn');
    assertRefused(await app.client.post('/api/loans', { ...given, principal: 10.001 }), '/principal');
  });
});
