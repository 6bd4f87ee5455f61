/** Open invoices, deferrals and fixed assets of one cost center or project (decision 0374). The clock shows 15 June 2026. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { openRegister } from '../../../helpers/assets.ts';
import { download } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openReports } from '../golden-quarter.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

describe('reports of records that name a cost center or project', () => {
  const app = useApp();
  const books = use(() => openReports(app));
  const register = use(() => openRegister(app, 2026));
  let project: string;
  let center: string;
  const read = async (path: string): Promise<Data> => {
    const { status, body } = await app.client.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const report = (name: string, query: string) => read(`/api/reports/${name}?${query}`);

  before(async () => {
    project = (await books.make('/api/projects', { code: 'P1', name: 'Website' })).id;
    center = (await books.make('/api/cost-centers', { code: 'C1', name: 'Studio' })).id;
    await books.invoice('sales', '2026-05-01', 100, { projectId: project });
    await books.invoice('sales', '2026-05-02', 10, { projectId: project, costCenterId: center });
    await books.invoice('sales', '2026-05-03', 1);
    await books.invoice('purchases', '2026-05-04', 70, { costCenterId: center });
    const payment = { partner_id: books.customerId, amount: 5, payment_date: '2026-05-05', payment_method: 'transfer' };
    await books.make('/api/payments/in', payment);
  });

  it('have the invoices that name both, and lead to them', async () => {
    const owed = async (query: string) => {
      const { summary, customers } = await report('aging', query);
      const lines = await Promise.all(customers.map(({ drilldown }: Data) => read(drilldown)));
      const debts = lines.map(({ summary: { total_debt: debt, credit } }: Data) => [debt, credit]);
      assert.deepEqual(debts, summary.total_debt === 0 ? [] : [[summary.total_debt, summary.credit]], query);
      return [summary.total_debt, summary.credit];
    };
    const [all, credit] = (await owed('')) as [number, number];
    assert.equal(credit, 5);
    const taxed = all / 111;
    const amounts = async (query: string) => {
      const [debt, unapplied] = (await owed(query)) as [number, number];
      return [Math.round((debt / taxed) * 100) / 100, unapplied];
    };
    assert.deepEqual(await amounts(`project_id=${project}`), [110, 0]);
    assert.deepEqual(await amounts(`cost_center_id=${center}`), [10, 0]);
    assert.deepEqual(await amounts(`project_id=${project}&cost_center_id=${center}`), [10, 0]);
    assert.deepEqual(await amounts(`side=suppliers&cost_center_id=${center}`), [70, 0]);
    assert.deepEqual(await amounts(`side=suppliers&project_id=${project}`), [0, 0]);
  });

  it('have what waits of their lines', async () => {
    const service = { serviceFrom: '2026-06-01', serviceTo: '2026-12-31', accountId: books.account('625') };
    await books.invoice('purchases', '2026-06-01', 210, {}, { ...service, projectId: project });
    await books.invoice('purchases', '2026-06-01', 420, {}, service);
    const waiting = async (query: string) => (await report('deferrals', query)).summary.prepaid_expenses;
    const [all, own] = [await waiting(''), await waiting(`project_id=${project}`)];
    assert.ok(own > 0);
    assert.equal(Math.round((all / own) * 100) / 100, 3);
    assert.equal(await waiting(`cost_center_id=${center}`), 0);
  });

  it('have their fixed assets, and the depreciation of these', async () => {
    await register.buy({ name: 'Lathe' });
    const { id } = await register.buy({ name: 'Press', projectId: project, costCenterId: center });
    await register.run({ to: '2026-05-31', catchUp: true });
    const bought = async (query: string) =>
      (await report('assets', query)).data.rows.map(({ asset_id: asset }: Data) => asset);
    assert.equal((await bought('')).length, 2);
    const planned = async (query: string) => (await report('depreciation-schedule', query)).summary;
    const [all, own] = [await planned(''), await planned(`project_id=${project}`)];
    assert.deepEqual([all.total, own.total], [2400, 1200]);
    assert.ok(own.entered > 0 && own.planned > 0, JSON.stringify(own));
    for (const query of [`project_id=${project}`, `cost_center_id=${center}`])
      assert.deepEqual([await bought(query), await planned(query)], [[id], own], query);
    for (const [by, first, none] of [
      ['project', 'P1 Website', 'Sin proyecto'],
      ['cost_center', 'C1 Studio', 'Sin centro de coste'],
    ]) {
      const divided = async (name: string): Promise<Data> => {
        const { data, summary } = await report(name, `by=${by}`);
        assert.deepEqual(summary, (await report(name, '')).summary);
        return data.rows;
      };
      const assets = (await divided('assets')).map((row: Data) => [row[`${by}_name`], row.name]);
      assert.deepEqual(assets, [
        [first, 'Press'],
        [none, 'Lathe'],
      ]);
      const rows = await divided('depreciation-schedule');
      assert.deepEqual([...new Set(rows.map((row: Data) => row[`${by}_name`]))], [first, none]);
      const entered = rows.filter((row: Data) => row[`${by}_name`] === first).map((row: Data) => row.entered);
      assert.equal(
        entered.reduce((all: number, one: number) => all + one, 0),
        own.entered,
      );
    }
    const csv = await (await download(app, '/api/reports/assets?by=project&format=csv')).text();
    assert.ok(csv.includes('P1 Website') && !csv.includes('Centro de coste'), csv);
  });

  it('have a row of deferrals for each, and one for what names none', async () => {
    const service = { serviceFrom: '2026-06-01', serviceTo: '2026-12-31', accountId: books.account('625') };
    await books.invoice('purchases', '2026-06-02', 70, {}, { ...service, projectId: project, costCenterId: center });
    const { summary } = await report('deferrals', '');
    const divided = async (by: string): Promise<[string, number][]> => {
      const { data, summary: same } = await report('deferrals', `by=${by}`);
      assert.deepEqual(same, summary);
      const names: string[] = [...new Set<string>(data.rows.map((row: Data) => row[`${by}_name`]))];
      const sumFor = (name: string) => {
        const own = data.rows.filter((row: Data) => row[`${by}_name`] === name);
        return Math.round(own.reduce((all: number, row: Data) => all + row.amount, 0) * 100) / 100;
      };
      return names.map((name) => [name, sumFor(name)]);
    };
    const rest = (part: number) => Math.round((summary.prepaid_expenses - part) * 100) / 100;
    const [[first, own], [none, others]] = (await divided('project')) as [[string, number], [string, number]];
    assert.deepEqual([first, none, others], ['P1 Website', 'Sin proyecto', rest(own)]);
    const [[center1, its], [without]] = (await divided('cost_center')) as [[string, number], [string, number]];
    assert.deepEqual([center1, without, its < own], ['C1 Studio', 'Sin centro de coste', true]);
    const csv = await (await download(app, '/api/reports/deferrals?by=project&format=csv')).text();
    assert.ok(csv.includes('Proyecto') && csv.includes('P1 Website') && !csv.includes('Centro de coste'), csv);
  });

  it('are not found for what does not exist', async () => {
    for (const name of ['aging', 'aging-lines', 'deferrals', 'assets', 'depreciation-schedule', 'labor-cost']) {
      for (const member of ['project_id', 'cost_center_id'])
        assertProblem(await app.client.get(`/api/reports/${name}?${member}=${newId()}`), 404, 'not_found');
    }
  });
});
