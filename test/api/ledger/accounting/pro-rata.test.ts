import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from './books.ts';

type Body = Record<string, unknown>;

/** The provisional pro rata, and its regularisation at the end of the year (decision 0160). */
describe('pro rata of a year', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const taxes = new Map<string, string>();
  let year: number;
  before(async () => {
    for (const { code, id } of (await till.read('/api/taxes')) as { code: string; id: string }[]) taxes.set(code, id);
    year = Number(till.today.slice(0, 4)) - 1;
  });

  async function invoice(side: 'sales' | 'purchases', price: number, tax = 'IVA21', more: Body = {}) {
    const path = `/api/${side}/invoices`;
    const partnerId = side === 'sales' ? till.customerId : till.supplierId;
    const lines = [{ description: 'Servicio', quantity: 1, price, taxGroupId: taxes.get(tax) }];
    const draft = await books.make(path, { partnerId, lines, date: `${year}-06-10`, ...more });
    return await books.make<Body & { id: string; lines: Body[] }>(`${path}/${draft.id}/post`);
  }
  const readEntry = async (id: unknown) => {
    const { lines, date } = await till.read(`/api/journal-entries/${id}`);
    return [date, ...lines.map((line: Body) => `${line.accountCode} ${line.debit} ${line.credit}`)];
  };
  const path = () => `/api/pro-rata/${year}`;

  it('is provisional in the year and regularised at its end', async () => {
    assert.equal((await app.client.put('/api/config/tax', { proRata: 80 })).status, 200);
    await invoice('sales', 5000);
    await invoice('sales', 2150, 'IVA0');
    await invoice('purchases', 1000);
    // Within the EU: 210 owed and 168 deducted; it is no sale.
    await invoice('purchases', 1000, 'IVA21', { vatRegime: 'intra_eu' });
    const state = await till.read(path());
    // 5,000 of 7,150 are 69.93 %: 70 %. Of 420, 336 were deducted, and 294 are deductible.
    const { adjustments: _, ...known } = state;
    assert.deepEqual(known, {
      ...{ year, percent: 80, definitive: false, computedPercent: 70, operations: 7150, operationsWithRight: 5000 },
      ...{ subjectTax: 420, deductedTax: 336, difference: -42 },
    });
    const refused = await app.client.post(`/api/fiscal-years/${year}/close`);
    assert.deepEqual([refused.status, refused.body.code], [409, 'invalid_transition']);
    const done = await books.make<Body & { adjustments: Body[] }>(path());
    assert.deepEqual([done.percent, done.definitive, done.deductedTax, done.difference], [70, true, 294, 0]);
    assert.deepEqual(await readEntry(done.adjustments[0]?.entryId), [`${year}-12-31`, '472 0 42', '634 42 0']);
    assert.equal((await till.read('/api/config/tax')).proRata, 70);
  });

  it('deducts late invoices by the definitive percentage, and re-enters only changes', async () => {
    assert.equal((await app.client.put('/api/config/tax', { proRata: 50 })).status, 200);
    const late = await invoice('purchases', 100);
    // 21 × 70 % = 14.70; 6.30 are lost.
    assert.deepEqual([late.proRata, late.lines[0]?.nonDeductibleTax], [70, 6.3]);
    const same = await books.make<Body & { adjustments: Body[] }>(path());
    assert.equal(same.adjustments.length, 1);
    // 441 × 75 % = 330.75; 308.70 are deducted.
    const more = await books.make<Body & { adjustments: Body[] }>(path(), { percent: 75 });
    assert.deepEqual(await readEntry(more.adjustments[1]?.entryId), [`${year}-12-31`, '472 22.05 0', '639 0 22.05']);
    // Set by somebody, since another one is authorised: neither 70 nor 75.
    assert.equal((await till.read('/api/config/tax')).proRata, 50);
    assert.equal((await app.client.post(`/api/fiscal-years/${year}/close`)).status, 200);
    const closed = await app.client.post(path(), { percent: 60 });
    assert.deepEqual([closed.status, closed.body.code], [409, 'period_closed']);
  });

  it('rejects years that have not ended, and invalid percentages', async () => {
    const soon = await app.client.post(`/api/pro-rata/${year + 2}`);
    assert.deepEqual([soon.status, soon.body.errors[0].pointer], [422, '/year']);
    for (const percent of [-1, 101, 'all']) {
      const { status, body } = await app.client.post(path(), { percent });
      assert.deepEqual([status, body.errors[0].pointer], [422, '/percent']);
    }
    assert.equal((await app.client.get('/api/pro-rata/last')).status, 400);
    assert.equal((await till.read(`/api/pro-rata/${year - 5}`)).computedPercent, 100);
  });
});
