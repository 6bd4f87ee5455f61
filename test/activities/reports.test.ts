import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import ExcelJS from 'exceljs';
import { createReportActivities } from '../../activities/reports.ts';
import { readTaskFile } from '../../services/files/task-files.ts';
import { startGeneration } from '../../services/reports/generate.ts';
import { createDocument } from '../../services/trade/create.ts';
import { postInvoice } from '../../services/trade/post.ts';
import { useCompany } from '../helpers/hooks.ts';
import { ENCRYPTION_KEY } from '../helpers/worker.ts';

describe('workbooks where no browser draws', () => {
  const company = useCompany();
  let drawn = 0;
  const browser = {
    print: async () => assert.fail('nothing is printed'),
    draw: async () => {
      drawn += 1;
      throw new Error('there is no Chromium');
    },
  };
  const make = (taskId: string, attempt: number) => {
    const { generateReport } = createReportActivities({
      database: company.database,
      now: () => company.ctx.now,
      browser,
      logos: { draw: async () => null, load: async () => null } as never,
      links: { keys: [ENCRYPTION_KEY], keepDays: 7 },
      mail: { recipientsPerHour: 0 },
      appUrl: 'https://erp.example.test',
    });
    const environment = new MockActivityEnvironment({ attempt });
    return environment.run(generateReport, { tenantId: company.ctx.tenantId, taskId });
  };

  it('fail twice, and then come with their figures alone', async () => {
    const lines = [{ description: 'Servicio', quantity: 1, price: 100 }];
    const sale = { partnerId: company.customerId, date: '2026-03-02', lines };
    const invoice = await company.run((trx) => createDocument(trx, company.ctx, 'SINV', sale));
    await company.run((trx) => postInvoice(trx, company.ctx, invoice.id, { ifMatch: null }));
    const input = { report: 'profit-customer', params: {}, format: 'excel', names: false, notify: false };
    const { id } = await company.run((trx) => startGeneration(trx, company.ctx, input, false));
    for (const attempt of [1, 2]) await assert.rejects(make(id, attempt), /no Chromium/);
    assert.equal(drawn, 2);
    await make(id, 3);
    assert.equal(drawn, 2);
    const { content } = await company.run((trx) => readTaskFile(trx, id, 'task_result'));
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(content as never);
    assert.deepEqual([workbook.worksheets.length, workbook.model.media.length], [1, 0]);
    // 100 without cost: revenue, cost, margin.
    const values = workbook.worksheets[0]?.getRow(2).values as unknown[];
    assert.deepEqual(values.slice(3, 6), [100, 0, 100]);
  });
});
