import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { type MeasurementState, STORAGE_ID, STORAGE_MEASUREMENT } from '../../../../workflows/operation/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { eventually, testConfig } from '../../../helpers/worker.ts';

const MIB = 1024 ** 2;
const BUDGET = { STORAGE_MIB_PER_COMPANY: '4' };

describe('the hourly measurement of what companies store', function () {
  this.timeout(120_000);
  const app = useApp({ clock: REAL_CLOCK, env: BUDGET });
  const temporal = useTemporal();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }, BUDGET));

  const run = () =>
    temporal.client.workflow.execute<() => Promise<MeasurementState>>(STORAGE_MEASUREMENT, {
      workflowId: `${STORAGE_ID}-${newId()}`,
      taskQueue: TASKS_QUEUE,
    });
  /** Counts bytes as those of requests that are not measured yet, and has them measured soon: measuring takes a small share of the time. */
  const recent = (bytes: number) =>
    app.database.withTenant({ tenantId: app.tenantId }, async (trx) => {
      await trx.raw('update storage_rows set took_ms = 0');
      await trx.raw(`insert into storage_changes (tenant_id, kind, bytes, items) values (?, 'recent', ?, 1)`, [
        app.tenantId,
        bytes,
      ] as never);
    });
  /** Fills the company with a file, or deletes it. */
  const fill = () =>
    app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(
        `insert into files (id, tenant_id, kind, name, content_type, content, created_at)
         values (gen_random_uuid(), ?, 'sepa_order', 'full', 'text/plain', convert_to(repeat('x', ?::integer), 'UTF8'), now())`,
        [app.tenantId, 4 * MIB] as never,
      ),
    );
  const empty = () =>
    app.database.withTenant({ tenantId: app.tenantId }, (trx) => trx.raw(`delete from files where name = 'full'`));
  const alerts = async () =>
    ((await app.client.get('/api/notifications')).body.data as { title: string }[]).map(({ title }) => title);

  it('puts the measured rows in the place of requests, for companies that have changed only', async () => {
    await recent(3 * MIB);
    assert.equal((await run()).measured, 1);
    assert.equal((await run()).measured, 0);
    const { data } = (await app.client.get('/api/company/usage')).body;
    assert.ok(data.used < 3 * MIB, `${data.used} bytes are used`);
    assert.ok(!data.kinds.some(({ kind, bytes }: { kind: string; bytes: number }) => kind === 'recent' && bytes > MIB));
  });

  it('tells owners once that their company is full, and once that it has room again', async () => {
    await fill();
    for (let round = 0; round < 2; round++) {
      await recent(1);
      assert.equal((await run()).measured, 1);
    }
    assert.deepEqual(await alerts(), ['El almacenamiento de la empresa está lleno']);
    await empty();
    await recent(1);
    assert.equal((await run()).measured, 1);
    assert.deepEqual((await alerts()).sort(), [
      'El almacenamiento de la empresa está lleno',
      'Vuelve a haber sitio en el almacenamiento de la empresa',
    ]);
  });

  it('lets background work of a full company fail with the reason', async () => {
    const generate = () => app.client.post('/api/reports/labor-cost/generate', { format: 'csv' });
    const ended = (id: string) =>
      eventually(async () => {
        const { data } = (await app.client.get(`/api/tasks/${id}`)).body;
        assert.ok(data.completed_at);
        return data as { status: string; error: string | null };
      }, 60_000);
    // The API is told of what is stored within seconds; the worker looks at it when it begins.
    await fill();
    const started = await generate();
    if (started.status === 202) {
      const task = await ended(started.body.task_id);
      assert.equal(task.status, 'failed');
      assert.match(task.error ?? '', /^The company has used up its 4 MiB of storage/);
    } else assert.equal(started.status, 507, JSON.stringify(started.body));
    await empty();
    const again = await generate();
    assert.equal(again.status, 202, JSON.stringify(again.body));
    assert.equal((await ended(again.body.task_id)).status, 'completed');
  });
});
