import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../../trade/payments/till.ts';

describe('the report of bad debts', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const till = use(() => openTill(app));
  const report = async (query = '') => {
    const { status, body } = await app.client.get(`/api/reports/bad-debts?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const paid = (id: string) =>
    till.paid(1000, [{ document_type: 'sales_invoice', document_id: id, amount_applied: 1000 }], {
      payment_date: '2026-05-20',
    });

  it('shows what is overdue with its provision and what its age proposes, as it was on the day', async () => {
    const debtAges = [{ months: 4, percent: 50 }];
    await app.client.put('/api/config/payments', { debtAges });
    const { id, code } = await till.invoice('sales', 1000, { date: '2026-01-05', dueDate: '2026-01-10' });
    await till.invoice('sales', 300, { date: '2026-02-01', dueDate: '2026-02-28' });
    await till.invoice('sales', 99, { date: '2026-06-01', dueDate: '2026-12-31' });
    await books.make('/api/bad-debts', { documentId: id, date: '2026-03-31', amount: 200, doubtful: true });
    await paid(id);
    const { data, summary } = await report('to=2026-05-15');
    const { document_id, months_overdue, outstanding, drilldown, partner_name: _, ...first } = data.rows[0];
    assert.deepEqual([document_id, months_overdue, outstanding], [id, 4, 1000]);
    assert.equal((await app.client.get(drilldown)).body.data.code, code);
    const { doubtful, provided, proposed, missing, deductible } = first;
    assert.deepEqual([doubtful, provided, proposed, missing, deductible], [1000, 200, 500, 300, 0]);
    assert.deepEqual([data.rows.length, data.rows[1].proposed, summary.outstanding], [2, 0, 1300]);
    const later = await report('to=2026-05-31');
    assert.deepEqual([later.summary.provided, later.summary.outstanding], [200, 300]);
    assert.deepEqual([later.data.rows.length, later.data.rows[1].due_date], [2, null]);
    assert.equal((await report('to=2026-01-09')).data.rows.length, 0);
    const file = await app.client.get('/api/reports/bad-debts?format=csv');
    assert.equal(file.status, 200);
  });

  it('tells what is deductible six months after the debt was due', async () => {
    const { id } = await till.invoice('sales', 80, { date: '2026-01-05', dueDate: '2026-01-15' });
    await books.make('/api/bad-debts', { documentId: id, date: '2026-03-31', percentage: 100 });
    const deductible = async (to: string) => (await report(`to=${to}`)).summary.deductible;
    assert.deepEqual([await deductible('2026-07-14'), await deductible('2026-07-15')], [0, 80]);
  });
});
