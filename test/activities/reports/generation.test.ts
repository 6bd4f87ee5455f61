import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import ExcelJS from 'exceljs';
import { createReportActivities } from '../../../activities/reports/generation.ts';
import { readTaskFile } from '../../../services/platform/files/task-files.ts';
import { startGeneration } from '../../../services/reports/generation/generate.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../helpers/hooks.ts';
import { ENCRYPTION_KEY } from '../../helpers/worker.ts';

describe('files of reports where no browser draws', () => {
  const company = useCompany();
  let drawn = 0;
  const broken = async (): Promise<never> => {
    drawn += 1;
    throw new Error('there is no Chromium');
  };
  const browser = { print: broken, draw: broken };
  beforeEach(() => {
    drawn = 0;
  });
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

  it('are workbooks that fail twice, and then come with their figures alone', async () => {
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
  it('fail for good after three attempts if a request waits for them, and are tried again if none does', async () => {
    const input = { report: 'aging', params: {}, format: 'pdf', names: false, notify: false };
    const begun = (awaited: boolean) => company.run((trx) => startGeneration(trx, company.ctx, input, awaited));
    const [awaited, queued] = [await begun(true), await begun(false)];
    for (const [{ id }, attempt] of [
      [awaited, 2],
      [queued, 3],
    ] as const) {
      const tried = make(id, attempt);
      await assert.rejects(tried, (error: Error) => !(error instanceof ApplicationFailure));
    }
    await assert.rejects(make(awaited.id, 3), (error: ApplicationFailure) => {
      assert.deepEqual(
        [error.nonRetryable, error.message],
        [true, 'The file could not be made; try again in a moment'],
      );
      return true;
    });
    assert.equal(drawn, 3);
  });
});
