/** Plugins that answer late, wrongly or too much, and plugins of another company (decision 0200). */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { Called } from '../../../../../services/integrations/automations/actions/action.ts';
import { executePlugin } from '../../../../../services/integrations/automations/actions/plugins.ts';
import type { Subject } from '../../../../../services/integrations/automations/subject.ts';
import { installPlugin } from '../../../../../services/integrations/plugins/manage.ts';
import { Gate } from '../../../../../services/integrations/webhooks/gate.ts';
import { Outbound, type OutboundRequest } from '../../../../../services/platform/outbound/outbound.ts';
import { addCompany, type Company } from '../../../../helpers/company.ts';
import { POLICY } from '../../../../helpers/deliveries.ts';
import { use, useDeliveries } from '../../../../helpers/hooks.ts';
import { LOCAL_TARGETS } from '../../../../helpers/targets.ts';

describe('an action of a plugin', () => {
  const bench = useDeliveries();
  const other = use(() => addCompany(bench.company.database, bench.company.url));
  before(() => bench.member('owner'));
  const outbound = use(() => new Outbound({ targets: LOCAL_TARGETS }), { close: (opened) => opened.close() });
  let number = 0;

  /** Installs a plugin at an address. */
  const install = (baseUrl: string, { run, ctx }: Company = bench.company) =>
    run(async (trx) => {
      const manifest = {
        name: `Printer ${++number}`,
        version: '1.0.0',
        base_url: baseUrl,
        actions: [{ name: 'print' }],
      };
      return (await installPlugin({ trx, ctx, role: 'owner' }, POLICY, manifest)).plugin;
    });
  /** Asks for its action once; the plugin has a moment to answer. */
  async function ask(pluginId: string): Promise<Called> {
    const { database, ctx } = bench.company;
    const deps = {
      database,
      outbound: { send: (request: OutboundRequest) => outbound.send({ ...request, timeoutMs: 500 }) },
      gate: new Gate({ slots: 10 }),
      encryptionKeys: POLICY.encryptionKeys,
      now: () => ctx.now,
    };
    const action = { type: 'plugin.execute', plugin_id: pluginId, action: 'print' } as const;
    const subject: Subject = { company: {}, event: {} };
    const act = {
      automationId: randomUUID(),
      action,
      subject,
      key: randomUUID(),
      runId: randomUUID(),
      workflowId: 'run',
      runsAs: { userId: null, actor: null },
    };
    return await executePlugin.call(deps, ctx, act, new AbortController().signal);
  }
  const told = async (pluginId: string) => {
    const events = await bench.company.rows(
      `select payload from outbox where event = 'plugin.error' and entity_id = ?`,
      [pluginId],
    );
    return events.map(({ payload }) => (payload as { error: string }).error);
  };

  /** Each plugin's answer, whether it is retried, and the message to the company. */
  const FAILING: Readonly<Record<string, readonly [(response: ServerResponse) => unknown, boolean, RegExp]>> = {
    'does not answer': [() => undefined, true, /^print: No complete answer within 0.5 s$/],
    'begins to answer and never ends': [(response) => response.write('{"ok":'), true, /^print: No complete answer/],
    'hangs up': [(response) => response.destroy(), true, /^print: /],
    'hangs up amid its answer': [
      (response) => response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy()),
      true,
      /^print: /,
    ],
    'has too much to do': [
      (response) => response.writeHead(429, { 'retry-after': '7' }).end(),
      true,
      /^print: HTTP 429$/,
    ],
    'throws an exception': [(response) => response.writeHead(500).end('Error: boom'), true, /^print: HTTP 500$/],
    refuses: [(response) => response.writeHead(422).end('no such label'), false, /^print: HTTP 422$/],
    'sends elsewhere': [(response) => response.writeHead(307, { location: '/' }).end(), false, /^print: HTTP 307$/],
  };

  for (const [what, [how, retry, message]] of Object.entries(FAILING)) {
    it(`fails when the plugin ${what}, and notifies the company`, async () => {
      const path = `/${what.replaceAll(' ', '-')}`;
      bench.receiver.answer(`${path}/actions/print`, (response) => void how(response));
      const { id } = await install(bench.receiver.url + path);
      const called = await ask(id);
      assert.equal(called.kind, 'failed');
      assert.equal(called.kind === 'failed' && called.retry, retry);
      const [error = '', ...more] = await told(id);
      assert.match(error, message);
      assert.deepEqual(more, []);
      const notices = await bench.company.rows(
        `select user_id from notifications where type = 'plugin_error' and metadata->>'plugin_id' = ?`,
        [id],
      );
      assert.equal(notices.length, 1);
    });
  }

  it('fails when the answer is not HTTP, or nothing listens', async () => {
    const noise = createServer(
      (socket) => void socket.resume().end(Buffer.from([0, 1, 2, 0xff, 0xfe, 13, 10, 13, 10])),
    );
    noise.listen(0, '127.0.0.1');
    await once(noise, 'listening');
    const { id } = await install(`http://127.0.0.1:${(noise.address() as AddressInfo).port}`);
    const called = await ask(id);
    assert.deepEqual([called.kind, called.kind === 'failed' && called.retry], ['failed', true]);
    noise.close();
    await once(noise, 'close');
    const after = await ask(id);
    assert.deepEqual([after.kind, after.kind === 'failed' && after.retry], ['failed', true]);
    // Once an hour.
    assert.equal((await told(id)).length, 1);
  });

  it('succeeds whatever the body of a successful answer, of which the log keeps as much as it can hold', async () => {
    const answers: readonly (readonly [Buffer, string])[] = [
      [Buffer.from('x'.repeat(5_000_000)), 'x'.repeat(1000)],
      [Buffer.from(`${'x'.repeat(999)}\u{1F600}\u{1F600}`), 'x'.repeat(999)],
      [Buffer.from([0x61, 0, 0xed, 0xa0, 0x80, 0xff]), `a${'\u{FFFD}'.repeat(5)}`],
      [Buffer.alloc(0), ''],
    ];
    const { id } = await install(`${bench.receiver.url}/garbage`);
    for (const [answer, kept] of answers) {
      bench.receiver.answer('/garbage/actions/print', (response) => void response.end(answer));
      const called = await ask(id);
      assert.ok(called.kind === 'done');
      assert.deepEqual(called.detail, { http_status: 200, answer: kept });
      const [row] = await bench.company.rows('select ?::jsonb as stored', [JSON.stringify(called.detail)]);
      assert.deepEqual(row?.stored, called.detail);
    }
    assert.deepEqual(await told(id), []);
  });

  it('reaches no plugin of another company', async () => {
    const { id } = await install(`${bench.receiver.url}/theirs`, other);
    const called = await ask(id);
    const refused = { kind: 'failed', error: 'The plugin is not installed', detail: {}, answer: null, retry: false };
    assert.deepEqual(called, refused);
    assert.deepEqual(
      bench.receiver.received.filter(({ path }) => path.startsWith('/theirs')),
      [],
    );
    assert.deepEqual(await other.rows(`select 1 from outbox where event = 'plugin.error'`), []);
  });
});
