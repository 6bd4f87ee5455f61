import assert from 'node:assert/strict';
import { YEAR } from '../../../helpers/clock.ts';
import { download, readCsv } from '../../../helpers/download.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from '../../trade/payments/till.ts';

const PATH = '/api/reports/executive';

describe('the executive summary', () => {
  const app = useApp();
  const till = use(() => openTill(app));
  before(async () => {
    const { id } = await till.invoice('sales', 1000, { date: `${YEAR}-05-10`, taxGroupId: till.taxGroupId });
    await till.paid(210, [link(id, 210)]);
    await till.invoice('sales', 500, { date: `${YEAR}-06-01` });
    await till.invoice('purchases', 300, { date: `${YEAR}-06-02` });
  });

  it('agrees with profit and loss, and has the course of the months', async () => {
    const { body } = await app.client.get(`${PATH}?from=${YEAR}-05-01&to=${YEAR}-06-30`);
    const pl = (await app.client.get(`/api/reports/pl?from=${YEAR}-05-01&to=${YEAR}-06-30`)).body;
    const value = (code: string) => body.data.kpis.find((kpi: { code: string }) => kpi.code === code).value;
    // 1000 + 500 − 300; of 1210 + 500 that customers owe, 210 came.
    assert.deepEqual([value('revenue'), value('result'), value('other_expense')], [1500, 1200, 300]);
    assert.deepEqual([value('cash'), value('receivables'), value('payables'), value('vat')], [210, 1500, 300, 210]);
    assert.equal(value('result'), pl.summary.result);
    const months = body.data.series.map((month: Record<string, unknown>) => Object.values(month));
    assert.deepEqual(months, [
      [`${YEAR}-05-01`, 1000, 0, 1000, 0],
      [`${YEAR}-06-01`, 500, 300, 200, 0],
    ]);
    assert.deepEqual(body.summary, { revenue: 1500, result: 1200, cash: 210 });
    for (const { drilldown } of body.data.kpis) assert.equal((await app.client.get(drilldown)).status, 200, drilldown);
  });

  it('compares with a year earlier', async () => {
    const { body } = await app.client.get(`${PATH}?from=${YEAR + 1}-05-01&to=${YEAR + 1}-06-30`);
    const [revenue] = body.data.kpis;
    assert.deepEqual([revenue.value, revenue.previous, revenue.change_percent], [0, 1500, -100]);
    assert.deepEqual(
      body.data.series.map((month: Record<string, unknown>) => month.previous_revenue),
      [1000, 500],
    );
  });

  it('comes as CSV, and refuses more than ten years', async () => {
    const [row] = await readCsv(await download(app, `${PATH}?format=csv&from=${YEAR}-05-01&to=${YEAR}-06-30`), ';');
    assert.deepEqual([row?.Indicador, row?.Valor, row?.['Un año antes']], ['Cifra de negocios', '1500', '0']);
    assertProblem(await app.client.get(`${PATH}?from=1999-01-01&to=2020-01-01`), 400, 'invalid_parameter');
  });
});
