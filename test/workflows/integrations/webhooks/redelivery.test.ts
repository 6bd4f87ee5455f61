import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { newId } from '../../../../db/ids.ts';
import { EVENT_CATALOGUE, type EventName } from '../../../../domain/integrations/webhooks/events.ts';
import { QUEUES } from '../../../../worker/queues.ts';
import { webhookDeliveryId } from '../../../../workflows/integrations/webhooks/contract.ts';
import { TASKS_QUEUE } from '../../../../workflows/platform/tasks/contract.ts';
import { useIntegrations } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { eventually, killed, startWorker, testConfig, workerProcess } from '../../../helpers/worker.ts';

const SECRET = `whsec_${Buffer.from('a secret of redeliveries').toString('base64')}`;

describe('redelivery, recovery and tests of webhooks', function () {
  this.timeout(240_000);
  let worker: { stop(): Promise<void> };
  const start = () => startWorker(testConfig({ url: app.databaseUrl, ...temporal }));

  const { temporal, app, receiver } = useIntegrations();
  before(async () => {
    worker = start();
    // A worker that is ready has made the namespace fit for its workflows.
    const id = await register('/ready', 'notification.created');
    await eventually(async () => assert.equal((await app.client.post(`/api/webhooks/${id}/test`)).status, 200), 60_000);
  });
  after(async () => {
    await worker.stop();
  });

  /** Each webhook has an event of its own kind, so that tests do not meet. */
  async function register(path: string, event: string, input: Record<string, unknown> = {}): Promise<string> {
    const { status: code, body } = await app.client.post('/api/webhooks', {
      name: path,
      url: receiver.url + path,
      events: [event],
      retry_policy: { max_attempts: 1 },
      ...input,
    });
    assert.equal(code, 201, JSON.stringify(body));
    return String(body.data.id);
  }
  async function happen(event: EventName, times = 1): Promise<string[]> {
    const rows = Array.from({ length: times }, () => ({
      id: newId(),
      tenant_id: app.tenantId,
      event,
      entity_type: 'Item',
      entity_id: newId(),
      payload: JSON.stringify(EVENT_CATALOGUE[event].sample),
      created_at: new Date(),
    }));
    await app.database.withTenant({ tenantId: app.tenantId }, (trx) => trx('outbox').insert(rows));
    return rows.map(({ id }) => id);
  }
  interface Entry {
    readonly id: string;
    readonly event_id: string;
    readonly attempt: number;
    readonly status: string;
    readonly redelivery_id: string | null;
  }
  const log = async (webhookId: string, filter = ''): Promise<Entry[]> => {
    const { body } = await app.client.get(`/api/webhooks/${webhookId}/logs?limit=500&sort=sent_at${filter}`);
    assert.ok(body.data, JSON.stringify(body));
    return body.data as Entry[];
  };
  const logged = (webhookId: string, count: number, filter = '') =>
    eventually(async () => {
      const entries = await log(webhookId, filter);
      assert.ok(entries.length >= count, `${entries.length} of ${count}`);
      return entries;
    }, 60_000);
  const ended = (taskId: string) =>
    eventually(async () => {
      const { body } = await app.client.get(`/api/tasks/${taskId}`);
      assert.ok(body.data.completed_at, JSON.stringify(body.data));
      return body.data as { status: string; progress: number; message: string; error?: string };
    }, 150_000);
  const recover = async (webhookId: string, request: Record<string, unknown> = {}) => {
    const answer = await app.client.post(`/api/webhooks/${webhookId}/recover`, {
      since: new Date(Date.now() - 3_600_000).toISOString(),
      ...request,
    });
    assert.equal(answer.status, 202, JSON.stringify(answer.body));
    return String(answer.body.task_id);
  };
  /** Returns how often each event arrived. */
  const arrivals = (path: string) => {
    const counts = new Map<string, number>();
    for (const { headers } of receiver.at(path)) {
      const id = String(headers['webhook-id']);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  };
  const activate = (webhookId: string) => app.client.patch(`/api/webhooks/${webhookId}`, { status: 'active' });

  it('sends a test through the same path and answers its log entry', async () => {
    const id = await register('/test', 'document.locked', { secret: SECRET });
    const { status: code, body } = await app.client.post(`/api/webhooks/${id}/test`);
    assert.equal(code, 200, JSON.stringify(body));
    const { event, attempt, status: outcome, http_status, response_body, test } = body.data;
    assert.deepEqual(
      { event, attempt, outcome, http_status, response_body, test },
      {
        event: 'document.locked',
        attempt: 1,
        outcome: 'success',
        http_status: 200,
        response_body: 'thanks',
        test: true,
      },
    );
    const [request] = receiver.at('/test');
    const envelope = new StandardWebhook(SECRET).verify(
      request?.body ?? '',
      request?.headers as Record<string, string>,
    ) as Record<string, unknown>;
    assert.deepEqual(
      { id: envelope.id, event: envelope.event, test: envelope.test },
      { id: body.data.event_id, event: 'document.locked', test: true },
    );
    assert.deepEqual(await log(id), [body.data]);
    const stats = await app.client.get(`/api/webhooks/${id}/stats`);
    assert.equal(stats.body.data.attempts, 0);
  });

  it('reports a webhook as missing if it was deleted while it was being tested', async () => {
    const id = await register('/test-deleted', 'user.*');
    receiver.answer('/test-deleted', (response) => {
      void app.client.del(`/api/webhooks/${id}`).then(() => response.end());
    });
    const { status: code } = await app.client.post(`/api/webhooks/${id}/test`);
    assert.equal(code, 404);
    assert.equal(receiver.at('/test-deleted').length, 1, 'it was sent once');
  });

  it('answers 200 for a test that fails, and tests what is inactive', async () => {
    receiver.answer('/test-fails', status(404));
    const id = await register('/test-fails', 'user.*', { status: 'inactive', retry_policy: { max_attempts: 5 } });
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await app.client.post(`/api/webhooks/${id}/test`, {}, headers);
    assert.deepEqual(
      [first.status, first.body.data.event, first.body.data.status, first.body.data.error],
      [200, 'user.created', 'failed', 'HTTP 404'],
    );
    const second = await app.client.post(`/api/webhooks/${id}/test`, {}, headers);
    assert.deepEqual(second.body, first.body);
    assert.equal(receiver.at('/test-fails').length, 1, 'once');
    const { body } = await app.client.get(`/api/webhooks/${id}`);
    assert.equal(body.data.status, 'inactive');
  });

  it('delivers an event once more, with the same bytes', async () => {
    const id = await register('/more', 'stock.movement', { secret: SECRET });
    const [eventId] = await happen('stock.movement');
    const [entry] = await logged(id, 1);
    const answer = await app.client.post(`/api/webhooks/${id}/logs/${entry?.id}/redeliver`);
    assert.equal(answer.status, 202);
    const entries = await logged(id, 2);
    assert.deepEqual(
      entries.map(({ attempt, status: outcome, redelivery_id }) => [attempt, outcome, redelivery_id === null]),
      [
        [1, 'success', true],
        [2, 'success', false],
      ],
    );
    const requests = receiver.at('/more');
    assert.equal(new Set(requests.map(({ body }) => body)).size, 1);
    for (const request of requests) {
      new StandardWebhook(SECRET).verify(request.body, request.headers as Record<string, string>);
      assert.equal(request.headers['webhook-id'], eventId);
    }
  });

  it('sends at once what waits for its next attempt, and restarts its attempts', async () => {
    receiver.answer('/waits', (response, nth) => status(nth < 4 ? 500 : 200)(response));
    const id = await register('/waits', 'stock.low', {
      retry_policy: { max_attempts: 2, retry_delay_seconds: [3600] },
    });
    const [eventId = ''] = await happen('stock.low');
    const [entry] = await logged(id, 1);
    const again = () => app.client.post(`/api/webhooks/${id}/logs/${entry?.id}/redeliver`);
    await again();
    await logged(id, 2);
    await again();
    await logged(id, 3);
    await again();
    const entries = await logged(id, 4);
    assert.deepEqual(
      entries.map(({ attempt, status: outcome }) => [attempt, outcome]),
      [
        [1, 'failed'],
        [2, 'failed'],
        [3, 'failed'],
        [4, 'success'],
      ],
    );
    assert.equal(new Set(entries.map(({ redelivery_id }) => redelivery_id)).size, 4);
    const handle = temporal.client.workflow.getHandle(webhookDeliveryId(app.tenantId, id, eventId));
    assert.deepEqual(await handle.result(), { outcome: 'delivered', attempt: 4 });
  });

  it('recovers what was skipped, each event once, however often it is asked for', async () => {
    const id = await register('/missed', 'plugin.error', { status: 'inactive' });
    const events = await happen('plugin.error', 130);
    await logged(id, 130);
    assert.equal(receiver.at('/missed').length, 0);
    await activate(id);
    const tasks = [await recover(id), await recover(id, { status: 'skipped' })];
    for (const taskId of tasks) {
      const task = await ended(taskId);
      assert.deepEqual([task.status, task.progress], ['completed', 100]);
      assert.match(task.message, /redeliveries started/);
    }
    await eventually(() => assert.equal(arrivals('/missed').size, 130), 60_000);
    const third = await ended(await recover(id));
    assert.equal(third.message, '0 of 0 redeliveries started');
    assert.deepEqual(new Set(arrivals('/missed').keys()), new Set(events));
    assert.ok([...arrivals('/missed').values()].every((count) => count === 1));
  });

  it('recovers the failures of a period, including waiting deliveries, and nothing else', async () => {
    let broken = true;
    receiver.answer('/failed', (response) => status(broken ? 500 : 200)(response));
    const id = await register('/failed', 'plugin.installed', {
      retry_policy: { max_attempts: 2, retry_delay_seconds: [3600] },
    });
    const before = await happen('plugin.installed', 2);
    await logged(id, 2);
    const since = new Date().toISOString();
    const during = await happen('plugin.installed', 3);
    await logged(id, 5);
    broken = false;
    await happen('plugin.installed', 2);
    await logged(id, 7);
    const skipped = await ended(await recover(id, { since, status: 'skipped' }));
    assert.equal(skipped.message, '0 of 0 redeliveries started');
    const taskId = await recover(id, { since, status: 'failed' });
    const task = await ended(taskId);
    assert.equal(task.message, '3 of 3 redeliveries started');
    await logged(id, 10);
    assert.equal((await log(id, `&redelivery_id=${taskId}&test=false`)).length, 3);
    const succeeded = (await log(id, '&status=success')).map(({ event_id }) => event_id);
    assert.ok(during.every((eventId) => succeeded.includes(eventId)));
    assert.ok(before.every((eventId) => !succeeded.includes(eventId)));
    assert.equal(succeeded.length, 5);
  });

  it('resumes a recovery after a worker was stopped, and ends it when its task is deleted', async () => {
    const held: ServerResponse[] = [];
    let hold = true;
    receiver.answer('/held', (response) => (hold ? void held.push(response) : status(200)(response)));
    const release = () => {
      hold = false;
      for (const response of held.splice(0)) status(200)(response);
    };
    const id = await register('/held', 'automation.triggered', { status: 'inactive' });
    await happen('automation.triggered', 260);
    await logged(id, 260);
    await activate(id);
    const cancelled = await recover(id);
    await eventually(() => assert.ok(held.length > 0, 'none was sent'), 60_000);
    assert.equal((await app.client.del(`/api/tasks/${cancelled}`)).status, 204);
    release();
    await eventually(() => assert.ok(arrivals('/held').size >= 100, `${arrivals('/held').size}`), 60_000);
    assert.ok(arrivals('/held').size <= 200, 'only the first pages');

    hold = true;
    const resumed = await recover(id);
    await eventually(() => assert.ok(held.length > 0, 'none was sent'), 60_000);
    const stopping = worker.stop();
    release();
    await stopping;
    worker = start();
    const task = await ended(resumed);
    assert.equal(task.status, 'completed', JSON.stringify(task));
    await eventually(() => assert.equal(arrivals('/held').size, 260), 60_000);
    // Each is logged after the endpoint has answered.
    const successes = await logged(id, 260, '&status=success');
    assert.equal(new Set(successes.map(({ event_id }) => event_id)).size, 260);
    assert.equal(successes.length, 260, 'each once');
  });

  it('resumes a recovery after a worker was killed', async () => {
    const id = await register('/killed', 'user.created', { status: 'inactive' });
    await happen('user.created', 230);
    await logged(id, 230);
    await activate(id);
    await worker.stop();
    const servers = { url: app.databaseUrl, ...temporal };
    worker = startWorker(testConfig(servers), { queues: QUEUES.filter((queue) => queue !== TASKS_QUEUE) });
    const first = await workerProcess(servers, TASKS_QUEUE);
    const taskId = await recover(id);
    await eventually(async () => {
      const { body } = await app.client.get(`/api/tasks/${taskId}/progress`);
      assert.match(body.message, /of 230 redeliveries/);
    }, 60_000);
    await killed(first);
    const done = arrivals('/killed').size;
    const second = await workerProcess(servers, TASKS_QUEUE);
    try {
      const task = await ended(taskId);
      assert.deepEqual([task.status, task.message], ['completed', '230 of 230 redeliveries started']);
      await eventually(() => assert.equal(arrivals('/killed').size, 230), 60_000);
    } finally {
      await killed(second);
      await worker.stop();
      worker = start();
    }
    assert.ok(done < 230, 'it was killed before it had started them all');
    assert.ok([...arrivals('/killed').values()].every((count) => count === 1));
  });

  it('reports a recovery whose webhook is switched off', async () => {
    receiver.answer('/gone', status(410));
    const id = await register('/gone', 'user.deleted', { status: 'inactive' });
    await happen('user.deleted', 130);
    await logged(id, 130);
    await activate(id);
    const task = await ended(await recover(id));
    assert.equal(task.status, 'failed');
    assert.match(String(task.error), /inactive/);
    const { body } = await app.client.get(`/api/webhooks/${id}/stats`);
    assert.match(body.data.disabled.reason, /410/);
  });
});
