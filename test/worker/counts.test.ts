import assert from 'node:assert/strict';
import { ApplicationFailure } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { createMetrics } from '../../api/operation/health/metrics.ts';
import { Backlogs } from '../../api/pipeline/backlogs.ts';
import { ALONE } from '../../api/siblings.ts';
import { endTask } from '../../services/platform/tasks/report.ts';
import { startTask } from '../../services/platform/tasks/tasks.ts';
import { Counts, countingInterceptor } from '../../worker/counts.ts';
import { Heartbeat } from '../../worker/heartbeat.ts';
import { useCompany } from '../helpers/hooks.ts';

const silent = pino({ level: 'silent' });

describe('the counters of workers', () => {
  const company = useCompany();

  it('are summed over all workers, and shown by the API with tasks, workers and backlogs', async () => {
    const { ctx, database } = company;
    const [first, second] = [new Counts(), new Counts()];
    first.add('webhook_deliveries_total', { outcome: 'delivered' });
    first.add('webhook_deliveries_total', { outcome: 'delivered' });
    second.add('webhook_deliveries_total', { outcome: 'delivered' });
    second.add('webhook_deliveries_total', { outcome: 'waits' });
    second.add('relay_lag_seconds_total', { event: 'document.created' }, 1.5);
    const beats = [
      new Heartbeat(database, ['webhooks', 'tasks'], silent, first),
      new Heartbeat(database, ['webhooks'], silent, second),
    ];
    for (const beat of beats) await beat.start();
    const task = { kind: 'import', permission: null, input: {}, message: 'Waiting', title: 'Import' } as const;
    const { id } = await company.run((trx) => startTask(trx, ctx, task));
    await company.run((trx) => startTask(trx, ctx, task));
    await company.run((trx) => endTask(trx, ctx, id, { message: 'Failed', error: 'No room' }));
    const backlogs = new Backlogs({ subscribe: () => undefined }, silent);
    const metrics = createMetrics({ database, siblings: ALONE, backlogs }, '.');
    const text = await metrics.render();
    for (const line of [
      'webhook_deliveries_total{outcome="delivered"} 3',
      'webhook_deliveries_total{outcome="waits"} 1',
      'relay_lag_seconds_total{event="document.created"} 1.5',
      'tasks{type="import",status="running"} 1',
      'tasks{type="import",status="failed"} 1',
      'workers_alive{queue="webhooks"} 2',
      'workers_alive{queue="tasks"} 1',
    ]) {
      assert.ok(text.split('\n').includes(line), `${line} is missing in\n${text}`);
    }
    assert.match(text, /^outbox_event_lag_seconds\{event="internal\.task_started"\} \d/m);
    assert.ok(!text.includes(ctx.tenantId), 'no companies');
    first.add('pdfs_total', { outcome: 'made' });
    for (const beat of beats) await beat.stop();
    const after = await metrics.render();
    assert.match(after, /^pdfs_total\{outcome="made"\} 1$/m, 'the last counts go with the end');
    assert.match(after, /^webhook_deliveries_total\{outcome="delivered"\} 3$/m, 'each once');
    assert.doesNotMatch(after, /^workers_alive\{/m);
  });

  it('are kept while the database is unavailable', async () => {
    const counts = new Counts();
    counts.add('pdfs_total', { outcome: 'made' });
    await assert.rejects(counts.report(() => Promise.reject(new Error('away'))));
    counts.add('pdfs_total', { outcome: 'made' });
    await counts.report(async (reported) =>
      assert.deepEqual(reported, [{ name: 'pdfs_total', labels: { outcome: 'made' }, value: 2 }]),
    );
    await counts.report(() => assert.fail('nothing is left to report'));
  });

  it('count activities by their outcome', async () => {
    const counts = new Counts();
    const run = async (activityType: string, work: () => Promise<unknown>) => {
      const environment = new MockActivityEnvironment(
        { activityType },
        { interceptors: [countingInterceptor(counts)] },
      );
      await environment.run(work).catch(() => undefined);
    };
    const fail = (type: string) => () => Promise.reject(ApplicationFailure.create({ message: 'x', type }));
    await run('deliverWebhook', async () => ({ outcome: 'skipped', attempt: 0 }));
    await run('deliverWebhook', fail('webhook_waits'));
    await run('deliverWebhook', fail('webhook_attempt_failed'));
    await run('deliverWebhook', fail('webhook_given_up'));
    await run('renderDocumentPdf', async () => ({ fileId: 'f' }));
    await run('renderDocumentPdf', fail('not_found'));
    await run('postDocument', async () => ({}));
    await counts.report(async (reported) => {
      assert.deepEqual(
        reported.map(({ name, labels, value }) => `${name} ${labels.outcome} ${value}`),
        [
          'webhook_deliveries_total skipped 1',
          'webhook_deliveries_total waits 1',
          'webhook_deliveries_total failed 1',
          'webhook_deliveries_total given_up 1',
          'pdfs_total made 1',
          'pdfs_total failed 1',
        ],
      );
    });
  });
});
