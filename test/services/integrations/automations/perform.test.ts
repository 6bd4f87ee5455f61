/** Single actions of runs, without their workflow: keys, tries, and what ends them. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { beginRuns } from '../../../../services/integrations/automations/begin-runs.ts';
import { takeOverRule } from '../../../../services/integrations/automations/clock/take-over.ts';
import { pauseAutomation, TOO_MANY, TOO_MANY_OF_ALL } from '../../../../services/integrations/automations/pause.ts';
import {
  cancelRun,
  type PerformDeps,
  performAction,
  TryAgain,
} from '../../../../services/integrations/automations/perform.ts';
import { Gate } from '../../../../services/integrations/webhooks/gate.ts';
import { Outbound } from '../../../../services/platform/outbound/outbound.ts';
import type { KnownSchedule } from '../../../../services/platform/schedules/known.ts';
import type { RunToStart } from '../../../../workflows/integrations/automations/contract.ts';
import { use, useApp, useReceiver } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';
import { ALLOWED_TARGETS, LOCAL_TARGETS } from '../../../helpers/targets.ts';

describe('actions of automations', () => {
  const app = useApp({ env: { OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS } });
  const receiver = useReceiver();
  const outbound = use(() => new Outbound({ targets: LOCAL_TARGETS }), { close: (opened) => opened.close() });
  const deps = use(
    (): PerformDeps => ({
      database: app.database,
      outbound: { send: (request) => outbound.send(request) },
      gate: new Gate({ slots: 10 }),
      encryptionKeys: [app.deps.config.encryptionKey as string],
      mail: { recipientsPerHour: 10 },
      now: () => app.clock.now,
    }),
  );
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'relay', requestId: newId(), now: app.clock.now });
  const run = <T>(work: (trx: Parameters<typeof beginRuns>[0]) => Promise<T>) => app.database.withTenant(ctx(), work);

  async function makeRule(actions: readonly object[], more: object = {}): Promise<string> {
    const rule = { name: newId(), trigger: { type: 'document.created' }, actions, ...more };
    const { status: answered, body } = await app.client.post('/api/automations', rule);
    assert.equal(answered, 201, JSON.stringify(body));
    return body.data.id;
  }
  /** Begins runs of a rule, one for each cause: by events, or by the clock. */
  const beginMany = (id: string, count: number, by: 'event' | 'clock' = 'event') => {
    const keys = Array.from({ length: count }, newId);
    return beginAll(
      id,
      keys.map((key) => ({ key, eventId: by === 'event' ? key : null })),
    );
  };
  const beginAll = (id: string, causes: readonly { key: string; eventId: string | null; lineId?: string }[]) =>
    run(async (trx) => {
      const automation = (await Automation.query(trx).findById(id).throwIfNotFound()) as Automation;
      const matches = causes.map((cause) => ({
        automation,
        cause: { documentId: null, paymentId: null, event: {}, depth: 0, ...cause },
      }));
      return await beginRuns(trx, ctx(), matches);
    });
  const begin = async (actions: readonly object[], more: object = {}) => {
    const [begun] = await beginMany(await makeRule(actions, more), 1);
    return begun as RunToStart;
  };
  const perform = (input: RunToStart, index = 0) =>
    performAction(deps, ctx(), { ...input, index }, new AbortController().signal);
  const again = (seconds: number) => (error: Error) => error instanceof TryAgain && error.seconds === seconds;
  const log = async ({ automationId }: RunToStart) =>
    (await app.client.get(`/api/automations/${automationId}/logs`)).body.data[0];
  const call = (path: string, more: object = {}) => ({ type: 'http.request', url: receiver.url + path, ...more });
  const keysAt = (path: string) => receiver.at(path).map(({ headers }) => headers['idempotency-key']);

  it('have a key each, which stays the same when they are retried', async () => {
    const path = '/keys';
    receiver.answer(path, (response, nth) => status(nth === 1 ? 503 : 200)(response));
    const input = await begin([call(path), call(path)]);
    await assert.rejects(perform(input), again(1));
    assert.deepEqual([await perform(input), await perform(input, 1)], ['done', 'done']);
    const [first, retried, second] = keysAt(path);
    assert.equal(retried, first);
    assert.notEqual(second, first);
    // Another run of the same rule has others.
    const [other] = await beginMany(input.automationId, 1);
    await perform(other as RunToStart);
    assert.equal(new Set(keysAt(path)).size, 3);
  });

  it('have a key that no header of the rule replaces', async () => {
    const headers = { 'Idempotency-Key': 'chosen', 'X-Own': 'kept' };
    await perform(await begin([call('/own-key', { headers })]));
    const [received] = receiver.at('/own-key');
    assert.equal(received?.headers['x-own'], 'kept');
    assert.match(String(received?.headers['idempotency-key']), /^[0-9a-f-]{36}$/);
  });

  it('call a server that never works five times, and then fail', async () => {
    receiver.answer('/down', status(503));
    const input = await begin([call('/down'), call('/up')]);
    for (const seconds of [1, 2, 4, 8]) await assert.rejects(perform(input), again(seconds));
    assert.equal(await perform(input), 'failed');
    assert.equal(await perform(input), 'failed');
    assert.equal(receiver.at('/down').length, 5);
    assert.equal(await perform(input, 1), 'done');
    const { status: ended, results } = await log(input);
    assert.deepEqual(
      [ended, results.map(({ attempts }: { attempts: number }) => attempts)],
      ['partial', [5, 1]],
      JSON.stringify(results),
    );
  });

  it('wait for as long as the server asks', async () => {
    receiver.answer('/busy', status(429, { 'retry-after': '90' }));
    await assert.rejects(perform(await begin([call('/busy')])), again(90));
  });

  it('do not run once their rule is paused, their run is cancelled, or an earlier action has ended it', async () => {
    receiver.answer('/stops', status(503));
    const [paused, cancelled] = [await begin([call('/stops')]), await begin([call('/stops')])];
    for (const input of [paused, cancelled]) await assert.rejects(perform(input), TryAgain);
    await run((trx) => pauseAutomation(trx, ctx(), paused.automationId, TOO_MANY));
    await cancelRun(app.database, ctx(), cancelled);
    const before = receiver.at('/stops').length;
    assert.deepEqual([await perform(paused), await perform(cancelled)], ['ended', 'ended']);
    assert.equal(receiver.at('/stops').length, before);
    const ends = [await log(paused), await log(cancelled)].map((row) => [row.status, row.reason, row.results]);
    assert.deepEqual(ends, [
      ['cancelled', TOO_MANY.en, []],
      ['cancelled', 'Cancelled by an operator', []],
    ]);
    receiver.answer('/stops', status(422));
    const stopping = await begin([call('/stops'), call('/never')], { stop_on_error: true });
    assert.deepEqual([await perform(stopping), await perform(stopping, 1)], ['failed', 'ended']);
    assert.deepEqual(receiver.at('/never'), []);
  });

  it('do not run once somebody or an operator of the service pauses their rule, or deletes it', async () => {
    receiver.answer('/paused', status(503));
    const query = { resource: 'sales_orders' };
    const clock = { trigger: { type: 'schedule.cron', expression: '0 3 1 1 *', query } };
    const begun = [
      await begin([call('/paused')]),
      await begin([call('/paused')], clock),
      await begin([call('/paused')]),
    ];
    for (const input of begun) await assert.rejects(perform(input), TryAgain);
    const [byPerson, byOperator, deleted] = begun.map(({ automationId }) => automationId);
    assert.equal((await app.client.post(`/api/automations/${byPerson}/pause`)).status, 200);
    const known = { id: String(byOperator), tenantId: app.tenantId, version: 1, active: true } as KnownSchedule;
    assert.equal(await run((trx) => takeOverRule(trx, ctx(), { ...known, version: 2 }, 'Too late')), false);
    assert.equal(await run((trx) => takeOverRule(trx, ctx(), known, 'Maintenance')), true);
    assert.equal((await app.client.del(`/api/automations/${deleted}`)).status, 204);
    const before = receiver.at('/paused').length;
    for (const input of begun) assert.equal(await perform(input), 'ended');
    assert.equal(receiver.at('/paused').length, before);
    const ends = [await log(begun[0] as RunToStart), await log(begun[1] as RunToStart)];
    assert.deepEqual(
      ends.map((row) => [row.status, row.reason]),
      [
        ['cancelled', 'The automation was paused'],
        ['cancelled', 'Maintenance'],
      ],
    );
  });

  it('keep to the turn of their run: a late try of an earlier turn does nothing', async () => {
    receiver.answer('/turns', status(422));
    const input = await begin([call('/turns'), call('/turns-second')]);
    assert.equal(await perform(input), 'failed');
    assert.equal(await perform(input, 1), 'done');
    const rerun = await app.client.post(`/api/automations/${input.automationId}/logs/${input.runId}/rerun`);
    assert.equal(rerun.status, 202, JSON.stringify(rerun.body));
    assert.equal(await perform(input), 'ended');
    await cancelRun(app.database, ctx(), input);
    assert.equal((await log(input)).status, 'running');
    receiver.answer('/turns', status(200));
    const second = { ...input, turn: 2 };
    assert.deepEqual([await perform(second), await perform(second, 1)], ['done', 'done']);
    // It is repeated from what failed, with the keys it had.
    assert.equal(new Set(keysAt('/turns')).size, 1);
    assert.equal(new Set(keysAt('/turns-second')).size, 1);
    assert.equal((await log(input)).status, 'success');
  });

  describe('the limit of runs', () => {
    // Runs of other cases are more than a minute old.
    beforeEach(() => {
      app.clock.now = new Date(app.clock.now.getTime() + 61_000);
    });
    const notice = { type: 'notification.create', role: 'viewer', title: 'New', body: 'New' };
    const ruleStatus = async (id: string) => (await app.client.get(`/api/automations/${id}`)).body.data.status;

    it('allows sixty runs of a rule by events within a minute, and pauses it at the next', async () => {
      const id = await makeRule([notice]);
      assert.equal((await beginMany(id, 59)).length, 59);
      assert.equal((await beginMany(id, 1)).length, 1);
      assert.equal(await ruleStatus(id), 'active');
      assert.deepEqual(await beginMany(id, 1), []);
      assert.equal(await ruleStatus(id), 'paused');
    });

    it('allows six hundred runs of all rules, and pauses the rule of the next, not the others', async () => {
      const ids: string[] = [];
      for (let number = 0; number < 11; number++) ids.push(await makeRule([notice]));
      const [last = '', ...others] = ids;
      for (const id of others) assert.equal((await beginMany(id, 60)).length, 60);
      assert.deepEqual(await beginMany(last, 1), []);
      const { data } = (await app.client.get(`/api/automations/${last}`)).body;
      assert.deepEqual([data.status, data.pause_reason], ['paused', TOO_MANY_OF_ALL.en]);
      for (const id of others) assert.equal(await ruleStatus(id), 'active');
    });

    it('counts the lines of a document as one event of their rule', async () => {
      const id = await makeRule([notice], { for_each: 'line' });
      const eventId = newId();
      const line = () => ({ key: `${eventId}/${newId()}`, eventId, lineId: newId() });
      assert.equal((await beginMany(id, 59)).length, 59);
      assert.equal((await beginAll(id, Array.from({ length: 70 }, line))).length, 70);
      assert.equal(await ruleStatus(id), 'active');
      assert.deepEqual(await beginMany(id, 1), []);
    });

    it('does not count runs by the clock', async () => {
      const id = await makeRule([notice]);
      assert.equal((await beginMany(id, 70, 'clock')).length, 70);
      assert.equal((await beginMany(id, 1)).length, 1);
      assert.equal(await ruleStatus(id), 'active');
    });
  });
});
