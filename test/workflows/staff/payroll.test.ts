import assert from 'node:assert/strict';
import { removeTask } from '../../../services/platform/tasks/tasks.ts';
import { startPayrolls } from '../../../services/staff/payroll/generate.ts';
import { taskWorkflowId } from '../../../workflows/platform/tasks/contract.ts';
import { useCompany, useTemporal } from '../../helpers/hooks.ts';
import { employ } from '../../helpers/payrolls.ts';
import { OWNER } from '../../helpers/viewer.ts';
import { eventually, killed, startWorker, testConfig, workerProcess } from '../../helpers/worker.ts';

/** Three parts of the work. */
const EMPLOYEES = 220;

describe('payroll generation', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  before(() => employ(company, EMPLOYEES));

  const start = async (month: number) =>
    (await company.run((trx) => startPayrolls(trx, company.ctx, { year: 2026, month, post: true }))).id;
  const task = async (id: string) =>
    (await company.rows(`select status, (position ->> 'rows')::integer as rows from tasks where id = ?`, [id]))[0];
  const count = async (month: number) =>
    (
      await company.rows(
        `select count(*)::int as payrolls, count(distinct p.employee_id)::int as people, count(e.id)::int as entries
         from payrolls p left join journal_entries e on e.source_id = p.id where p.year = 2026 and p.month = ?`,
        [month],
      )
    )[0];
  const whole = { payrolls: EMPLOYEES, people: EMPLOYEES, entries: EMPLOYEES };
  const config = () => testConfig({ url: company.url, ...temporal });

  /** Holds the last employee, so that the last part has to wait. */
  async function heldAtTheEnd(work: () => Promise<void>): Promise<void> {
    await company.run(async (trx) => {
      await trx.raw('select from employees where id = (select max(id::text)::uuid from employees) for update');
      await work();
    });
  }

  it('continues elsewhere when its worker is killed, and pays nobody twice', async () => {
    const id = await start(1);
    const victim = await workerProcess({ url: company.url, ...temporal }, 'tasks');
    await heldAtTheEnd(async () => {
      await eventually(async () => assert.equal((await task(id))?.rows, 200, 'not two parts yet'), 60_000);
      await killed(victim);
    });
    assert.deepEqual(await count(1), { payrolls: 200, people: 200, entries: 200 });
    assert.equal((await task(id))?.status, 'running');
    const worker = startWorker(config());
    try {
      await eventually(async () => assert.equal((await task(id))?.status, 'completed', 'it runs still'), 60_000);
      assert.deepEqual(await count(1), whole);
      const again = await start(1);
      const handle = temporal.client.workflow.getHandle(
        taskWorkflowId({ tenantId: company.ctx.tenantId, taskId: again }),
      );
      const result = await eventually(() => handle.result(), 60_000);
      assert.deepEqual(result.counts, { made: 0, kept: EMPLOYEES, posted: 0, skipped: 0 });
      assert.deepEqual(await count(1), whole);
    } finally {
      await worker.stop();
    }
  });

  it('stops when its task is deleted; completed work stays, and the next task does the rest', async () => {
    const worker = startWorker(config());
    try {
      const id = await start(2);
      await heldAtTheEnd(async () => {
        await eventually(async () => assert.equal((await task(id))?.rows, 200, 'not two parts yet'), 60_000);
        const { ctx, database } = company;
        await database.withTenant(ctx, (trx) => removeTask(trx, ctx, OWNER, id, null));
      });
      const handle = temporal.client.workflow.getHandle(taskWorkflowId({ tenantId: company.ctx.tenantId, taskId: id }));
      await eventually(() => assert.rejects(handle.result()), 60_000);
      assert.equal((await count(2))?.payrolls, 200);
      const next = await start(2);
      await eventually(async () => assert.equal((await task(next))?.status, 'completed', 'it runs still'), 60_000);
      assert.deepEqual(await count(2), whole);
    } finally {
      await worker.stop();
    }
  });
});
