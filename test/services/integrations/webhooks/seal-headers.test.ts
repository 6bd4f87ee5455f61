import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { createAutomation } from '../../../../services/integrations/automations/manage.ts';
import { openHeaders } from '../../../../services/integrations/webhooks/header-values.ts';
import { sealPlainHeaders } from '../../../../services/integrations/webhooks/seal-headers.ts';
import { rotateKeys } from '../../../../services/platform/encryption/rotate.ts';
import { ENCRYPTION_KEY, NOW, POLICY } from '../../../helpers/deliveries.ts';
import { useDeliveries } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';

const KEYS = [ENCRYPTION_KEY];
const NEXT_KEY = 'the key that comes next, 32 characters or more';
const CANARY = 'canary of version 1.0.0';

describe('headers of version 1.0.0', function () {
  this.timeout(60_000);
  const bench = useDeliveries({ each: true });
  beforeEach(() => bench.receiver.answer('/', status(200)));

  /** Stores a webhook, a rule and a run of it as version 1.0.0 did. */
  async function storedPlain() {
    const { company } = bench;
    const { tenantId } = company.ctx;
    const webhook = await bench.register('/');
    const actions = [{ type: 'http.request', url: 'https://example.com/', headers: { 'X-Token': CANARY } }];
    const rule = await company.run((trx) =>
      createAutomation(trx, company.ctx, POLICY, {
        name: 'Rule',
        trigger: { type: 'document.created' },
        actions: [{ type: 'document.cancel' }],
      }),
    );
    const run = newId();
    await company.run(async (trx) => {
      await trx.raw('update webhooks set headers = ?, headers_encrypted = null where id = ?', [
        JSON.stringify({ 'X-Token': CANARY }),
        webhook.id,
      ]);
      await trx.raw('update automations set actions = ? where id = ?', [JSON.stringify(actions), rule.id]);
      await trx.raw(
        `insert into automation_runs (id, tenant_id, automation_id, automation_version, trigger, cause, event, actions, stop_on_error,
           results, depth, status, executed_at, started_at)
         values (?, ?, ?, 1, 'document.created', 'x', '{}', ?, false, '[]', 0, 'failed', ?, ?)`,
        [run, tenantId, rule.id, JSON.stringify(actions), NOW, NOW],
      );
    });
    return { webhook, rule, run };
  }

  const rows = () =>
    bench.company.rows(
      `select w::text as row from webhooks w union all select a::text from automations a union all select r::text from automation_runs r`,
    );

  it('are sent as they are until they are sealed, and then still', async () => {
    const { webhook } = await storedPlain();
    assert.equal((await bench.attempt(webhook.id, await bench.event())).kind, 'delivered');
    assert.equal(await sealPlainHeaders(bench.company.database, KEYS), 3);
    assert.doesNotMatch(JSON.stringify(await rows()), new RegExp(CANARY));
    assert.equal((await bench.attempt(webhook.id, await bench.event())).kind, 'delivered');
    assert.deepEqual(
      bench.receiver.received.map(({ headers }) => headers['x-token']),
      [CANARY, CANARY],
    );
    assert.equal(await sealPlainHeaders(bench.company.database, KEYS), 0, 'nothing is left');
  });

  it('are found by indexes, however many rows have none', async () => {
    for (const [table, where] of [
      ['webhooks', `headers <> '{}'`],
      ['automations', `jsonb_path_exists(actions, '$[*].headers.*')`],
      ['automation_runs', `jsonb_path_exists(actions, '$[*].headers.*')`],
    ]) {
      const plan = await bench.company.database.withSystem(async (trx) => {
        await trx.raw('set local enable_seqscan = off');
        return await trx.raw(
          `explain select 1 from ${table} where headers_encrypted is null and ${where} order by tenant_id, id limit 200`,
        );
      });
      assert.match(JSON.stringify(plan.rows), new RegExp(`${table}_unsealed`));
    }
  });

  it('open with the new key after a change of keys, and only for their owner', async () => {
    const { rule, run } = await storedPlain();
    await sealPlainHeaders(bench.company.database, KEYS);
    const rotated = await rotateKeys(bench.company.database, [NEXT_KEY, ENCRYPTION_KEY]);
    const headers = rotated.filter(({ name }) => name.startsWith('headers'));
    assert.deepEqual(
      headers.map(({ sealed }) => sealed),
      [1, 1, 1],
    );
    const [stored] = await bench.company.rows('select headers_encrypted, actions from automation_runs where id = ?', [
      run,
    ]);
    assert.ok(stored);
    const headersEncrypted = stored.headers_encrypted as Buffer;
    const [{ headers: shown }] = stored.actions as [{ headers: Record<string, string> }];
    const { tenantId } = bench.company.ctx;
    assert.deepEqual(openHeaders([NEXT_KEY], { tenantId, id: rule.id, headersEncrypted }, shown), {
      'X-Token': CANARY,
    });
    assert.throws(() => openHeaders([NEXT_KEY], { tenantId, id: run, headersEncrypted }, shown), /cannot be decrypted/);
  });

  it('whose values cannot be opened are not sent as masks', async () => {
    const webhook = await bench.register('/', { headers: { 'X-Token': 'lost' } });
    bench.encryptionKeys = [NEXT_KEY];
    const outcome = await bench.attempt(webhook.id, await bench.event());
    assert.match(outcome.kind === 'failed' ? outcome.reason : '', /^The values of its headers cannot be opened/);
    assert.equal(bench.receiver.received.length, 0);
  });
});
