import assert from 'node:assert/strict';
import pg from 'pg';
import { removeTask } from '../../../../services/platform/tasks/tasks.ts';
import { startGeneration } from '../../../../services/reports/generation/generate.ts';
import { taskWorkflowId } from '../../../../workflows/platform/tasks/contract.ts';
import { REPORTS_QUEUE } from '../../../../workflows/reports/generation/contract.ts';
import { use, useCompany, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { OWNER } from '../../../helpers/viewer.ts';
import { eventually, killed, startWorker, testConfig, workerProcess } from '../../../helpers/worker.ts';

describe('files of reports in the background', function () {
  this.timeout(120_000);
  const company = useCompany();
  const temporal = useTemporal();
  const servers = () => ({ url: company.url, ...temporal });
  // The relay, which starts the workflows.
  useWorker(() => testConfig(servers()), { queues: ['documents'] });

  const start = async (report: string, format: string) => {
    const input = { report, params: {}, format, names: false, notify: true };
    return (await company.run((trx) => startGeneration(trx, company.ctx, input, false))).id;
  };
  const task = async (id: string) =>
    (await company.rows('select status, progress, message, error, result_url from tasks where id = ?', [id]))[0];
  const files = async (id: string) => (await company.rows('select id from files where entity_id = ?', [id])).length;
  const ended = (id: string) =>
    eventually(async () => {
      const found = await task(id);
      assert.notEqual(found?.status, 'running');
      return found;
    }, 90_000);

  const admin = use(
    async () => {
      const client = new pg.Client({ connectionString: company.url });
      await client.connect();
      return client;
    },
    { close: (client) => client.end() },
  );
  /** A report, its format and a table that it reads. */
  const AGING = ['aging', 'csv', 'payment_applications'] as const;
  const BOOKS = ['legal-books', 'zip', 'journal_lines'] as const;
  /** Starts a task, and works while its worker waits for what the report reads. @returns the task */
  const whileReading = async (
    [report, format, table]: typeof AGING | typeof BOOKS,
    work: (id: string) => Promise<void>,
  ): Promise<string> => {
    await admin.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      const id = await start(report, format);
      await eventually(async () => {
        const waiting = await admin.query(
          `select 1 from pg_locks where not granted and relation = '${table}'::regclass`,
        );
        assert.equal(waiting.rowCount, 1, 'no worker reads');
      }, 60_000);
      await work(id);
      return id;
    } finally {
      await admin.query('rollback');
    }
  };

  for (const order of [AGING, BOOKS]) {
    it(`survive a worker that is killed while it makes one (${order[0]}): the next makes one file`, async () => {
      const child = await workerProcess(servers(), REPORTS_QUEUE);
      const id = await whileReading(order, () => killed(child));
      assert.equal((await task(id))?.status, 'running');
      assert.equal(await files(id), 0);
      const worker = startWorker(testConfig(servers()), { queues: [REPORTS_QUEUE], relay: false });
      const done = await ended(id);
      await worker.stop();
      assert.deepEqual([done?.status, done?.error], ['completed', null]);
      assert.equal(await files(id), 1);
    });
  }

  it('stop when their task is deleted', async () => {
    const worker = startWorker(testConfig(servers()), { queues: [REPORTS_QUEUE], relay: false });
    const { tenantId } = company.ctx;
    const id = await whileReading(AGING, async (taskId) => {
      const handle = temporal.client.workflow.getHandle(taskWorkflowId({ tenantId, taskId }));
      const owner = OWNER;
      await company.database.withTenant(company.ctx, (trx) => removeTask(trx, company.ctx, owner, taskId, null));
      await eventually(async () => {
        const { status } = await handle.describe();
        assert.equal(status.name, 'CANCELLED');
      }, 60_000);
    });
    await worker.stop();
    assert.equal(await files(id), 0);
  });
});
