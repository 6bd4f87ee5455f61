/** The cash flow statement over HTTP (decision 0362). */
import assert from 'node:assert/strict';
import type { Section } from '../../../../domain/reports/engine/sections.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openReports, sectionAmounts } from '../golden-quarter.ts';

describe('the cash flow statement', () => {
  const app = useApp({ clock: { now: new Date('2027-02-10T09:00:00Z') } });
  const books = use(() => openReports(app));
  const read = async (query: string) => {
    const { data, summary } = await books.report('cash-flow-statement', query);
    const { sections } = data as { sections: (Section & { accounts: { drilldown: string }[] })[] };
    return { sections, summary: summary as Record<string, number> };
  };
  const year = (of: number) => `from=${of}-01-01&to=${of}-12-31`;

  before(async () => {
    await books.make('/api/periods/generate', { year: 2025 });
    await books.entry('2025-01-01', { '572': 1000, '100': -1000 }, { kind: 'opening' });
    await books.entry('2025-06-01', { '572': 300, '705': -300 });
    await books.make('/api/fiscal-years/2025/close');
    await books.entry('2026-02-01', { '213': 400, '572': -400 });
    await books.entry('2026-03-01', { '430': 500, '705': -500 });
    await books.entry('2026-04-01', { '570': 200, '430': -200 });
    await books.entry('2026-12-31', { '681': 40, '281': -40 });
    await books.entry('2026-12-31', { '555': 7, '572': -7 });
  });

  it('comes to the change of cash in the ledger, beside the year before', async () => {
    const { sections, summary } = await read(year(2026));
    assert.deepEqual(sectionAmounts(sections as never), {
      ...{ A: 193, '1': 460, '2': 40, '2.a': 40, '3': -307, '3.b': -300, '3.d': -7 },
      ...{ B: -400, '6': -400, '6.c': -400, E: -207, F: 1300, H: 1093 },
    });
    assert.deepEqual(sectionAmounts(sections as never, 'previous'), { A: 300, '1': 300, E: 300, F: 1000, H: 1300 });
    const cash = { net_change: -207, opening_cash: 1300, closing_cash: 1093 };
    assert.deepEqual(summary, { operating: 193, investing: -400, financing: 0, exchange: 0, ...cash });
    const { body } = await app.client.get(
      '/api/reports/trial-balance?from=2026-01-01&to=2026-12-31&accounts=57&level=2',
    );
    assert.equal(body.data.rows[0].balance, cash.closing_cash);
    const ledgers = sections.flatMap(({ accounts }) => accounts.map(({ drilldown }) => drilldown));
    for (const path of ledgers) assert.equal((await app.client.get(path)).status, 200, path);
  });

  it('is the same when the year is closed, and of periods that begin or end within a year', async () => {
    const before = await read(year(2026));
    await books.make('/api/fiscal-years/2026/close');
    assert.deepEqual((await read(year(2026))).summary, before.summary);
    const { summary } = await read('from=2025-06-01&to=2026-03-31');
    assert.deepEqual([summary.opening_cash, summary.net_change, summary.closing_cash], [1000, -100, 900]);
  });

  it('shows apart what opening entries bring within the period', async () => {
    const { sections } = await read('from=2024-12-01&to=2025-12-31');
    assert.deepEqual(sectionAmounts(sections as never), { A: 300, '1': 300, E: 300, G: 1000, H: 1300 });
  });

  it('has payments for investments once they are paid, with their tax', async () => {
    const machine = { itemId: undefined, description: 'Lathe', accountId: books.account('213'), vatUse: 'investment' };
    const { id } = await books.invoice('purchases', '2027-01-10', 5000, { supplierReference: 'L-1' }, machine);
    const flows = async () => {
      const { operating, investing, net_change } = (await read('from=2027-01-01&to=2027-02-10')).summary;
      return [operating, investing, net_change];
    };
    assert.deepEqual(await flows(), [0, 0, 0]);
    await books.make('/api/payments/out', {
      ...{ partner_id: books.supplierId, amount: 6050, payment_date: '2027-02-01', payment_method: 'transfer' },
      linked_documents: [{ document_type: 'purchase_invoice', document_id: id }],
    });
    assert.deepEqual(await flows(), [0, -6050, -6050]);
  });

  it('comes as a file', async () => {
    const rows = await readCsv(await download(app, `/api/reports/cash-flow-statement?${year(2026)}&format=csv`), ';');
    assert.deepEqual(Object.values(rows.at(-1) as object).slice(-2), ['1093', '1300']);
  });
});

describe('the cash flow statement of a chart that has none', () => {
  const app = useApp();

  it('is refused with the reason', async () => {
    const company = { name: 'Elsewhere', taxId: '98-7654321', country: 'US', chart: 'neutral' };
    const { id } = (await app.client.post('/api/tenants', company)).body.data;
    const { status, body } = await app.as(app.token, id).get('/api/reports/cash-flow-statement');
    assert.deepEqual([status, body.code], [409, 'invalid_transition']);
  });
});
