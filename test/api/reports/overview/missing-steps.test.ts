/** Warnings of reports while a step is missing, and the gross margin, which needs none. */
import assert from 'node:assert/strict';
import { openReport } from '../../../../services/reports/engine/content.ts';
import { renderReport } from '../../../../services/reports/engine/paper.ts';
import { findReport } from '../../../../services/reports/generation/reports.ts';
import { YEAR } from '../../../helpers/clock.ts';
import { download, readWorkbook, rowCells } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTrade } from '../../trade/documents/trade.ts';

const RANGE = `from=${YEAR}-01-01&to=${YEAR}-03-31`;

describe('reports of a company that has not entered its stock', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const trade = use(() => openTrade(app, 0));
  const read = async (name: string) => {
    const { status, body } = await app.client.get(`/api/reports/${name}?${RANGE}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const codes = async (name: string) => (await read(name)).warnings.map(({ code }: { code: string }) => code);
  const kpi = async (code: string) =>
    (await read('executive')).data.kpis.find((each: { code: string }) => each.code === code).value;
  const invoice = async (side: 'sales' | 'purchases', month: string, quantity: number, price: number) => {
    const partnerId = side === 'sales' ? trade.customerId : trade.supplierId;
    const lines = [{ itemId: trade.itemId, quantity, price }];
    const reference = side === 'purchases' ? { supplierReference: `F-${month}` } : {};
    const { id } = await books.make(`/api/${side}/invoices`, {
      partnerId,
      date: `${YEAR}-${month}-10`,
      lines,
      ...reference,
    });
    await books.make(`/api/${side}/invoices/${id}/post`);
  };

  /** 100 bought at 6, 50 sold at 10. */
  before(async () => {
    await invoice('purchases', '01', 100, 6);
    await invoice('sales', '02', 50, 10);
  });

  const margin = async () => {
    const { summary } = await read('profit-customer');
    assert.deepEqual(
      [await kpi('gross_margin'), await kpi('gross_margin_percent')],
      [summary.margin, summary.margin_percent],
    );
    // 500 − 50 × 6.
    assert.deepEqual([summary.margin, summary.margin_percent], [200, 40]);
  };

  it('have the margin of the profit reports, which counts goods when they are sold', margin);

  it('say so in the answer, in workbooks and on paper', async () => {
    for (const name of ['executive', 'pl', 'balance-sheet'])
      assert.deepEqual(await codes(name), ['stock_not_entered'], name);
    const [{ message }] = (await read('pl')).warnings;
    // 50 × 6 are left.
    assert.match(message, / 300,00\s€/);
    const workbook = await readWorkbook(await download(app, `/api/reports/pl?${RANGE}&format=excel`));
    const sheet = workbook.getWorksheet('Notas');
    assert.deepEqual([rowCells(sheet, 1), rowCells(sheet, 2)], [['Notas'], [message]]);
    const html = await app.database.readTenant(app, async (db) => {
      const params = { from: `${YEAR}-01-01`, to: `${YEAR}-03-31` };
      const ctx = { tenantId: app.tenantId, userId: null, requestId: null, now: app.clock.now } as never;
      return (await renderReport(await openReport(db, { report: findReport('pl') as never, params, ctx }), null)).html;
    });
    assert.ok(html.includes('class="note"') && html.includes('Las existencias'), html.slice(0, 200));
  });

  it('say nothing once the stock is entered, and have the same margin', async () => {
    await books.make('/api/journal-entries/stock-variation', { date: `${YEAR}-03-31` });
    for (const name of ['executive', 'pl', 'balance-sheet']) assert.deepEqual(await codes(name), [], name);
    await margin();
    assert.equal(await kpi('result'), 200);
  });
});
