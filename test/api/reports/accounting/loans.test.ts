import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import { enterDue } from '../../../../services/contracts/due-entries/due.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';

describe('the report of loans', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const report = async (query: string) => {
    const { status, body } = await app.client.get(`/api/reports/loans?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const borrow = (code: string, startsOn: string) =>
    books.make('/api/loans', {
      ...{ code, name: code, principal: 2400, annualRate: 6, instalments: 24, method: 'linear', startsOn },
      ...{ longTermAccountId: books.account('170'), shortTermAccountId: books.account('520') },
      ...{ interestAccountId: books.account('662'), bankAccountId: books.account('572') },
    });

  it('shows what is outstanding, paid and due next, and agrees with the ledger', async () => {
    const { id } = await borrow('ICO', '2026-01-10');
    await books.make(`/api/loans/${id}/draw`);
    const old = await borrow('OLD', '2025-01-10');
    await books.make(`/api/loans/${old.id}/take-over`, { date: '2025-12-31', outstanding: 1300, shortTerm: 0 });
    await borrow('PLAN', '2026-12-01');
    const now = new Date('2026-03-15T10:00:00Z');
    const ctx: Context = { tenantId: app.tenantId, userId: null, actor: 'temporal', requestId: app.tenantId, now };
    await enterDue(app.database, ctx, { progress: () => {}, refused: () => {} });
    const { data, summary } = await report('to=2026-03-31');
    assert.deepEqual(
      data.rows.map(({ loan_id: _, drilldown: __, name: ___, ...row }: Record<string, unknown>) => Object.values(row)),
      [
        ['ICO', null, 'drawn', 2400, 200, 2200, 1000, 1200, 23.5, '2026-04-10', 111, 22],
        ['OLD', null, 'drawn', 2400, 1400, 1000, 0, 1000, 18, '2026-04-10', 105, 10],
      ],
    );
    assert.deepEqual(summary, { outstanding: 3200, short_term: 1000, long_term: 2200, interest_of_year: 41.5 });
    const accounts = data.accounts.map(({ code, register, ledger, difference }: Record<string, unknown>) => {
      return [code, register, ledger, difference];
    });
    // What was taken over is in the books by an opening entry, which this company does not have.
    assert.deepEqual(accounts, [
      ['170', 2200, 900, -1300],
      ['520', 1000, 1000, 0],
    ]);
    for (const { drilldown } of [...data.rows, ...data.accounts])
      assert.equal((await app.client.get(drilldown)).status, 200);
  });

  it('shows them as they were on the day', async () => {
    const { data, summary } = await report('to=2026-02-28');
    assert.deepEqual([data.rows[0].outstanding, summary.interest_of_year], [2300, 24.5]);
    assert.deepEqual((await report('to=2025-12-30')).data.rows, []);
  });
});
