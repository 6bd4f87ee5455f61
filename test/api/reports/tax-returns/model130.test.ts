/** Model 130 over HTTP. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { notZero, openReports } from '../golden-quarter.ts';

describe('model 130', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const quarter = async (number: number) => {
    const { data, summary } = await books.report('tax/model130', `year=2026&quarter=${number}`);
    return { boxes: notZero((data as { boxes: Record<string, number> }).boxes), summary };
  };

  it('is not for companies', async () => {
    assert.deepEqual(await quarter(1), { boxes: {}, summary: { applicable: false, result: 0 } });
    const file = await download(app, '/api/reports/tax/model130?year=2026&quarter=1&format=csv');
    const [row] = await readCsv(file, ';');
    assert.match(String(row?.Nota), /^El modelo 130 es de autónomos/);
  });

  it('adds up the year, takes off what was withheld and what earlier quarters pay', async () => {
    const tax = { taxpayer: 'sole_trader', priorYearNetIncome: 30000 };
    assert.equal((await app.client.put('/api/config/tax', tax)).status, 200);
    const fees = { itemId: undefined, description: 'Honorarios' };
    await books.invoice('sales', '2026-02-10', 2000, { withholdingRate: 15 }, fees);
    await books.invoice('purchases', '2026-03-10', 500, {}, { ...fees, description: 'Asesoría' });
    await books.invoice('purchases', '2026-05-10', 1000, { withholdingRate: 15 }, { ...fees, description: 'Abogado' });
    await books.invoice('sales', '2026-05-20', 4000, {}, fees);
    // 02 = 500 + 5 % of 1,500; 03 = 1,425; 04 = 285; 06 = 15 % of 2,000; 07 = −15, so that nothing is due, and 13 = 0.
    const first = { '01': 2000, '02': 575, '03': 1425, '04': 285, '06': 300, '07': -15 };
    assert.deepEqual(await quarter(1), { boxes: first, summary: { applicable: true, result: 0 } });
    // 02 = 1,500 + 5 % of 4,500 = 1,725; 03 = 4,275; 04 = 855; 05 = 0; what was withheld from a supplier is not the trader's: 555.
    const due = { '07': 555, '12': 555, '14': 555, '17': 555, '19': 555 };
    const second = { '01': 6000, '02': 1725, '03': 4275, '04': 855, '06': 300, ...due };
    assert.deepEqual(await quarter(2), { boxes: second, summary: { applicable: true, result: 555 } });
  });

  it('takes what was filed of earlier quarters', async () => {
    // 18: an earlier return of the quarter had paid 100, so that 455 are left; 05 counts 07 all the same.
    await books.make('/api/tax-returns', { model: '130', year: 2026, period: '1T' });
    const filed = { model: '130', year: 2026, period: '2T', overrides: { '18': 100 } };
    const { result } = await books.make<{ result: number }>('/api/tax-returns', filed);
    assert.equal(result, 455);
    assert.equal((await quarter(3)).boxes['05'], 555);
    assert.equal((await quarter(2)).summary && (await quarter(2)).boxes['18'], 100);
  });

  describe('box 13', () => {
    const setTax = async (more: object) => {
      const { body } = await app.client.get('/api/config/tax');
      assert.equal((await app.client.put('/api/config/tax', { ...body, ...more })).status, 200);
    };
    const box13 = async (year = 2026) => {
      const { data, warnings } = await books.report('tax/model130', `year=${year}&quarter=3`);
      const { boxes, prior_year } = data as {
        boxes: Record<string, number>;
        prior_year: { year: number; source: string; net_income: number | null };
      };
      return [boxes['13'], prior_year.source, prior_year.net_income, warnings.map(({ code }) => code).join()];
    };

    it('depends on the stated net income of the year before only if the ledger has no such year', async () => {
      assert.deepEqual(await box13(), [0, 'settings', 30000, 'prior_year_stated']);
      await setTax({ priorYearNetIncome: { 2025: 9000 } });
      assert.deepEqual(await box13(), [100, 'settings', 9000, 'prior_year_stated']);
      assert.deepEqual(await box13(2025), [0, 'unknown', null, 'prior_year_unknown']);
      // What version 1.0.0 stored for those who had stated nothing.
      await setTax({ priorYearNetIncome: 0 });
      assert.deepEqual(await box13(), [0, 'unknown', null, 'prior_year_unknown']);
    });

    it('follows from the ledger of the year before, also after its close', async () => {
      await setTax({ priorYearNetIncome: { 2025: 0 } });
      await books.make('/api/periods/generate', { year: 2025 });
      await books.invoice('sales', '2025-10-10', 11000, {}, { itemId: undefined, description: 'Honorarios' });
      await books.invoice('purchases', '2025-11-10', 1000, {}, { itemId: undefined, description: 'Asesoría' });
      // 10,000 less 5 % of expenses hard to prove.
      assert.deepEqual(await box13(), [75, 'ledger', 9500, '']);
      await setTax({ estimation: 'normal', priorYearNetIncome: { 2025: 0 } });
      assert.deepEqual(await box13(), [75, 'ledger', 10000, '']);
      await books.make('/api/fiscal-years/2025/close');
      assert.deepEqual(await box13(), [75, 'ledger', 10000, '']);
    });
  });

  describe('of the last quarter', () => {
    it('stays as it was when the year is closed', async () => {
      const before = await quarter(4);
      assert.equal(before.boxes['01'], 6000);
      await books.make('/api/fiscal-years/2026/close');
      assert.deepEqual(await quarter(4), before);
    });
  });
});
