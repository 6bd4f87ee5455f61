/** In each chart: trade, payments, stock and the close of a year go to its accounts, and the annual accounts agree with them. */
import assert from 'node:assert/strict';
import type { AccountChart } from '../../../../domain/ledger/accounting/charts/chart.ts';
import { CHARTS } from '../../../../domain/ledger/accounting/charts/index.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { companyDay } from '../../../helpers/clock.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { generate, hire, listPayrolls } from '../../../helpers/payrolls.ts';
import { openTrade } from '../../trade/documents/trade.ts';
import { link } from '../../trade/payments/till.ts';

type Body = Record<string, unknown>;
interface Row {
  readonly code: string;
  readonly balance: number;
}

/** A tax id that each country accepts. */
const TAX_IDS: Readonly<Record<string, string>> = {
  ...{ ES: 'B64717838', FR: 'FR40303265045', PT: 'PT501964843', DE: 'DE136695976', US: '98-7654321' },
};

/** Ways to the data of answers that must succeed. */
function ways(client: TestClient) {
  const ok = ({ status, body }: { status: number; body: Body }, at: string) => {
    assert.ok(status < 300, `${at}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    make: async (path: string, body: Body = {}) =>
      ok(await client.post(path, body), path).data as Body & { id: string },
    read: async (path: string) => ok(await client.get(path), path) as Body & { data: Body; summary: Body },
  };
}

/** Buys, sells, takes back, pays, is paid, and counts. */
async function trade(client: TestClient, today: string): Promise<void> {
  const { make } = ways(client);
  const { customerId, supplierId, itemId } = await openTrade({ client }, 0);
  const goods = (quantity: number, price: number) => [{ itemId, quantity, price }];
  const services = [{ description: 'Service', quantity: 1, price: 40 }];
  const invoice = async (side: string, partnerId: string, lines: readonly Body[]) => {
    const draft = await make(`/api/${side}/invoices`, { partnerId, lines });
    return await make(`/api/${side}/invoices/${draft.id}/post`);
  };
  const bought = await invoice('purchases', supplierId, [...goods(100, 2), ...services]);
  const sold = await invoice('sales', customerId, [...goods(30, 5), ...services]);
  const back = await make(`/api/sales/invoices/${sold.id}/rectify`, { reason: 'error' });
  await make(`/api/sales/invoices/${back.id}/post`);
  const again = await invoice('sales', customerId, [...goods(30, 5), ...services]);
  const pay = async (way: 'in' | 'out', partner_id: string, { id, total }: Body & { id: string }, method: string) =>
    await make(`/api/payments/${way}`, {
      ...{ partner_id, amount: total, payment_date: today, payment_method: method },
      linked_documents: [link(id, undefined, way === 'in' ? 'sales_invoice' : 'purchase_invoice')],
    });
  await pay('in', customerId, again, 'cash');
  await pay('out', supplierId, bought, 'transfer');
  const [warehouse] = (await ways(client).read('/api/warehouses?isDefault=true')).data as unknown as { id: string }[];
  await make('/api/stock/adjustments', { warehouseId: warehouse?.id, lines: [{ itemId, countedQuantity: 60 }] });
}

const total = (rows: readonly Row[]) =>
  Math.round(rows.reduce((total, { balance }) => total + balance, 0) * 100) / 100 + 0;

describe('the chart of a company', function () {
  this.timeout(120_000);
  const app = useApp();
  const today = () => companyDay(app.clock.now);
  const year = `from=2026-01-01&to=2026-12-31`;

  async function found(chart: AccountChart) {
    const country = chart.country ?? 'US';
    const company = { name: `Company ${chart.code}`, taxId: TAX_IDS[country], country, chart: chart.code };
    const made = await ways(app.client).make('/api/tenants', company);
    return { ...app, client: app.as(app.token, made.id), tenantId: made.id };
  }

  /** Balances by account, after which the annual accounts must agree with them. */
  async function agreed(client: TestClient, chart: AccountChart): Promise<readonly Row[]> {
    const { read } = ways(client);
    const rows = (await read(`/api/reports/trial-balance?${year}`)).data.rows as Row[];
    assert.equal(total(rows), 0);
    const types = new Map(chart.accounts.map(({ code, type }) => [code, type]));
    const ofType = (...wanted: string[]) => rows.filter(({ code }) => wanted.includes(types.get(code) ?? ''));
    const result = 0 - total(ofType('income', 'expense'));
    const sheet = await read(`/api/reports/balance-sheet?${year}`);
    assert.equal(sheet.summary.assets, sheet.summary.equity_and_liabilities);
    assert.equal(sheet.summary.result, result);
    const profit = await read(`/api/reports/pl?${year}`);
    assert.deepEqual([profit.summary.result, profit.summary.income], [result, 0 - total(ofType('income'))]);
    const equity = await read('/api/reports/equity-changes?year=2026');
    assert.equal(equity.summary.result, result);
    const book = await read('/api/reports/inventories-and-accounts?year=2026');
    assert.deepEqual(book.summary, sheet.summary);
    const { totals } = book.data.inventory as { totals: Record<string, number> };
    assert.equal(totals.balance_debit, totals.balance_credit);
    assert.equal(book.data.cash_flow_statement === null, chart.country !== 'ES');
    const headings = JSON.stringify(sheet.data.sections);
    for (const { code, name } of equity.data.columns as { code: string; name: string }[])
      assert.ok(headings.includes(JSON.stringify({ code, name }).slice(1, -1)), code);
    const shown = JSON.stringify([sheet.data.sections, profit.data.sections]);
    for (const { code, balance } of rows) assert.ok(balance === 0 || shown.includes(`"code":"${code}"`), code);
    assert.ok(!shown.includes('"code":"0"'), 'each account has a heading');
    return rows;
  }

  for (const chart of CHARTS) {
    it(`${chart.code} takes entries of trade, payments and stock, and the close of the year`, async () => {
      const { client } = await found(chart);
      const { make, read } = ways(client);
      assert.equal(((await read('/api/config/accounting')) as Body).chart, chart.code);
      await trade(client, today());
      const rows = await agreed(client, chart);
      const balance = (...roles: (keyof AccountChart['roles'])[]) =>
        total(rows.filter(({ code }) => roles.some((role) => chart.roles[role] === code)));
      assert.equal(balance('salesServices', 'salesGoods', 'salesReturns'), -190);
      assert.ok(balance('bank') < 0 && balance('cash') > 0);
      assert.equal(balance('receivable', 'payable', 'payableServices'), 0);
      const kpis = (await read(`/api/reports/executive?${year}`)).data.kpis as { code: string; value: number }[];
      const kpi = (code: string) => kpis.find((one) => one.code === code)?.value;
      assert.deepEqual([kpi('revenue'), kpi('cash')], [190, balance('cash', 'bank')]);

      const closed = await make('/api/fiscal-years/2026/close');
      // 150 + 40 sold; 200 + 40 bought, of which 60 pieces of 2 are left.
      assert.equal(closed.result, 70);
      await agreed(client, chart);
      const next = (await read('/api/reports/trial-balance?from=2027-01-01&to=2027-01-31')).data.rows as Row[];
      const carried = next.find(({ code }) => code === chart.roles.yearResult);
      assert.equal(carried?.balance, -70);
      const sheet = await read('/api/reports/balance-sheet?from=2027-01-01&to=2027-01-31');
      assert.equal(sheet.summary.assets, sheet.summary.equity_and_liabilities);
    });
  }

  for (const chart of CHARTS) {
    it(`${chart.code} takes the entries of payrolls`, async () => {
      const company = await found(chart);
      const { id } = await hire(company);
      await generate(company, { year: 2026, month: 1 });
      const [draft] = await listPayrolls(company, `employeeId=${id}&month=1`);
      const { make, read } = ways(company.client);
      await make(`/api/payrolls/${draft?.id}/post`);
      const rows = (await read(`/api/reports/trial-balance?${year}`)).data.rows as Row[];
      const balance = (role: keyof AccountChart['roles']) =>
        rows.find(({ code }) => code === chart.roles[role])?.balance;
      assert.deepEqual(
        (['wages', 'employerContributions', 'socialSecurityPayable', 'withholdingMade', 'wagesPayable'] as const).map(
          balance,
        ),
        [1700, 637.64, -766.55, -204, -1367.09],
      );
    });
  }

  it('must be one of the known ones', async () => {
    const { status, body } = await app.client.post('/api/tenants', { name: 'X', taxId: 'B64717838', chart: 'xx' });
    assert.deepEqual([status, body.errors[0].pointer], [422, '/chart']);
    assert.match(body.errors[0].message, /es-pgc-pymes.*neutral/);
  });

  it('stays when the accounts of postings are replaced, and cannot change so', async () => {
    const { version: _, ...known } = (await app.client.get('/api/config/accounting')).body;
    assert.equal((await app.client.put('/api/config/accounting', known)).status, 200);
    const other = await app.client.put('/api/config/accounting', { ...known, chart: 'neutral' });
    assert.deepEqual([other.status, other.body.errors[0].pointer], [422, '/chart']);
    assert.equal((await app.client.put('/api/config/accounting', {})).body.chart, 'es-pgc-pymes');
  });
});
