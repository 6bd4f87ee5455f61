/** Answers of calls in later actions of the same run. */
import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { beginRuns } from '../../../../services/integrations/automations/begin-runs.ts';
import { type PerformDeps, performAction } from '../../../../services/integrations/automations/perform.ts';
import { Gate } from '../../../../services/integrations/webhooks/gate.ts';
import { rotateKeys } from '../../../../services/platform/encryption/rotate.ts';
import { Outbound } from '../../../../services/platform/outbound/outbound.ts';
import type { RunToStart } from '../../../../workflows/integrations/automations/contract.ts';
import { use, useApp, useReceiver } from '../../../helpers/hooks.ts';
import { ALLOWED_TARGETS, LOCAL_TARGETS } from '../../../helpers/targets.ts';

describe('answers of calls', () => {
  const app = useApp({ env: { OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS } });
  const receiver = useReceiver();
  const outbound = use(() => new Outbound({ targets: LOCAL_TARGETS }), { close: (opened) => opened.close() });
  const key = () => app.deps.config.encryptionKey as string;
  const deps = (keys = [key()]): PerformDeps => ({
    database: app.database,
    outbound: { send: (request) => outbound.send(request) },
    gate: new Gate({ slots: 10 }),
    encryptionKeys: keys,
    mail: { recipientsPerHour: 10 },
    now: () => app.clock.now,
  });
  const ctx = () => ({ tenantId: app.tenantId, userId: null, actor: 'relay', requestId: newId(), now: app.clock.now });
  const call = (path: string, more: object = {}) => ({ type: 'http.request', url: receiver.url + path, ...more });
  const create = (actions: readonly object[]) =>
    app.client.post('/api/automations', { name: newId(), trigger: { type: 'document.created' }, actions });

  async function begin(actions: readonly object[]): Promise<RunToStart> {
    const { status, body } = await create(actions);
    assert.equal(status, 201, JSON.stringify(body));
    const [run] = await app.database.withTenant(ctx(), async (trx) => {
      const automation = (await Automation.query(trx).findById(body.data.id).throwIfNotFound()) as Automation;
      const cause = { key: newId(), eventId: null, documentId: null, paymentId: null, event: {}, depth: 0 };
      return await beginRuns(trx, ctx(), [{ automation, cause }]);
    });
    return run as RunToStart;
  }
  const perform = (input: RunToStart, index: number, keys?: string[]) =>
    performAction(deps(keys), ctx(), { ...input, index }, new AbortController().signal);
  const results = async ({ automationId }: RunToStart) =>
    (await app.client.get(`/api/automations/${automationId}/logs`)).body.data[0].results;
  const stored = async ({ runId }: RunToStart): Promise<Buffer | null> => {
    const sql = `select answers_encrypted as value from automation_runs where id = '${runId}'`;
    return (await app.database.withTenant(ctx(), (trx) => trx.raw(sql))).rows[0].value;
  };
  const answers = (path: string, body: string, status = 200) =>
    receiver.answer(path, (response) => void response.writeHead(status, { 'x-trace': 't1' }).end(body));

  it('fill in the templates of later actions, each for its context', async () => {
    answers('/orders', '{"id":1234567890123456789,"token":"a b"}', 201);
    const input = await begin([
      call('/orders'),
      call('/confirm/{{actions[0].response.body.token}}', {
        headers: { Authorization: 'Bearer {{actions.0.response.body.token}}' },
        body: { id: '{{ actions[0].response.body.id }}', status: '{{actions[0].response.status}}' },
      }),
    ]);
    assert.deepEqual([await perform(input, 0), await perform(input, 1)], ['done', 'done']);
    const [confirmed] = receiver.received.filter(({ path }) => path.startsWith('/confirm'));
    assert.equal(confirmed?.path, '/confirm/a%20b');
    assert.equal(confirmed?.headers.authorization, 'Bearer a b');
    assert.deepEqual(JSON.parse(confirmed?.body ?? ''), { id: '1234567890123456789', status: 201 });
  });

  it('are kept encrypted, only if a later action refers to them, and survive another key', async () => {
    answers('/secret', '{"token":"very secret"}');
    const plain = await begin([call('/secret'), call('/plain')]);
    await perform(plain, 0);
    assert.equal(await stored(plain), null);
    const input = await begin([call('/secret'), call('/used', { body: 'Token: {{actions[0].response.body.token}}' })]);
    await perform(input, 0);
    const sealed = await stored(input);
    assert.equal(sealed?.includes('very secret'), false);
    const keys = ['another key of thirty-two letters', key()];
    await rotateKeys(app.database, keys);
    assert.notDeepEqual(await stored(input), sealed);
    assert.equal(await perform(input, 1, keys), 'done');
    assert.equal(receiver.at('/used')[0]?.body, 'Token: very secret');
    await rotateKeys(app.database, keys.reverse());
  });

  it('that no key opens any more fail what needs them, while every call that was made is recorded', async () => {
    answers('/first', '{"id":1}');
    answers('/second', '{"id":2}');
    const input = await begin([
      call('/first'),
      call('/second'),
      call('/third', { body: '{{actions[0].response.body.id}}' }),
      call('/fourth', { body: 'Second: {{actions[1].response.body.id}}' }),
    ]);
    await perform(input, 0);
    const lost = ['a key of thirty-two letters, others'];
    const outcomes = [await perform(input, 1, lost), await perform(input, 2, lost), await perform(input, 3, lost)];
    assert.deepEqual(outcomes, ['done', 'failed', 'done']);
    assert.match((await results(input))[2].error, /^\/body: cannot have .* because the answer is not there/);
    assert.deepEqual([receiver.at('/second').length, receiver.at('/fourth')[0]?.body], [1, 'Second: 2']);
  });

  it('that are too long fail the actions that need them, with the reason, and nothing is sent', async () => {
    answers('/long', 'x'.repeat(70_000));
    const input = await begin([
      call('/long'),
      call('/needs-it', { body: '{{actions[0].response.body}}' }),
      call('/status', { body: 'Trace {{actions[0].response.headers.x-trace}} {{actions[0].response.status}}' }),
    ]);
    const outcomes = [await perform(input, 0), await perform(input, 1), await perform(input, 2)];
    assert.deepEqual(outcomes, ['done', 'failed', 'done']);
    assert.match((await results(input))[1].error, /the answer has more than 64 KB/);
    assert.equal(receiver.at('/needs-it').length, 0);
    assert.equal(receiver.at('/status')[0]?.body, 'Trace t1 200');
  });

  it('of failed calls can be read, and those that never came fail what needs them', async () => {
    answers('/refuses', '{"error":"no stock"}', 422);
    const read = {
      type: 'http.request',
      url: `${receiver.url}/told`,
      body: 'Error: {{actions[0].response.body.error}}',
    };
    const refused = await begin([call('/refuses'), read]);
    assert.deepEqual([await perform(refused, 0), await perform(refused, 1)], ['failed', 'done']);
    assert.equal(receiver.at('/told')[0]?.body, 'Error: no stock');
    const fails = { type: 'webhook.call', url: `http://127.0.0.1:1/never?{{document.x}}` };
    const input = await begin([fails, read]);
    await app.database.withTenant(ctx(), (trx) =>
      trx('automation_runs').where({ id: input.runId }).update({ tries: 4 }),
    );
    assert.deepEqual([await perform(input, 0), await perform(input, 1)], ['failed', 'failed']);
    assert.match((await results(input))[1].error, /the answer is not there/);
  });

  it('can be referred to only by later actions, and only of calls', async () => {
    const body = (path: string) => ({ body: { deep: [`{{${path}}}`] } });
    const { status, body: refused } = await create([
      call('/a', body('actions[0].response.body')),
      { type: 'notification.create', role: 'owner', title: 'T', body: '{{actions[0].response.bodies}}' },
      call('/b', body('actions[1].response.body')),
      call('/c', body('actions[7].response.body')),
      call('/d', body('actions.response')),
    ]);
    assert.equal(status, 422);
    const found = refused.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]);
    assert.deepEqual(found, [
      ['/actions/0/body/deep/0', 'invalid_reference'],
      ['/actions/1/body', 'invalid_reference'],
      ['/actions/2/body/deep/0', 'invalid_reference'],
      ['/actions/3/body/deep/0', 'invalid_reference'],
      ['/actions/4/body/deep/0', 'invalid_reference'],
    ]);
  });
});
