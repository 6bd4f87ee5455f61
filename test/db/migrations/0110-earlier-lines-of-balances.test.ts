import assert from 'node:assert/strict';
import { migrate } from '../../../db/migrate.ts';
import { up as before } from '../../../db/migrations/0109-lines-of-balances.ts';
import { up } from '../../../db/migrations/0110-earlier-lines-of-balances.ts';
import { up as after } from '../../../db/migrations/0111-lines-of-all-balances.ts';
import { connect } from '../../../runtime/postgres-client.ts';
import { sumEntries } from '../../../services/accounting/balances/sum-entries.ts';
import { use, useCompany, useOtherCompany } from '../../helpers/hooks.ts';
import { openLedger } from '../../helpers/ledger.ts';

describe('migration 0110', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  const ledgers = use(async () => [await openLedger(company), await openLedger(other)]);
  const counted = `select month::text, debit::float8, credit::float8, lines from journal_balances
    where tenant_id = $1 order by 1, 2`;

  it('counts the lines of earlier balances, and leaves their sums alone', async () => {
    for (const [index, ledger] of ledgers.entries()) {
      await ledger.enter('2026-03-01', { 430: '2', 700: '-2' });
      await ledger.enter('2026-03-02', { 430: '4', 700: '-4' });
      if (index === 0) await ledger.enter('2026-04-01', { 430: '1', 700: '-1' });
      await ledger.number();
    }
    for (const { database, ctx } of [company, other]) await sumEntries(database, ctx);
    // Waits to be summed: the balances of March stay at two lines each.
    await ledgers[0]?.enter('2026-03-03', { 430: '8', 700: '-8' });
    await connect(company.url, async (client) => {
      await client.query('alter table journal_balances drop column lines');
      await migrate(company.url, [{ name: 'x-before', up: before }]);
      await assert.rejects(client.query('update journal_balances set debit = debit'), /lines_check/);
      for (const name of ['x-once', 'x-again']) await migrate(company.url, [{ name, up }]);
      await migrate(company.url, [{ name: 'x-after', up: after }]);
      const rows = async ({ tenantId }: { tenantId: string }) =>
        (await client.query({ text: counted, values: [tenantId], rowMode: 'array' })).rows;
      const march = [
        ['2026-03-01', 0, 6, 2],
        ['2026-03-01', 6, 0, 2],
      ];
      assert.deepEqual(await rows(company.ctx), [...march, ['2026-04-01', 0, 1, 1], ['2026-04-01', 1, 0, 1]]);
      assert.deepEqual(await rows(other.ctx), march);
    });
  });
});
