import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '../../../../db/sql.ts';
import { runDemo } from '../../../../demo/main.ts';
import { OWNER } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import type { Answered } from '../../trade/lines/line-lists.ts';

const DATA = new URL('../../../demo/fixtures/retail', import.meta.url).pathname;
const DECEMBER = 'from=2010-12-01&to=2010-12-31';

describe('reports of two small days of a wholesaler', function () {
  this.timeout(120_000);
  const app = useApp();
  const report = async (name: string, parameters = DECEMBER): Promise<Answered> => {
    const { status, body } = await app.client.get(`/api/reports/${name}?${parameters}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const added = (values: readonly number[]) => Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100;

  before(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
    const printed: string[] = [];
    const output = { terminal: false, write: (text: string) => void printed.push(text) };
    const account = { url: app.address, email: OWNER.email, password: OWNER.password };
    const code = await runDemo(
      { ...account, dataDir, temporalUi: 'http://127.0.0.1:8233', namespace: 'default', data: DATA },
      output,
    );
    assert.equal(code, 0, printed.join(''));
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('have the revenue of the days: what was sold less what was cancelled, as the ledger has it on 70x', async () => {
    // Sold 87.22 and 16.90, cancelled 41.35 and 22.83.
    const day = async (date: string) => (await report('profit-customer', `from=${date}&to=${date}`)).summary.revenue;
    assert.deepEqual([await day('2010-12-01'), await day('2010-12-02')], [45.87, -5.93]);
    const { summary } = await report('profit-customer');
    assert.equal(summary.revenue, 39.94);
    for (const by of ['item', 'project', 'cost-center']) {
      const { expenses = 0, ...same } = (await report(`profit-${by}`)).summary;
      assert.deepEqual([same, expenses], [summary, 0], by);
    }
    const [booked] = await app.database.readTenant(app, (db) =>
      query<{ sum: string }>(
        db,
        `select sum(l.credit - l.debit) as sum from journal_lines l join accounts a on a.id = l.account_id
         where a.code like '70%' and l.date between '2010-12-01' and '2010-12-31'`,
        {},
      ),
    );
    assert.equal(Number(booked?.sum), summary.revenue);
  });

  it('have the same in VAT, journal, profit and loss, and the tax models', async () => {
    const vat = await report('vat');
    // Exempt: 104.12 sold, 64.18 cancelled.
    const bases = vat.data.rows.map(({ regime, rectifying, base }: Answered) => [regime, rectifying, base]);
    assert.deepEqual(bases, [
      ['exempt', false, 104.12],
      ['exempt', true, -64.18],
    ]);
    assert.deepEqual([vat.summary.repercutido.base, vat.summary.balance], [39.94, 0]);
    assert.equal((await report('pl')).summary.income, 39.94);
    const booked = async (date: string) => (await report('vat', `from=${date}&to=${date}`)).summary.repercutido.base;
    assert.deepEqual([await booked('2010-12-01'), await booked('2010-12-02')], [45.87, -5.93]);
    // Exempt sales are in no box of 303, but in the volume of operations of the year.
    const { data, summary } = await report('tax/model303', 'year=2010&period=4T');
    assert.deepEqual([summary, data.unmapped], [{ output: 0, input: 0, result: 0 }, []]);
    const annual = await report('tax/model390', 'year=2010');
    assert.deepEqual([annual.data.boxes['105'], annual.data.boxes['108']], [39.94, 39.94]);
    const { debit, credit } = (await report('journal')).summary;
    const sums = await report('trial-balance');
    assert.deepEqual([debit, credit], [sums.summary.debit, sums.summary.credit]);
  });

  it('are the sums of the lines, and agree on what the goods cost', async () => {
    const { summary } = await report('profit-item');
    const { data } = (await app.client.get('/api/sales/lines?docType=SINV&status[in]=O,C&limit=500')).body;
    const of = (member: string) => added(data.map((line: Answered) => line[member]));
    assert.deepEqual([of('amount'), of('cost'), of('margin')], [summary.revenue, summary.cost, summary.margin]);
    assert.notEqual(summary.cost, 0);
    assert.equal((await report('stock-rotation')).summary.cost, summary.cost);
  });

  it('value what is left as its movements have left it', async () => {
    const valued = (await report('stock-valuation')).summary;
    assert.equal((await report('stock-movements')).summary.value, valued.value);
    const { rows } = (await report('stock-valuation')).data;
    for (const member of ['fifo_value', 'average_value', 'value'])
      assert.equal(added(rows.map((row: Answered) => row[member])), valued[member], member);
    const onHand = (await app.client.get('/api/stock?groupBy=item&limit=500')).body.data;
    for (const { itemId, onHand: quantity } of onHand) {
      const shown = rows.filter((row: Answered) => row.item_id === itemId).map((row: Answered) => row.quantity);
      assert.equal(added(shown), quantity, itemId);
    }
  });
});
