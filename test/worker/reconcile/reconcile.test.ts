import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { freePort } from '../../../runtime/ports.ts';
import { temporalCommand } from '../../../runtime/temporal.ts';
import { invite } from '../../../services/access/invitations/invitations.ts';
import { heldRole } from '../../../services/access/roles/held.ts';
import { createAutomation } from '../../../services/integrations/automations/manage.ts';
import { changeWebhook, createWebhook } from '../../../services/integrations/webhooks/manage.ts';
import { redeliver } from '../../../services/integrations/webhooks/redeliver.ts';
import { ServiceClient } from '../../../services/platform/temporal/client.ts';
import { startImportTask } from '../../../services/records/imports/task.ts';
import { cancelDocument } from '../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../services/trade/lifecycle/create.ts';
import { LIFECYCLE_COMPARISON_ID } from '../../../workflows/operation/contract.ts';
import { documentLifecycleId, type LifecycleView } from '../../../workflows/trade/documents/contract.ts';
import type { TestCompany } from '../../helpers/company.ts';
import { useCompany, useOtherCompany, useReceiver } from '../../helpers/hooks.ts';
import { received } from '../../helpers/receivables.ts';
import { status } from '../../helpers/receiver.ts';
import { findTestTemporalCli, testCompanyNames, waitForTemporal } from '../../helpers/servers.ts';
import { LOCAL_TARGETS } from '../../helpers/targets.ts';
import { ENCRYPTION_KEY, eventually, killed, startWorker, testConfig } from '../../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const POLICY = { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] };
type Company = Omit<TestCompany, 'close'>;

