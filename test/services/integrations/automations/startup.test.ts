/** Rules that wait for a start of the service (decision 0199). */
import assert from 'node:assert/strict';
import { recordStart, runStartupRules } from '../../../../services/integrations/automations/startup.ts';
import { useApp } from '../../../helpers/hooks.ts';

const RULE = {
  name: 'At the start',
  trigger: { type: 'system.startup' },
  conditions: [{ field: 'event.name', operator: 'equals', value: 'system.startup' }],
  actions: [{ type: 'notification.create', role: 'owner', title: 'Started', body: '{{event.timestamp}}' }],
};

describe('rules that wait for a start of the service', () => {
  const app = useApp();
  const system = (sql: string) => app.database.withSystem((trx) => trx.raw(sql));
  const forget = () => system('delete from service_starts; delete from workers');
  /** Returns the causes of the runs that a process starts after its own start. */
  const starts = async (id?: string) => {
    await recordStart(app.database, id);
    const causes: string[] = [];
    await runStartupRules(
      app.database,
      () => new Date(),
      async ({ cause }) => {
        causes.push(cause);
      },
    );
    return causes;
  };

  before(async () => {
    assert.equal((await app.client.post('/api/automations', RULE)).status, 201);
    const others = { conditions: [{ field: 'event.name', operator: 'equals', value: 'another' }] };
    for (const more of [{ status: 'paused' }, others, { trigger: { type: 'payment.received' }, conditions: [] }]) {
      assert.equal((await app.client.post('/api/automations', { ...RULE, ...more })).status, 201);
    }
  });
  beforeEach(forget);

  it('run once for all processes of a start', async () => {
    assert.deepEqual(
      [await starts('one'), await starts('one'), await starts('two')],
      [['start/one'], [], ['start/two']],
    );
  });

  it('run again, as the same runs, when starting them has failed', async () => {
    await recordStart(app.database, 'three');
    const lost = () => Promise.reject(new Error('Temporal is away'));
    await assert.rejects(
      runStartupRules(app.database, () => new Date(), lost),
      /away/,
    );
    assert.deepEqual(await starts('three'), ['start/three']);
  });

  it('run without a named start when no other worker is alive', async () => {
    const [cause = ''] = await starts();
    assert.match(cause, /^start\/[0-9a-f-]{36}$/);
    // Another process of the same start, before the first shows life.
    assert.deepEqual(await starts(), []);
    const seen = (ago: string) =>
      system(`insert into workers (id, host, queues, started_at, seen_at)
        values (gen_random_uuid(), 'here', '{}', now(), clock_timestamp() - interval '${ago}')`);
    await system(`update service_starts set started_at = started_at - interval '1 day'`);
    await seen('10 seconds');
    assert.deepEqual(await starts(), []);
    await forget();
    await seen('40 seconds');
    assert.equal((await starts()).length, 1);
  });
});
