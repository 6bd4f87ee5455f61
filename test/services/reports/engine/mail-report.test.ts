import assert from 'node:assert/strict';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createReportActivities } from '../../../../activities/reports/generation.ts';
import { MAX_RECIPIENTS } from '../../../../domain/messages/mail/addresses.ts';
import { startGeneration } from '../../../../services/reports/generation/generate.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { deliverMails } from '../../../helpers/mails.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

describe('mails of scheduled reports', () => {
  const app = useApp();
  const newContext = () => ({
    tenantId: app.tenantId,
    userId: null,
    actor: 'test',
    requestId: 'test',
    now: app.clock.now,
  });
  const unused = () => assert.fail('not needed for CSV');

  /** One run of a schedule, whose activity is repeated as if its answer had been lost. */
  async function run(recipients: readonly string[], recipientsPerHour = 0): Promise<void> {
    const schedule = { address: '/api/report-schedules/1', name: 'Journal of\nthe month' };
    const input = { report: 'journal', params: {}, format: 'csv', names: false, notify: true, schedule, recipients };
    const { id: taskId } = await app.database.withTenant(app, (trx) =>
      startGeneration(trx, newContext(), input, false),
    );
    const { generateReport } = createReportActivities({
      database: app.database,
      now: () => app.clock.now,
      browser: { print: unused, draw: unused },
      logos: { load: unused, draw: unused } as never,
      links: { keys: [ENCRYPTION_KEY], keepDays: 7 },
      mail: { recipientsPerHour },
      appUrl: 'https://erp.example.test',
    });
    for (let repeat = 0; repeat < 2; repeat++) {
      await new MockActivityEnvironment().run(generateReport, { tenantId: app.tenantId, taskId });
    }
    const task = await app.database.withTenant(app, (trx) => trx('tasks').where({ id: taskId }).first('status'));
    assert.equal(task?.status, 'completed');
  }
  const mails = () => deliverMails({ database: app.database }, app.clock.now);

  it('carry the file, once for each run', async () => {
    await run(['ana@example.test', 'luis@example.test']);
    const [mail, ...others] = await mails();
    assert.deepEqual(others, []);
    assert.equal(mail?.to, 'ana@example.test, luis@example.test');
    assert.match(mail?.subject ?? '', /^Journal of the month – ./);
    assert.match(mail?.text ?? '', /^Le enviamos adjunto el informe \S+\.csv\./);
    assert.match(mail?.attachments[0]?.name ?? '', /\.csv$/);
    assert.ok((mail?.attachments[0]?.content.length ?? 0) > 0);
  });

  it('go to more people than one mail may have', async () => {
    const many = Array.from({ length: MAX_RECIPIENTS + 1 }, (_, nth) => `r${nth}@example.test`);
    await run(many);
    const sent = await mails();
    assert.deepEqual(sent.flatMap(({ to }) => to.split(', ')).sort(), [...many].sort());
    assert.equal(sent.length, 2);
  });

  it('go to nobody where there are no recipients', async () => {
    await run([]);
    assert.deepEqual(await mails(), []);
  });

  it("are left out beyond the company's limit, of which it is told", async () => {
    await run(['ana@example.test'], 1);
    assert.deepEqual(await mails(), []);
    const told = await app.database.withTenant(app, (trx) =>
      trx('notifications').where({ type: 'system_alert' }).pluck('title'),
    );
    assert.deepEqual([...new Set(told)], ['El informe Journal of\nthe month no se ha enviado a todos']);
  });
});
