import assert from 'node:assert/strict';
import { INVARIANTS } from '../../../../db/invariants.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openTill } from '../../trade/payments/till.ts';
import { openBooks } from '../accounting/books.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

/** Income and expense that wait for the months of their service (decision 0336). The clock shows 15 June 2026. */
describe('deferrals', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const RUNS = '/api/deferral-runs';
  const of = (month: string) => ({ year: Number(month.slice(0, 4)), month: Number(month.slice(5)) });
  const YEAR = { serviceFrom: '2026-01-01', serviceTo: '2026-12-31' };
  const balances = async (to: string, ...codes: string[]): Promise<number[]> => {
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, async (db) =>
      db.raw(
        `select coalesce((select sum(l.debit - l.credit) from journal_lines l join accounts a on a.id = l.account_id
           where a.code = c.code and l.date <= ?), 0)::float8 as balance from unnest(?::text[]) with ordinality c(code, nth) order by nth`,
        [to, codes],
      ),
    );
    return rows.map(({ balance }: Data) => balance);
  };
  const deferred = async (to: string, more = ''): Promise<Data> =>
    (await app.client.get(`/api/reports/deferrals?to=${to}${more}`)).body.data.rows;
  const invoice = async (side: 'sales' | 'purchases', price: number, date: string, line: object): Promise<string> => {
    const lines = [{ description: 'Servicio', quantity: 1, price, ...line }];
    const draft = await till.document(`/api/${side}/invoices`, lines, { date });
    await books.make(`/api/${side}/invoices/${draft.id}/post`);
    return String(draft.id);
  };
  const accounts = (code: string) => ({ accountId: books.account(code) });
  const run = async (month: string, more: object = {}): Promise<Data> => books.make(RUNS, { ...of(month), ...more });
  const verified = async () => {
    const { sql } = INVARIANTS.find(({ name }) => name === 'deferrals') as { sql: string };
    const { rows } = await app.database.readTenant({ tenantId: app.tenantId }, (db) => db.raw(sql));
    assert.ok(rows.length > 0 && rows.every(({ ok }: Data) => ok));
  };

  it('spread an expense by days: VAT at once, the month of the invoice too, the others when they are over', async () => {
    const id = await invoice('purchases', 1200, '2026-01-20', { ...YEAR, ...accounts('625') });
    assert.deepEqual(await balances('2026-01-20', '625', '480'), [101.92, 1098.08]);
    assert.deepEqual((await books.enteredFor(id)).slice(-2), ['H 625 1098.08', 'D 480 1098.08']);
    const rows = await deferred('2026-01-31');
    assert.deepEqual([rows.length, rows[0].month_end, rows[0].amount], [11, '2026-02-28', 92.05]);
    const preview = await app.client.post(`${RUNS}?preview=true`, of('2026-03'));
    assert.equal(preview.body.data.entries.length, 2);
    assert.deepEqual(
      (await run('2026-03')).entries.map(({ date }: Data) => date),
      ['2026-02-28', '2026-03-31'],
    );
    assert.deepEqual((await run('2026-03')).entries, []);
    assert.deepEqual(await balances('2026-03-31', '625', '480'), [295.89, 904.11]);
    assert.equal((await deferred('2026-02-28')).length, 10);
    const { body } = await app.client.get('/api/reports/deferrals?to=2026-03-31');
    assert.deepEqual(body.summary, { prepaid_expenses: 904.11, deferred_income: 0 });
    await verified();
    await books.make(`/api/purchases/invoices/${id}/cancel`, { date: '2026-04-01' });
    assert.deepEqual(await balances('2026-12-31', '625', '480'), [0, 0]);
    assert.deepEqual(await deferred('2026-04-01'), []);
    await verified();
  });

  it('wait on 485 for income, and what was served before the invoice is income of its month', async () => {
    const id = await invoice('sales', 300, '2026-02-10', {
      serviceFrom: '2026-01-01',
      serviceTo: '2026-03-31',
      ...accounts('752'),
    });
    assert.deepEqual(await balances('2026-02-28', '752', '485'), [-196.66, -103.34]);
    await run('2026-03');
    assert.deepEqual(await balances('2026-03-31', '752', '485'), [-300, 0]);
    const credit = await books.make(`/api/sales/invoices/${id}/rectify`, { reason: 'error', date: '2026-03-31' });
    await books.make(`/api/sales/invoices/${credit.id}/post`);
    assert.deepEqual(await balances('2026-12-31', '752', '485'), [0, 0]);
    await verified();
  });

  it('are taken back by a credit: what is left and what was recognised', async () => {
    const id = await invoice('purchases', 1200, '2026-01-20', { ...YEAR, ...accounts('621') });
    await run('2026-02');
    const { body } = await app.client.get(`/api/purchases/invoices/${id}`);
    const half = [{ quantity: 0.5, baseLineId: body.data.lines[0].id }];
    const sent = { reason: 'error', date: '2026-04-10', lines: half, supplierReference: 'A1' };
    const credit = await books.make(`/api/purchases/invoices/${id}/rectify`, sent);
    await books.make(`/api/purchases/invoices/${credit.id}/post`);
    const [left] = await balances('2026-04-10', '480');
    assert.equal(left, 502.99);
    const rest = await books.make(`/api/purchases/invoices/${id}/rectify`, { ...sent, supplierReference: 'A2' });
    await books.make(`/api/purchases/invoices/${rest.id}/post`);
    assert.deepEqual(await balances('2026-04-10', '621'), [0]);
    assert.deepEqual(await balances('2026-04-10', '480'), [0]);
    assert.deepEqual(await deferred('2026-04-10'), []);
    await verified();
    const cancelled = await app.client.post(`/api/purchases/invoices/${rest.id}/cancel`, { date: '2026-04-11' });
    assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
    assert.deepEqual(await balances('2026-04-11', '480'), [502.99]);
    await run('2026-06');
    await verified();
  });

  it('are taken back month by month by a credit that is dated before months already entered', async () => {
    await run('2026-05');
    const [others] = (await balances('2026-12-31', '480')) as [number];
    const id = await invoice('purchases', 1200, '2026-01-20', { ...YEAR, ...accounts('627') });
    await run('2026-05');
    const held = async () => Math.round(((await balances('2026-12-31', '480'))[0] as number) * 100 - others * 100);
    assert.equal(await held(), 70_356);
    const { body } = await app.client.get(`/api/purchases/invoices/${id}`);
    const lines = [{ quantity: 0.5, baseLineId: body.data.lines[0].id }];
    const sent = { reason: 'error', date: '2026-02-10', lines, supplierReference: 'B1' };
    const credit = await books.make(`/api/purchases/invoices/${id}/rectify`, sent);
    await books.make(`/api/purchases/invoices/${credit.id}/post`);
    await run('2026-05');
    assert.equal(await held(), 35_176);
    // Half of the days from March to May, and what was entered of January and February taken back in February.
    const spent = await Promise.all(
      ['02-28', '03-31', '05-31'].map(async (day) => (await balances(`2026-${day}`, '627'))[0]),
    );
    assert.deepEqual(spent, [97.01, 147.97, 248.24]);
    await verified();
  });

  it('wait in a closed month until it is opened or another day is named', async () => {
    const id = await invoice('purchases', 310, '2026-04-01', {
      serviceFrom: '2026-04-01',
      serviceTo: '2026-05-31',
      ...accounts('628'),
    });
    const { body } = await app.client.get('/api/periods?from=2026-05-01');
    const period = body.data[0];
    await app.client.patch(`/api/periods/${period.id}`, { status: 'C' });
    const ofIt = ({ entries }: Data) => entries.filter(({ sourceId }: Data) => sourceId === id);
    const stuck = await run('2026-05');
    assert.deepEqual([ofIt(stuck), stuck.blocked], [[], [{ date: '2026-05-31', period: period.code }]]);
    const early = await app.client.post(RUNS, { ...of('2026-05'), date: '2026-05-30' });
    assertRefused(early, '/date');
    const done = await run('2026-05', { date: '2026-06-01' });
    assert.deepEqual([ofIt(done).map(({ date }: Data) => date), done.blocked], [['2026-06-01'], []]);
    assert.deepEqual(await balances('2026-06-01', '628'), [310]);
    await app.client.patch(`/api/periods/${period.id}`, { status: 'O' });
    assertRefused(await app.client.post(RUNS, of('2026-07')), '/month');
  });

  it('of manual entries follow their lines, drafts included, and end with their reversal', async () => {
    const service = { serviceFrom: '2026-06-01', serviceTo: '2026-07-31' };
    const lines = [
      { ...accounts('626'), debit: 61, ...service },
      { ...accounts('572'), credit: 61 },
    ];
    const draft = await books.make<Data>('/api/journal-entries', { date: '2026-06-01', description: 'Renting', lines });
    assert.equal(draft.lines[0].serviceTo, '2026-07-31');
    assert.deepEqual(await balances('2026-06-01', '626'), [0]);
    const posted = await books.make<Data>(`/api/journal-entries/${draft.id}/post`);
    assert.deepEqual([posted.lines[0].serviceFrom, posted.lines[1].serviceFrom], ['2026-06-01', null]);
    assert.deepEqual(await balances('2026-06-01', '626'), [30]);
    assert.equal(
      (await deferred('2026-06-02', '&kind=expense')).find((row: Data) => row.entry_id === draft.id)?.amount,
      31,
    );
    await verified();
    await books.make(`/api/journal-entries/${draft.id}/reverse`, { date: '2026-06-02' });
    assert.deepEqual(await balances('2026-12-31', '626'), [0]);
    await verified();
    const onBank = [
      { ...accounts('626'), debit: 5 },
      { ...accounts('572'), credit: 5, ...service },
    ];
    const refused = await app.client.post('/api/journal-entries', { date: '2026-06-01', lines: onBank });
    assertRefused(refused, '/lines/1/serviceFrom');
  });

  it('are spread in the currency of the company at the rate of the invoice', async () => {
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-01-01', rate: 1.25 });
    const months = { serviceFrom: '2026-01-01', serviceTo: '2026-05-31' };
    const lines = [{ description: 'Licence', quantity: 1, price: 100, ...months, ...accounts('629') }];
    const draft = await till.document('/api/purchases/invoices', lines, { date: '2026-01-20', currency: 'USD' });
    const [before = 0] = await balances('2026-12-31', '480');
    await books.make(`/api/purchases/invoices/${draft.id}/post`);
    assert.deepEqual(await balances('2026-01-31', '629'), [16.42]);
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-02-01', rate: 1 });
    await run('2026-05');
    assert.deepEqual(await balances('2026-12-31', '629', '480'), [80, before]);
    await verified();
  });

  it('are refused for goods in stock, half a period, orders, and accounts of neither income nor expense', async () => {
    const send = (path: string, line: object) =>
      app.client.post(path, {
        partnerId: path.includes('sales') ? till.customerId : till.supplierId,
        lines: [{ quantity: 1, price: 10, description: 'Servicio', ...line }],
      });
    const SALES = '/api/sales/invoices';
    assertRefused(await send(SALES, { serviceFrom: '2026-01-01' }), '/lines/0/serviceTo');
    const upside = { serviceFrom: '2026-02-01', serviceTo: '2026-01-01' };
    assertRefused(await send(SALES, upside), '/lines/0/serviceTo');
    assertProblem(await send('/api/sales/orders', YEAR), 422, 'validation_failed');
    assertRefused(await send(SALES, { ...YEAR, itemId: till.itemId }), '/lines/0/serviceFrom');
    const draft = await send('/api/purchases/invoices', { ...YEAR, ...accounts('216') });
    const posted = await app.client.post(`/api/purchases/invoices/${draft.body.data.id}/post`);
    assertRefused(posted, '/lines/0/serviceFrom');
    assertProblem(await app.client.post(RUNS, of('2026-13')), 422, 'validation_failed');
  });
});
