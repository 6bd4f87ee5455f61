import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import {
  type MeasurementState,
  STORAGE_ID,
  STORAGE_MEASUREMENT,
} from '../../../../workflows/operation/contract.ts';
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
  /** Counts bytes as those of requests that are not measured yet. */
  const recent = (bytes: number) =>
    app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(`insert into storage_changes (tenant_id, kind, bytes, items) values (?, 'recent', ?, 1)`, [
        app.tenantId,
        bytes,
      ] as never),
    );
  /** Counts bytes as those of files. */
  const files = (bytes: number) =>
    app.database.withTenant({ tenantId: app.tenantId }, (trx) =>
      trx.raw(`insert into storage_changes (tenant_id, kind, bytes, items) values (?, 'attachment', ?, 1)`, [
        app.tenantId,
        bytes,
      ] as never),
    );
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
    await files(4 * MIB);
    for (let round = 0; round < 2; round++) {
      await recent(1);
      // Measurements of a company take a small share of the time.
      await eventually(async () => assert.ok((await run()).measured > 0), 60_000);
    }
    assert.deepEqual(await alerts(), ['El almacenamiento de la empresa está lleno']);
    await files(-4 * MIB);
    await recent(1);
    await eventually(async () => assert.ok((await run()).measured > 0), 60_000);
    assert.deepEqual((await alerts()).sort(), [
      'El almacenamiento de la empresa está lleno',
      'Vuelve a haber sitio en el almacenamiento de la empresa',
    ]);
  });

  it('lets background work of a full company fail with the reason, and not that of others', async () => {
    const started = await app.client.post('/api/reports/trial-balance/generate?format=csv', {});
    assert.ok(started.status < 300, JSON.stringify(started.body));
    await files(4 * MIB);
    const refused = await app.client.post('/api/reports/trial-balance/generate?format=csv', {});
    assert.equal(refused.status, 507);
    await files(-4 * MIB);
  });
});
