import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Context } from '../../../../db/context.ts';
import { INVARIANTS } from '../../../../db/invariants.ts';
import { companiesWithDueEntries, enterDue } from '../../../../services/contracts/due-entries/due.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('bad debts', () => {
  const app = useApp({}, { each: true });
  const books = use(() => openBooks(app), { each: true });
  const till = use(() => openTill(app), { each: true });
  const ON = '2026-03-31';
  const overdue = (total = 1000, more: object = {}) =>
    till.invoice('sales', total, { date: '2026-01-05', dueDate: '2026-01-10', ...more });
  const provide = (documentId: string, more: object = { percentage: 60 }) =>
    app.client.post('/api/bad-debts', { documentId, date: ON, ...more });
  const provided = (documentId: string, more?: object): Promise<Data> =>
    provide(documentId, more).then(({ status, body }) => {
      assert.equal(status, 200, JSON.stringify(body));
      return body.data;
    });
  const readInvoice = async (id: string): Promise<Data> =>
    (await app.client.get(`/api/sales/invoices/${id}`)).body.data;
  const pay = (id: string, amount: number, on = '2026-04-10') =>
    till.paid(amount, [{ document_type: 'sales_invoice', document_id: id, amount_applied: amount }], {
      payment_date: on,
    });
  const release = async () => {
    const now = app.clock.now;
    const ctx: Context = { tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now };
    const { companies } = await companiesWithDueEntries(app.database, now, null);
    if (companies.length === 0) return 0;
    return (await enterDue(app.database, ctx, { progress: () => {}, refused: () => {} })).entered;
  };
  const assertTrue = async () => {
    const { sql } = INVARIANTS.find(({ name }) => name === 'bad_debts') as { sql: string };
    const found = await app.database.readTenant(
      { tenantId: app.tenantId },
      async (db) => (await db.raw(sql)).rows as Data[],
    );
    assert.deepEqual([found.filter(({ ok }) => !ok), found.length > 0], [[], true]);
  };

  it('are provided for as a percentage or an amount, and released by a lower one', async () => {
    const { id } = await overdue();
    const debt = await provided(id, { percentage: 60, doubtful: true });
    assert.deepEqual([debt.provided, debt.doubtful, debt.movements.length], [600, 1000, 1]);
    assert.deepEqual(await books.enteredFor(debt.id), ['D 436 1000', 'H 430 1000', 'D 694 600', 'H 490 600']);
    assertProblem(await provide(id, { amount: 600 }), 409, 'invalid_transition');
    await provided(id, { amount: 0, doubtful: false });
    assert.deepEqual((await books.enteredFor(debt.id)).slice(4), [
      'H 436 1000',
      'D 430 1000',
      'H 794 600',
      'D 490 600',
    ]);
    const [listed] = (await app.client.get('/api/bad-debts')).body.data;
    assert.deepEqual([listed.id, listed.provided], [debt.id, 0]);
    await assertTrue();
  });

  it('are refused beyond what is outstanding, before the invoice, and for what is no posted sales invoice', async () => {
    const { id } = await overdue();
    assertRefused(await provide(id, { amount: 1000.01 }), '/amount');
    assertRefused(await provide(id, { amount: 1.001 }), '/amount');
    assertRefused(await provide(id, { amount: 1, percentage: 1 }), '/percentage');
    assertRefused(await provide(id, { percentage: 10, date: '2026-01-04' }), '/date');
    const purchase = await till.invoice('purchases', 10);
    assertRefused(await provide(purchase.id), '/documentId');
    assertRefused(await provide(app.tenantId), '/documentId');
    assert.equal(await books.balance('490'), 0);
  });

  it('are released by the service once they are paid, on the day of the payment', async () => {
    const { id } = await overdue();
    const { id: debt } = await provided(id, { percentage: 50, doubtful: true });
    assert.equal(await release(), 0);
    const first = await pay(id, 400);
    assert.equal(await release(), 1);
    assert.deepEqual((await books.enteredFor(debt)).slice(4), ['H 436 400', 'D 430 400']);
    await pay(id, 600, '2026-05-20');
    assert.equal(await release(), 1);
    assert.deepEqual((await books.enteredFor(debt)).slice(6), ['H 436 600', 'D 430 600', 'H 794 500', 'D 490 500']);
    const { movements } = (await app.client.get(`/api/bad-debts/${debt}`)).body.data;
    assert.deepEqual(
      movements.map(({ kind, date }: Data) => `${date} ${kind}`),
      ['2026-03-31 provision', '2026-04-10 release', '2026-05-20 release'],
    );
    assert.deepEqual([await release(), await books.balance('430', '436', '490')], [0, 0]);
    assert.notEqual(first, '');
    await assertTrue();
  });

  it('are released once the invoice is cancelled, and wait for a closed period with a to-do', async () => {
    const { id, code } = await overdue();
    await provided(id);
    await books.make(`/api/sales/invoices/${id}/cancel`, { confirm: true });
    const [{ id: period }] = (await app.client.get('/api/periods?code=2026-06')).body.data;
    await app.client.patch(`/api/periods/${period}`, { status: 'C' });
    assert.equal(await release(), 0);
    const [{ title }] = (await app.client.get('/api/to-dos')).body.data;
    assert.equal(title, `Revierta el deterioro de ${code}`);
    await app.client.patch(`/api/periods/${period}`, { status: 'O' });
    assert.deepEqual([await release(), await books.balance('490', '436')], [1, 0]);
    await assertTrue();
  });

  it('are written off, which settles the invoice, and opened again', async () => {
    const { id } = await overdue();
    const debt = await provided(id, { percentage: 100, doubtful: true });
    await pay(id, 300);
    const lost = await books.make<Data>(`/api/bad-debts/${debt.id}/write-off`, { date: '2026-05-31' });
    assert.deepEqual([lost.provided, lost.doubtful, lost.writtenOff], [0, 0, 700]);
    const lines = ['H 436 700', 'D 650 700', 'H 436 300', 'D 430 300', 'H 794 1000', 'D 490 1000'];
    assert.deepEqual((await books.enteredFor(debt.id)).slice(4), lines);
    assert.equal((await readInvoice(id)).paymentStatus, 'paid');
    assert.equal(await books.balance('430', '436', '490'), 0);
    await assertTrue();
    const path = `/api/bad-debts/${debt.id}`;
    assertProblem(await app.client.post(`${path}/write-off`, { date: '2026-05-31' }), 409, 'invalid_transition');
    const again = await books.make<Data>(`${path}/undo`);
    assert.deepEqual([again.provided, again.doubtful, again.writtenOff], [1000, 1000, 0]);
    assert.deepEqual([(await readInvoice(id)).outstanding, await books.balance('650')], [700, 0]);
    await books.make(`${path}/undo`);
    assertProblem(await app.client.post(`${path}/undo`), 409, 'invalid_transition');
    await assertTrue();
  });

  it('are provided for by their age, and never less than before', async () => {
    const debtAges = [
      { months: 2, percent: 50 },
      { months: 6, percent: 100 },
    ];
    assert.equal((await app.client.put('/api/config/payments', { debtAges })).status, 200);
    const old = await overdue();
    const other = await overdue(100);
    await overdue(70, { dueDate: '2026-03-01' });
    await provided(other.id, { amount: 80 });
    const generate = async (date: string, more: object = {}) =>
      await books.make<Data>('/api/bad-debts/generate', { date, ...more });
    const { ids, more } = await generate(ON);
    assert.deepEqual([ids.length, more, await books.balance('490')], [1, false, -580]);
    assert.deepEqual((await generate(ON)).ids, []);
    assert.equal((await generate('2026-07-10')).ids.length, 3);
    assert.equal(await books.balance('490'), -1135);
    const customer = (await readInvoice(old.id)).partnerId;
    assertRefused(await app.client.post('/api/bad-debts/generate', { date: ON, percentage: 5 }), '/percentage');
    await generate('2026-07-10', { partnerId: customer, percentage: 100, doubtful: true });
    assert.deepEqual([await books.balance('490'), await books.balance('436')], [-1170, 70]);
    await assertTrue();
  });

  it('are of the cost center and project of all lines, even once these are closed', async () => {
    const { id: costCenterId } = await books.make('/api/cost-centers', { code: 'C1', name: 'Shop' });
    const { id: projectId } = await books.make('/api/projects', { code: 'P1', name: 'Fair' });
    const line = { description: 'Stand', quantity: 1, costCenterId, projectId };
    const lines = [100, 50].map((price) => ({ ...line, price }));
    const head = { date: '2026-01-05', dueDate: '2026-01-10' };
    const draft = await till.document('/api/sales/invoices', lines, head);
    const { id, outstanding } = await books.make<Data>(`/api/sales/invoices/${draft.id}/post`);
    for (const code of ['694', '794'])
      await app.client.patch(`/api/accounts/${books.account(code)}`, { requires: 'both' });
    await app.client.patch(`/api/cost-centers/${costCenterId}`, { active: false });
    await app.client.patch(`/api/projects/${projectId}`, { active: false });
    const debt = await provided(id, { percentage: 100 });
    await pay(id, outstanding);
    assert.equal(await release(), 1);
    const found = await app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const sql = `select a.code, l.cost_center_id as center, l.project_id as project
        from journal_entries e join journal_lines l on l.entry_id = e.id join accounts a on a.id = l.account_id
        where e.source_id = ? and a.code in ('694', '794') order by a.code`;
      return (await db.raw(sql, [debt.id])).rows as Data[];
    });
    const both = { center: costCenterId, project: projectId };
    assert.deepEqual(found, [
      { code: '694', ...both },
      { code: '794', ...both },
    ]);
    await assertTrue();
  });

  it('are missed in the checklist of a period after a year', async () => {
    const { id } = await overdue();
    const [{ id: period }] = (await app.client.get('/api/periods?code=2026-12')).body.data;
    const count = async () => {
      const { checks } = (await app.client.get(`/api/periods/${period}/checklist`)).body.data;
      return checks.find(({ code }: Data) => code === 'old_debts_not_provided').count;
    };
    assert.equal(await count(), 0);
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(`update documents set due_date = '2025-12-30' where id = ?`, [id]),
    );
    assert.equal(await count(), 1);
    await provided(id);
    assert.equal(await count(), 0);
  });
});
