import assert from 'node:assert/strict';
import type { WorkflowFailedError } from '@temporalio/client';
import pg from 'pg';
import { newId } from '../../../../db/ids.ts';
import { MAINTENANCE, PRUNING_ID, type PruningResult } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

describe('the hourly pruning workflow', function () {
  this.timeout(120_000);
  let admin: pg.Client;

  const app = useApp({ clock: REAL_CLOCK });
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  before(async () => {
    admin = new pg.Client({ connectionString: app.databaseUrl });
    await admin.connect();
  });
  after(async () => {
    await admin?.end();
  });

  const run = () =>
    temporal.client.workflow.start<() => Promise<PruningResult>>(MAINTENANCE, {
      workflowId: `${PRUNING_ID}-${newId()}`,
      taskQueue: TASKS_QUEUE,
    });
  const keys = (count: number) =>
    admin.query(
      `insert into idempotency_keys (tenant_id, caller, path, key, request_hash, created_at)
       select $1, 'c', 'p', gen_random_uuid()::text, '', now() - interval '2 days' from generate_series(1, $2)`,
      [app.tenantId, count],
    );
  const failedLogins = () =>
    admin.query(`insert into login_limits (key, points, expire) values (gen_random_uuid()::text, 1, 0)`);
  const metrics = async () => String((await app.anonymous.get('/metrics')).body);

  it('is scheduled with a description', async () => {
    const { schedule, action } = await eventually(async () => {
      const described = await temporal.client.schedule.getHandle(PRUNING_ID).describe();
      return { schedule: described.spec, action: described.action };
    }, 60_000); // the worker is still bundling its workflows
    assert.equal(schedule.intervals?.[0]?.every, 3_600_000);
    assert.equal(action.workflowType, MAINTENANCE);
    assert.match(action.staticSummary ?? '', /^Hourly: deletes data past its retention/);
  });

  it('deletes in batches, and counts the deleted rows by kind', async () => {
    await keys(2500);
    await failedLogins();
    const { idempotency_keys, login_limits, tasks } = await (await run()).result();
    assert.deepEqual({ idempotency_keys, login_limits, tasks }, { idempotency_keys: 2500, login_limits: 1, tasks: 0 });
    const shown = await metrics();
    assert.match(shown, /^maintenance_deleted_total\{kind="idempotency_keys"\} 2500$/m);
    assert.match(shown, /^maintenance_last_success_timestamp_seconds\{kind="outbox"\} 1\.?\d+(e\+9)?/m);
    assert.match(shown, /^maintenance_failing\{kind="idempotency_keys"\} 0$/m);
  });

  it('continues with the other kinds if one fails, and reports it', async () => {
    await admin.query('revoke delete on idempotency_keys from bms_system');
    await keys(1);
    await failedLogins();
    const failed = await run();
    await assert.rejects(failed.result(), (error: WorkflowFailedError) => {
      assert.match(
        String(error.cause?.message),
        /^Not everything could be deleted: idempotency_keys: permission denied/,
      );
      return true;
    });
    assert.deepEqual((await admin.query('select * from login_limits')).rows, []);
    assert.match(await metrics(), /^maintenance_failing\{kind="idempotency_keys"\} 1$/m);
    assert.match(await metrics(), /^maintenance_failing\{kind="login_limits"\} 0$/m);
    await admin.query('grant delete on idempotency_keys to bms_system');
    assert.equal((await (await run()).result()).idempotency_keys, 1);
    assert.match(await metrics(), /^maintenance_failing\{kind="idempotency_keys"\} 0$/m);
  });
});
