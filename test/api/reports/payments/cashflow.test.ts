import assert from 'node:assert/strict';
import { daysFromToday, YEAR } from '../../../helpers/clock.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { link, openTill } from '../../trade/payments/till.ts';

const PATH = '/api/reports/cashflow';

interface Row {
  readonly week_start: string;
  readonly inflow: number;
  readonly outflow: number;
  readonly balance: number;
  readonly guessed: number;
  readonly items: readonly { date: string; source: string; amount: number; partner_name: string; drilldown: string }[];
}

describe('the cash-flow forecast', () => {
  const app = useApp({}, { each: true });
  const till = use(() => openTill(app), { each: true });
  const books = use(() => openBooks(app), { each: true });
  const forecast = async (query = '') => {
    const { status, body } = await app.client.get(`${PATH}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const rows = (body.data.rows as Row[]).filter(({ inflow, outflow, guessed }) => inflow || outflow || guessed);
    const weeks = rows.map((row) => [row.week_start, row.inflow, row.outflow, row.balance]);
    const { data, summary, from, to } = body;
    return { data, summary, from, to, rows, weeks };
  };

  it('begins with the money at hand, and adds what is owed by the day on which it is due', async () => {
    // Today is Monday, 15 June: 300 came on 10 June, 50 of them are credit.
    const paid = await till.invoice('sales', 250, { date: `${YEAR}-06-01` });
    await till.paid(300, [link(paid.id, 250)], { payment_date: `${YEAR}-06-10` });
    const { id } = await till.invoice('sales', 100, { dueDate: `${YEAR}-07-01` });
    await till.invoice('purchases', 70, { dueDate: `${YEAR}-06-20` });
    const { data, weeks, rows, summary, from, to } = await forecast();
    assert.deepEqual([from, to], [daysFromToday(0), daysFromToday(90)]);
    assert.equal(data.opening_balance, 300);
    assert.deepEqual(weeks, [
      [`${YEAR}-06-15`, 0, 70, 230],
      [`${YEAR}-06-29`, 100, 50, 280],
    ]);
    assert.deepEqual(
      rows[1]?.items.map(({ source, amount }) => [source, amount]),
      [
        ['invoice', 100],
        ['credit', -50],
      ],
    );
    assert.equal(rows[1]?.items[0]?.drilldown, `/api/sales/invoices/${id}`);
    for (const { drilldown } of rows.flatMap(({ items }) => items)) {
      assert.equal((await app.client.get(drilldown)).status, 200, drilldown);
    }
    assert.deepEqual(summary, { inflow: 100, outflow: 120, balance: 280, guessed: 0, lowest_balance: 230 });
  });

  it('of one partner has what they pay and are paid, and nothing else', async () => {
    const paid = await till.invoice('sales', 250, { date: `${YEAR}-06-01` });
    await till.paid(250, [link(paid.id, 250)], { payment_date: `${YEAR}-06-10` });
    await till.invoice('sales', 100, { dueDate: `${YEAR}-07-01` });
    await till.invoice('purchases', 70, { dueDate: `${YEAR}-06-20` });
    const of = async (partner: string) => {
      const { data, weeks } = await forecast(`from=${YEAR}-06-08&partner_id=${partner}`);
      return [data.opening_balance, weeks];
    };
    assert.deepEqual(await of(till.customerId), [
      0,
      [
        [`${YEAR}-06-08`, 250, 0, 250],
        [`${YEAR}-06-29`, 100, 0, 350],
      ],
    ]);
    assert.deepEqual(await of(till.supplierId), [0, [[`${YEAR}-06-15`, 0, 70, -70]]]);
  });

  it('knows who pays late', async () => {
    for (const month of ['02', '03', '04']) {
      const { id } = await till.invoice('sales', 10, { date: `${YEAR}-${month}-01`, dueDate: `${YEAR}-${month}-05` });
      await till.paid(10, [link(id)], { payment_date: `${YEAR}-${month}-19` });
    }
    await till.invoice('sales', 100, { dueDate: `${YEAR}-07-01` });
    // Each was paid 14 days after it was due.
    const { rows } = await forecast();
    assert.deepEqual(
      rows[0]?.items.map(({ date, amount }) => [date, amount]),
      [[`${YEAR}-07-15`, 100]],
    );
  });

  it('keeps to what happened until today, and says what a later one begins with', async () => {
    const { id } = await till.invoice('sales', 100, { date: `${YEAR}-05-01` });
    await till.paid(100, [link(id)], { payment_date: `${YEAR}-05-20` });
    await till.invoice('sales', 40, { dueDate: `${YEAR}-07-01` });
    const past = await forecast(`from=${YEAR}-05-18&to=${YEAR}-05-24`);
    assert.deepEqual([past.data.opening_balance, past.weeks], [0, [[`${YEAR}-05-18`, 100, 0, 100]]]);
    const later = await forecast(`from=${YEAR}-07-06&to=${YEAR}-07-12`);
    assert.deepEqual([later.data.opening_balance, later.weeks], [140, []]);
  });

  it('guesses what comes back each month and the VAT, apart from what is owed', async () => {
    const [bank, rent] = [books.account('572'), books.account('621')];
    for (const month of ['03', '04', '05']) {
      const lines = [
        { accountId: rent, debit: 900 },
        { accountId: bank, credit: 900 },
      ];
      const { id } = await books.make('/api/journal-entries', { date: `${YEAR}-${month}-03`, lines });
      await books.make(`/api/journal-entries/${id}/post`);
    }
    await till.invoice('sales', 1000, { taxGroupId: till.taxGroupId, dueDate: `${YEAR}-12-31` });
    const { data, rows, summary } = await forecast(`to=${YEAR}-07-31`);
    assert.equal(data.opening_balance, -2700);
    // June's rent has not come yet: it is expected today. 21 % of 1000 are due on 20 July.
    assert.deepEqual(
      rows.flatMap(({ items }) => items.map(({ date, source, amount }) => [date, source, amount])),
      [
        [daysFromToday(0), 'recurring', -900],
        [`${YEAR}-07-03`, 'recurring', -900],
        [`${YEAR}-07-20`, 'vat', -210],
      ],
    );
    assert.deepEqual([summary.outflow, summary.guessed, summary.balance], [0, -2010, -2700]);
  });

  it('comes as CSV by the week, and refuses more than two years, also ahead', async () => {
    const rows = await readCsv(await download(app, `${PATH}?format=csv&header=names`), ';');
    assert.deepEqual([rows.length, rows[0]?.week_start], [13, `15/06/${YEAR}`]);
    const far = [`from=${YEAR}-01-01&to=${YEAR + 3}-01-01`, `from=${YEAR + 50}-01-01`, 'from=9997-12-29&to=9999-12-31'];
    for (const range of far) assertProblem(await app.client.get(`${PATH}?${range}`), 400, 'invalid_parameter');
  });
});
