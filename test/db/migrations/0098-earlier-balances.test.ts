import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up } from '../../../db/migrations/0098-earlier-balances.ts';
import { up as linesOfBalances } from '../../../db/migrations/0109-lines-of-balances.ts';
import { up as earlierLinesOfBalances } from '../../../db/migrations/0110-earlier-lines-of-balances.ts';
import { up as linesOfAllBalances } from '../../../db/migrations/0111-lines-of-all-balances.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { sumEntries } from '../../../services/accounting/balances/sum-entries.ts';
import { use, useCompany, useOtherCompany } from '../../helpers/hooks.ts';
import { openLedger } from '../../helpers/ledger.ts';

describe('migration 0098', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  const ledgers = use(async () => ({ own: await openLedger(company), others: await openLedger(other) }));
  const debits = async () =>
    (await company.rows('select debit::float8 from journal_balances where debit <> 0 order by 1')).map(
      ({ debit }) => debit,
    );

  it('sums what earlier releases have numbered, and once what it has begun', async () => {
    for (const ledger of [ledgers.own, ledgers.others]) {
      await ledger.enter('2025-03-31', { 430: '1', 700: '-1' });
      await ledger.enter('2026-03-01', { 430: '2', 700: '-2' });
      await ledger.number();
      await ledger.enter('2026-03-02', { 430: '4', 700: '-4' });
    }
    // The column came later.
    await connect(company.url, (client) => client.query('alter table journal_balances drop column lines'));
    await migrate(company.url, [{ name: 'x-first', up }]);
    assert.deepEqual(await debits(), [1, 2]);
    // Interrupted, it runs again for all.
    await migrate(company.url, [{ name: 'x-again', up }]);
    assert.deepEqual(await debits(), [1, 2]);
    const lines = [linesOfBalances, earlierLinesOfBalances, linesOfAllBalances];
    await migrate(
      company.url,
      lines.map((next, index) => ({ name: `x-lines-${index}`, up: next })),
    );
    await ledgers.own.number();
    await sumEntries(company.database, company.ctx);
    assert.deepEqual(await debits(), [1, 6]);
  });
});
