import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../accounting/books.ts';

type Row = Record<string, unknown> & { readonly id: string };

/** Budgets in versions, filled, and against the ledger (decision 0335). */
describe('budgets', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const lines = async (budget: string, filter = '') =>
    (await app.client.get(`/api/budget-lines?budgetId=${budget}&sort=account,month&limit=500${filter}`)).body
      .data as Row[];
  const entry = (date: string, code: string, debit: number, more: object = {}) => ({
    date,
    post: true,
    lines: [
      { accountId: books.account(code), debit, ...more },
      { accountId: books.account('572'), credit: debit },
    ],
  });
  let budget: Row;

  before(async () => {
    budget = await books.make<Row>('/api/budgets', { name: 'First', fiscalYear: 2026 });
  });

  it('spread a yearly amount over the months, and once more', async () => {
    const path = `/api/budgets/${budget.id}/spread`;
    const spread = await app.client.post(path, { account: '62', amount: 100 });
    assert.equal(spread.status, 200, JSON.stringify(spread.body));
    const amounts = spread.body.data.map(({ amount }: Row) => amount) as number[];
    assert.equal(amounts.length, 12);
    assert.equal(Math.round(amounts.reduce((sum, one) => sum + one, 0) * 100), 10_000);
    assert.ok(amounts.every((one) => one === 8.33 || one === 8.34));
    assert.equal((await app.client.post(path, { account: '62', amount: 1200 })).status, 200);
    assert.deepEqual(
      (await lines(budget.id)).map(({ month, amount }) => [month, amount]),
      Array.from({ length: 12 }, (_, at) => [`2026-${String(at + 1).padStart(2, '0')}-01`, 100]),
    );
    assertProblem(await app.client.post(path, { account: '62x', amount: 1 }), 422, 'validation_failed');
    assertProblem(await app.client.post(path, { account: '999', amount: 1 }), 422, 'validation_failed');
  });

  it('have lines of one month each, within their year', async () => {
    const line = { budgetId: budget.id, account: '626', month: '2026-03-15', amount: 40 };
    const made = await books.make<Row>('/api/budget-lines', line);
    assert.equal(made.month, '2026-03-01');
    assertProblem(await app.client.post('/api/budget-lines', line), 409, 'duplicate');
    const late = await app.client.post('/api/budget-lines', { ...line, month: '2027-01-01' });
    assertProblem(late, 422, 'validation_failed');
    assert.equal(late.body.errors[0].pointer, '/month');
  });

  it('are compared with the ledger by the most specific position', async () => {
    for (const [date, code, debit] of [
      ['2026-01-10', '621', 150],
      ['2026-03-05', '626', 30],
      ['2026-03-06', '629', 20],
      ['2026-04-01', '621', 999],
    ] as const)
      await books.make('/api/journal-entries', entry(date, code, debit));
    const path = `/api/reports/budget?from=2026-01-01&to=2026-03-31&budget_id=${budget.id}`;
    const { status, body } = await app.client.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    const shown = (rows: Row[]) =>
      rows.map((row) => [row.account, row.period, row.budget, row.actual, row.variance, row.percent]);
    assert.deepEqual(shown(body.data.rows), [
      ['62', '2026', 300, 170, -130, -43.33],
      ['626', '2026', 40, 30, -10, -25],
    ]);
    assert.deepEqual(
      [body.summary.expense_budget, body.summary.expense_actual, body.summary.result_actual],
      [340, 200, -200],
    );
    const quarters = (await app.client.get(`${path.replace('03-31', '06-30')}&by=quarter`)).body;
    assert.deepEqual(shown(quarters.data.rows), [
      ['62', 'T1 2026', 300, 170, -130, -43.33],
      ['62', 'T2 2026', 300, 999, 699, 233],
      ['626', 'T1 2026', 40, 30, -10, -25],
    ]);
    for (const { drilldown } of body.data.rows as { drilldown: string }[])
      assert.equal((await app.client.get(drilldown)).status, 200, drilldown);
  });

  it('are compared with all income and expense, also where nothing was budgeted', async () => {
    const { id } = await books.make<Row>('/api/journal-entries', entry('2026-05-02', '669', 7));
    const { body } = await app.client.get(`/api/reports/budget?from=2026-05-01&to=2026-05-31&budget_id=${budget.id}`);
    assert.deepEqual(
      body.data.rows.map((row: Row) => [row.account, row.budget, row.actual, row.percent]),
      [
        ['62', 100, 0, -100],
        ['669', 0, 7, null],
      ],
    );
    assert.deepEqual([body.summary.result_budget, body.summary.result_actual], [-100, -7]);
    const years = await app.client.get('/api/reports/budget?from=2025-12-01&to=2026-01-31');
    assertProblem(years, 400, 'invalid_parameter');
    const file = await app.client.get(
      `/api/reports/budget?from=2026-05-01&to=2026-05-31&budget_id=${budget.id}&format=csv`,
    );
    assert.equal(file.status, 200);
    const { body: ledger } = await app.client.get(body.data.rows[1].drilldown);
    assert.equal(ledger.data.rows.length, 1);
    await books.make(`/api/journal-entries/${id}/reverse`, { date: '2026-05-02' });
  });

  it('are approved and current one per year, and then stay as they are', async () => {
    const path = `/api/budgets/${budget.id}`;
    assertProblem(await app.client.patch(path, { isDefault: true }), 422, 'validation_failed');
    assert.equal((await app.client.patch(path, { status: 'approved', isDefault: true })).status, 200);
    const [line] = await lines(budget.id);
    assertProblem(await app.client.patch(`/api/budget-lines/${line?.id}`, { amount: 1 }), 409, 'invalid_transition');
    assertProblem(await app.client.post(`${path}/spread`, { account: '62', amount: 1 }), 409, 'invalid_transition');
    assertProblem(await app.client.del(path), 409, 'invalid_transition');
    const copy = await books.make<Row>(`${path}/copy`, { name: 'Second', factor: 1.1 });
    assert.deepEqual(
      (await lines(copy.id)).slice(0, 2).map(({ amount }) => amount),
      [110, 110],
    );
    assert.equal(
      (await app.client.patch(`/api/budgets/${copy.id}`, { status: 'approved', isDefault: true })).status,
      200,
    );
    assert.equal((await app.client.get(path)).body.data.isDefault, false);
    const { body } = await app.client.get('/api/reports/budget?from=2026-01-01&to=2026-01-31');
    assert.deepEqual([body.data.budget_name, body.data.rows[0].budget], ['Second', 110]);
  });

  it('are filled from the ledger of a year, with a percentage', async () => {
    const next = await books.make<Row>('/api/budgets', { name: 'First', fiscalYear: 2027 });
    await books.make('/api/budget-lines', { budgetId: next.id, account: '621', month: '2027-01-01', amount: 7 });
    const filled = await app.client.post(`/api/budgets/${next.id}/fill`, { percent: 10 });
    assert.equal(filled.status, 200, JSON.stringify(filled.body));
    assert.deepEqual(
      (await lines(next.id)).map(({ account, month, amount }) => [account, month, amount]),
      [
        ['621', '2027-01-01', 7],
        ['621', '2027-04-01', 1098.9],
        ['626', '2027-03-01', 33],
        ['629', '2027-03-01', 22],
      ],
    );
  });

  it('are deleted with their lines, each in the audit log', async () => {
    const { id } = await books.make<Row>('/api/budgets', { name: 'Gone', fiscalYear: 2026 });
    await books.make(`/api/budgets/${id}/spread`, { account: '62', amount: 120 });
    const [{ id: line }] = (await lines(id)) as [Row];
    assert.equal((await app.client.del(`/api/budgets/${id}`)).status, 204);
    const { data } = (await app.client.get(`/api/audit-logs?entityId=${line}&sort=-createdAt`)).body;
    assert.deepEqual([data[0].action, data[0].oldValue.amount], ['DELETE', 10]);
  });
});
