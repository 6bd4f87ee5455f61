import assert from 'node:assert/strict';
import { enterStockVariation } from '../../../../services/ledger/accounting/enter-stock.ts';
import { openYear } from '../../../../services/ledger/periods/open-year.ts';
import { lockPeriodGeneration } from '../../../../services/ledger/periods/periods.ts';
import { lockFiscalYears } from '../../../../services/platform/settings/settings.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { eventually } from '../../../helpers/worker.ts';

describe('stock variation', () => {
  const company = useCompany();

  it('waits for a closing that opens the next year, without blocking it', async () => {
    const { ctx } = company;
    const day = `${ctx.now.getUTCFullYear() + 1}-01-31`;
    // A transaction that finds a lock taken is run again.
    const runs = { closing: 0, entering: 0 };
    let entering: ReturnType<typeof enterStockVariation> | undefined;
    await company.run(async (trx) => {
      runs.closing++;
      // In the order of closing a year: first the next year, then the lock.
      await lockPeriodGeneration(trx, ctx);
      entering = company.run((other) => {
        runs.entering++;
        return enterStockVariation(other, ctx, day);
      });
      await eventually(async () => assert.ok(runs.entering > 1));
      assert.equal(await openYear(trx, ctx, day), true);
      await lockFiscalYears(trx, ctx);
    });
    assert.deepEqual(await entering, { data: null, pending: null, pendingReversal: null });
    assert.equal(runs.closing, 1);
  });
});
