import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAutomation } from '../../services/integrations/automations/manage.ts';
import { rerun } from '../../services/integrations/automations/rerun.ts';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { redeliver } from '../../services/integrations/webhooks/redeliver.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { addOwner } from '../helpers/company.ts';
import { useCompany, useReceiver, useTemporal } from '../helpers/hooks.ts';
import { LOCAL_TARGETS } from '../helpers/targets.ts';
import { allHandedOver, ENCRYPTION_KEY, eventually, startWorker, testConfig } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const POLICY = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };

describe('a database restored from a backup', function () {
  this.timeout(180_000);
  const company = useCompany();
  const temporal = useTemporal();
  const receiver = useReceiver();
  const worker: { stop(): Promise<void> }[] = [];
  after(() => Promise.all(worker.map((one) => one.stop())));

  let owner: string;
  before(async () => {
    await addOwner(company);
    owner = String((await company.rows('select user_id from memberships'))[0]?.user_id);
  });

  const now = () => ({ ...company.ctx, userId: owner, now: new Date() });
  const order = () =>
    company.run((trx) =>
      createDocument(trx, now(), 'SO', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
  const command = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', program, ...args], {
      cwd: ROOT,
      env: {
        ...process.env,
        DATABASE_URL: company.url,
        TEMPORAL_ADDRESS: temporal.address,
        TEMPORAL_NAMESPACE: temporal.namespace,
        ENCRYPTION_KEY,
      },
    });
  const arrived = (path: string) =>
    receiver.at(path).map(({ body }) => {
      const { data, document_id: id } = JSON.parse(body);
      return id ?? data.document_id;
    });

  const listeners = () =>
    company.run(
      async (trx) =>
        [
          await createWebhook(trx, now(), POLICY, {
            name: 'orders',
            url: `${receiver.url}/orders`,
            events: ['document.created'],
          }),
          await createAutomation(trx, now(), POLICY, {
            name: 'orders',
            trigger: { type: 'document.created' },
            actions: [
              {
                type: 'http.request',
                url: `${receiver.url}/rule`,
                method: 'POST',
                body: { document_id: '{{ document.id }}' },
              },
            ],
          }),
        ] as const,
    );

  it('sends nothing again that was under way, goes on with the rest, and sends what a person asks for', async () => {
    const [webhook, rule] = await listeners();
    const old = await order();
    const { stdout } = await command('worker/restored.ts');
    assert.match(
      stdout,
      /: 0 mails, 1 deliveries, 1 runs of automations, 0 automations paused, 0 tasks, 0 invoices for FACe/,
    );

    worker.push(startWorker(testConfig({ url: company.url, ...temporal })));
    const fresh = await order();
    await allHandedOver(company);
    await command('worker/reconcile/main.ts');
    await eventually(() => {
      assert.deepEqual([arrived('/orders'), arrived('/rule')], [[fresh.id], [fresh.id]]);
    });
    const lifecycle = temporal.client.workflow.getHandle(`${company.ctx.tenantId}/document/${old.id}`);
    assert.equal((await lifecycle.describe()).status.name, 'RUNNING');

    const [entry] = await company.rows(`select id from webhook_attempts where status = 'skipped'`);
    const [run] = await company.rows(`select id from automation_runs where status = 'cancelled'`);
    await company.run((trx) => redeliver(trx, now(), String(webhook.id), String(entry?.id), null));
    await company.run((trx) => rerun(trx, now(), String(rule.id), String(run?.id), null));
    await eventually(() => {
      assert.deepEqual(
        [arrived('/orders'), arrived('/rule')],
        [
          [fresh.id, old.id],
          [fresh.id, old.id],
        ],
      );
    });
  });

  it('refuses a time that is none', async () => {
    await assert.rejects(command('worker/restored.ts', '--as-of', 'yesterday'), /must be a time such as/);
  });
});
