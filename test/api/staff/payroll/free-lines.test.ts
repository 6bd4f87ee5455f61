/** Payments of a payroll that are free of contributions and income tax: expenses paid back, and severance. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

const JANUARY = { year: 2026, month: 1 };
const EXPENSES = { description: 'Dietas', kind: 'expenses', amount: 85.4 };
const SEVERANCE = { description: 'Despido', kind: 'severance', amount: 4200 };

describe('expenses and severance of a payroll', () => {
  const app = useApp({ clock: { now: new Date('2026-02-10T10:00:00Z') } });
  const books = use(() => openBooks(app));
  const payroll = use(async () => {
    const { id } = await hire(app);
    const within = { from: '2026-01-01', to: '2026-01-31' };
    const item = await app.client.post(`/api/employees/${id}/pay-items`, { ...EXPENSES, ...within });
    assert.equal(item.status, 201, JSON.stringify(item.body));
    await generate(app, JANUARY);
    const [draft] = await listPayrolls(app, `employeeId=${id}&month=1`);
    assert.ok(draft);
    return draft;
  });
  const path = () => `/api/payrolls/${payroll.id}`;

  it('are paid in full, and leave bases and tax as they are', async () => {
    const { gross, bases, irpf, net } = payroll;
    assert.deepEqual([gross, bases.common, irpf, net], [1700, 1983.33, 204, 1452.49]);
    const lines = [...payroll.lines, SEVERANCE];
    const { status, body } = await app.client.patch(path(), { lines });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.data.gross, body.data.irpf, body.data.net], [1700, 204, 5652.49]);
  });

  it('cannot be less than nothing', async () => {
    for (const kind of ['expenses', 'severance']) {
      const lines = [payroll.lines[0], { description: 'Menos', kind, amount: -1 }];
      const answer = await app.client.patch(path(), { lines });
      assertProblem(answer, 422, 'validation_failed');
      assert.equal((answer.body.errors as { code: string }[])[0]?.code, 'kind_below_zero');
    }
  });

  it('are on the payslip, in what is earned', async () => {
    const { body } = await app.client.get(`/api/reports/payslip?payroll_id=${payroll.id}`);
    const { earnings, deductions, net } = body.data;
    assert.deepEqual([earnings.free, earnings.total, deductions.irpf.base], [4285.4, 5985.4, 1700]);
    assert.equal(Math.round((earnings.total - deductions.total) * 100), Math.round(net * 100));
  });

  it('are entered on accounts of their own, and severance is part of the labor cost', async () => {
    assert.equal((await app.client.post(`${path()}/post`, {})).status, 200);
    const entered = await books.enteredFor(payroll.id);
    assert.deepEqual(entered.filter((line) => line.startsWith('D')).sort(), [
      'D 629 85.4',
      'D 640 1700',
      'D 641 4200',
      'D 642 637.64',
    ]);
    assert.ok(entered.includes('H 465 5652.49'), entered.join(', '));
    const cost = await app.client.get('/api/reports/labor-cost?from=2026-01-01&to=2026-01-31');
    assert.deepEqual(cost.body.summary, {
      gross: 1700,
      severance: 4200,
      employer_contributions: 637.64,
      total: 6537.64,
    });
    const { body } = await app.client.get('/api/reports/tax/model111?year=2026&period=1T');
    assert.equal(body.data.boxes['02'], 1700, 'what is free is no income');
  });

  it('are taken back with a cancelled payroll', async () => {
    assert.equal((await app.client.post(`${path()}/cancel`, {})).status, 200);
    assert.deepEqual(
      await Promise.all(['629', '640', '641', '642', '465'].map((code) => books.balance(code))),
      [0, 0, 0, 0, 0],
    );
    const cost = await app.client.get('/api/reports/labor-cost?from=2026-01-01&to=2026-02-28');
    assert.equal(cost.body.summary.total, 0);
  });
});