describe('a Temporal that was lost', function () {
  this.timeout(240_000);
  let folder: string;
  let port: number;
  let server: ChildProcess | null = null;
  let worker: { stop(): Promise<void> } | null = null;

  const company = useCompany();
  const other = useOtherCompany(company);
  const receiver = useReceiver();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'lost-'));
    port = await freePort();
  });
  after(async () => {
    await worker?.stop();
    if (server !== null) await killed(server);
    rmSync(folder, { recursive: true, force: true });
  });

  const address = () => `127.0.0.1:${port}`;
  const servers = () => ({ url: company.url, address: address(), namespace: 'default', durable: false });
  async function startTemporal() {
    const cli = await findTestTemporalCli();
    const file = join(folder, 'temporal.db');
    const command = temporalCommand({ cli, file, port, uiPort: undefined, namespace: 'default', durable: false });
    server = spawn(command.file, [...command.args], { stdio: 'ignore' });
    await waitForTemporal(address(), 'default', AbortSignal.timeout(60_000));
  }
  async function loseTemporal() {
    if (server !== null) await killed(server);
    rmSync(folder, { recursive: true, force: true });
    folder = mkdtempSync(join(tmpdir(), 'lost-'));
    await startTemporal();
  }
  /** `npm run reconcile`. @returns what it says of each kind: should run, missing, started again */
  async function reconcile(...args: string[]): Promise<Record<string, number[]>> {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', 'worker/reconcile/main.ts', ...args],
      {
        cwd: ROOT,
        env: { ...process.env, DATABASE_URL: company.url, TEMPORAL_ADDRESS: address() },
      },
    );
    const rows = [...stdout.matchAll(/^([a-z]+) +(\d+) +(\d+) +(\d+)$/gm)];
    return Object.fromEntries(rows.map(([, kind, ...counts]) => [kind, counts.map(Number)]));
  }
  const order = (one: Company) =>
    one.run((trx) =>
      createDocument(trx, { ...one.ctx, now: new Date() }, 'SO', {
        partnerId: one.customerId,
        lines: [{ itemId: one.itemId, quantity: 1 }],
      }),
    );
  const webhook = (one: Company, path: string, retry: number[], events = ['document.created']) =>
    one.run((trx) =>
      createWebhook(trx, one.ctx, POLICY, {
        name: path,
        url: receiver.url + path,
        events,
        retry_policy: { max_attempts: 5, retry_delay_seconds: retry },
      }),
    );
  const log = (one: Company, id: string) =>
    one.rows('select event_id, attempt, status from webhook_attempts where webhook_id = ? order by sent_at', [id]);
  /** Ages everything that the test made, so that nothing is too young for a check. */
  const age = async () => {
    await company.database.withSystem((trx) =>
      trx.raw(`update outbox set created_at = created_at - interval '2 minutes'`),
    );
    await other.run((trx) => trx.raw(`update tasks set created_at = created_at - interval '2 minutes'`));
    await other.run((trx) => trx.raw(`update invitations set last_mail_at = last_mail_at - interval '2 minutes'`));
    await other.run((trx) => trx.raw(`update automation_runs set started_at = started_at - interval '2 minutes'`));
    await other.run((trx) => trx.raw(`update emails set created_at = created_at - interval '2 minutes'`));
  };
  const handedOver = () =>
    eventually(async () => {
      const { rows } = await company.database.withSystem((trx) =>
        trx.raw('select count(*)::int as n from outbox where processed_at is null'),
      );
      assert.deepEqual(rows, [{ n: 0 }]);
    }, 60_000);

  interface Made {
    readonly id: unknown;
  }
  interface UnderWay {
    readonly webhooks: { readonly failing: Made; readonly fine: Made; readonly again: Made };
    readonly orders: readonly Made[];
    readonly theirs: readonly Made[];
    readonly task: Made;
    readonly payment: Made;
  }
  const importTask = () =>
    other.run((trx) =>
      startImportTask(
        trx,
        { ...other.ctx, now: new Date() },
        {
          resource: 'uom',
          role: 'owner',
          permission: 'partners:read' as const,
          name: undefined,
          file: { type: 'text/csv', content: Buffer.from('code;name\nLOST;Lost\n') },
          options: { mode: 'create', dryRun: false, partial: true },
        },
      ),
    );

  /** Work of every kind, none of which is over: endpoints fail, and no worker takes tasks and matchings. */
  async function putUnderWay(): Promise<UnderWay> {
    worker = startWorker(testConfig(servers()), { queues: ['documents', 'webhooks', 'pdf'] });
    const failing = await webhook(company, '/failing', [3600]);
    const fine = await webhook(other, '/fine', [3600]);
    const again = await webhook(other, '/again', [3600]);
    const orders = [await order(company), await order(company)];
    const theirs = await order(other);
    const over = await order(company);
    await company.run((trx) => cancelDocument(trx, company.ctx, String(over.id), { ifMatch: null }));
    await eventually(async () => {
      assert.equal((await log(company, failing.id)).length, 3);
      assert.equal((await log(other, fine.id)).length, 1);
      assert.equal((await log(other, again.id)).length, 1);
    }, 60_000);
    // A redelivery that fails and waits; one of two tasks that no worker takes; a payment whose matching is lost.
    const [entry] = await other.rows('select id from webhook_attempts where webhook_id = ?', [again.id]);
    await other.run((trx) => redeliver(trx, { ...other.ctx, now: new Date() }, again.id, String(entry?.id), null));
    await eventually(async () => assert.equal((await log(other, again.id)).length, 2), 60_000);
    const task = await importTask();
    await handedOver();
    await worker.stop();
    worker = null;
    // Registered while nothing works, and handed over to a Temporal that then loses it.
    const payment = await received(company, 12, { auto_reconcile: true });
    await other.run((trx) =>
      createAutomation(trx, { ...other.ctx, now: new Date() }, POLICY, {
        name: 'Cancel',
        trigger: { type: 'document.created' },
        actions: [{ type: 'document.cancel' }],
      }),
    );
    const unseen = await order(other);
    await other.run((trx) =>
      invite(trx, { ...other.ctx, now: new Date() }, { email: 'nina@example.test', held: heldRole('viewer') }),
    );
    const relay = startWorker(testConfig(servers()), { queues: ['pdf'] });
    await handedOver();
    await relay.stop();
    await age();
    return { webhooks: { failing, fine, again }, orders, theirs: [theirs, unseen], task, payment };
  }

  describe('and begins anew without its file', () => {
    const DUE = {
      lifecycles: 4,
      tasks: 1,
      matchings: 1,
      emails: 1,
      automations: 1,
      deliveries: 5,
      redeliveries: 1,
      revaluations: 0,
      verifactu: 0,
      face: 0,
    };
    const eachDue = (counts: (due: number) => number[]) =>
      Object.fromEntries(Object.entries(DUE).map(([kind, due]) => [kind, counts(due)]));
    let broken = true;
    let made: UnderWay;

    before(async () => {
      receiver.answer('/failing', (response) => status(broken ? 500 : 200)(response));
      receiver.answer('/again', (response, nth) => status(nth === 1 ? 200 : broken ? 500 : 200)(response));
      await startTemporal();
      made = await putUnderWay();
      await loseTemporal();
    });

    it('is reported with everything that is missing, and a report starts nothing', async () => {
      assert.deepEqual(
        await reconcile('--report'),
        eachDue((due) => [due, due, 0]),
      );
    });

    it('has everything in progress started again, and nothing twice', async () => {
      assert.deepEqual(
        await reconcile(),
        eachDue((due) => [due, due, due]),
      );
      assert.deepEqual(receiver.at('/fine').length, 1, 'nothing works yet');
      broken = false;
      worker = startWorker(testConfig(servers(), { DATA_DIR: folder }));
      const { failing, fine, again } = made.webhooks;
      await eventually(async () => {
        const statuses = async (of: Company, { id }: Made) => (await log(of, String(id))).map((one) => one.status);
        const arrived = (await statuses(company, failing)).filter((one) => one === 'success');
        assert.equal(arrived.length, 3);
        assert.deepEqual(await statuses(other, fine), ['success', 'success']);
        const repeated = await statuses(other, again);
        assert.deepEqual(repeated.toSorted(), ['failed', 'success', 'success', 'success']);
        const [ended] = await other.rows('select status from tasks where id = ?', [made.task.id]);
        assert.equal(ended?.status, 'completed');
        const [matched] = await company.rows('select reconciliation from payments where id = ?', [made.payment.id]);
        assert.equal(matched?.reconciliation, 'done');
        const mailed = await other.rows('select mailed_at from invitations');
        assert.deepEqual(
          mailed.filter((one) => one.mailed_at === null),
          [],
        );
        assert.equal(mailed.length, 1);
        // Cancelling is not permitted on behalf of the rule's author.
        const runs = await other.rows('select status from automation_runs');
        assert.deepEqual(runs, [{ status: 'cancelled' }]);
      }, 90_000);
      const ids = receiver.at('/fine').map(({ body }) => (JSON.parse(body) as { id: string }).id);
      assert.equal(new Set(ids).size, ids.length, 'each event once');
    });

    it('has the lifecycle of each open document, and the schedules', async () => {
      const connection = await Connection.connect({ address: address() });
      try {
        const { workflow, schedule } = new ServiceClient({ connection, names: testCompanyNames() });
        const lifecycleState = (tenantId: string, { id }: Made) =>
          workflow.getHandle(documentLifecycleId(tenantId, String(id))).query<LifecycleView>('state');
        for (const one of made.orders) assert.equal((await lifecycleState(company.ctx.tenantId, one)).status, 'O');
        for (const one of made.theirs) assert.equal((await lifecycleState(other.ctx.tenantId, one)).status, 'O');
        assert.equal((await schedule.getHandle(LIFECYCLE_COMPARISON_ID).describe()).policies.overlap, 'SKIP');
      } finally {
        await connection.close();
      }
    });

    it('misses nothing afterwards: a second run starts nothing', async () => {
      await eventually(async () => {
        const after = await reconcile('--report');
        for (const [kind, [, missing]] of Object.entries(after)) assert.equal(missing, 0, kind);
      });
      const before = receiver.received.length;
      await reconcile();
      assert.equal(receiver.received.length, before);
    });

    it('does not cause deliveries that a webhook did not want when the event happened', async () => {
      const narrow = await webhook(other, '/narrow', [3600], ['user.created']);
      await order(other);
      await handedOver();
      await age();
      const ctx = { ...other.ctx, now: new Date() };
      await other.run((trx) => changeWebhook(trx, ctx, POLICY, narrow.id, { events: ['*'] }, null));
      await webhook({ ...other, ctx }, '/later', [3600], ['*']);
      const { deliveries } = await reconcile('--report');
      assert.equal(deliveries?.[1], 0);
    });
  });
});
