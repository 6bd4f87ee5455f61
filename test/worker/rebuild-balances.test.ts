import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sumEntries } from '../../services/ledger/accounting/balances/sum-entries.ts';
import { inherited } from '../helpers/environment.ts';
import { use, useCompany, useOtherCompany } from '../helpers/hooks.ts';
import { openLedger } from '../helpers/ledger.ts';

describe('npm run rebuild-balances', function () {
  this.timeout(60_000);
  const company = useCompany();
  const other = useOtherCompany(company);
  const ledgers = use(async () => ({ own: await openLedger(company), others: await openLedger(other) }));
  const rebuild = (...ids: string[]) =>
    promisify(execFile)(process.execPath, ['--import=tsx', 'worker/rebuild-balances.ts', ...ids], {
      env: { ...inherited(), DATABASE_URL: company.url },
    });
  const wrong = async ({ rows }: Pick<typeof company, 'rows'>) =>
    Number((await rows('select count(*) from journal_balances where debit > 1'))[0]?.count);

  before(async () => {
    for (const ledger of [ledgers.own, ledgers.others]) {
      await ledger.enter('2026-03-01', { 430: '1', 700: '-1' });
      await ledger.number();
    }
    for (const { ctx, run } of [company, other]) {
      await sumEntries(company.database, ctx);
      await run((trx) => trx.raw('update journal_balances set debit = debit + 5'));
    }
  });

  it('repairs the balances of the named companies, or of all', async () => {
    const { stdout } = await rebuild(company.ctx.tenantId);
    assert.equal(stdout, `${company.ctx.tenantId}: balances rebuilt\n`);
    assert.deepEqual([await wrong(company), await wrong(other)], [0, 2]);
    await rebuild();
    assert.deepEqual([await wrong(company), await wrong(other)], [0, 0]);
  });

  it('names a company that does not exist, and does nothing', async () => {
    const failed = await rebuild(company.ctx.tenantId, 'nobody').catch(
      (error: { code: number; stderr: string }) => error,
    );
    assert.deepEqual([(failed as { code: number }).code, failed.stderr], [1, 'There is no company nobody\n']);
  });
});
