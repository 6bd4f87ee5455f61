import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { freePort } from '../../runtime/ports.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { createWebhook } from '../../services/integrations/webhooks/manage.ts';
import { ServiceClient } from '../../services/platform/temporal/client.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { documentLifecycleId, type LifecycleView } from '../../workflows/trade/documents/contract.ts';
import { useCompany, useReceiver } from '../helpers/hooks.ts';
import { status } from '../helpers/receiver.ts';
import { findTestTemporalCli, testCompanyNames, waitForTemporal } from '../helpers/servers.ts';
import { ALLOWED_TARGETS, LOCAL_TARGETS } from '../helpers/targets.ts';
import { allHandedOver, ENCRYPTION_KEY, eventually } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

describe('outages', function () {
  this.timeout(180_000);
  let folder: string;
  let port: number;
  const children = new Set<ChildProcess>();

  const company = useCompany();
  const receiver = useReceiver();
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'outages-'));
    port = await freePort();
  });
  after(async () => {
    for (const child of children) await kill(child, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  /** Ignores the output: messages of a dying Temporal server are of no interest. */
  function start(file: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
    const child = spawn(file, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', file === process.execPath ? 'inherit' : 'ignore'],
    });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }
  async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit') as Promise<[number | null]>;
    child.kill(signal);
    return (await exited)[0];
  }
  async function startTemporal(): Promise<ChildProcess> {
    const file = join(folder, 'temporal.db');
    const command = temporalCommand({
      cli: await findTestTemporalCli(),
      file,
      port,
      uiPort: undefined,
      namespace: 'default',
      durable: false,
    });
    const server = start(command.file, command.args);
    server.stdout?.resume();
    await waitForTemporal(`127.0.0.1:${port}`, 'default', AbortSignal.timeout(30_000));
    return server;
  }
  /** `npm run worker`, as a process of its own; resolves once it works. */
  async function startWorkerProcess(): Promise<ChildProcess> {
    const worker = start(process.execPath, ['--import', 'tsx', 'worker/main.ts'], {
      ...process.env,
      DATABASE_URL: company.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      ENCRYPTION_KEY,
      OUTBOUND_ALLOWED_TARGETS: ALLOWED_TARGETS,
      LOG_LEVEL: 'info',
    });
    let output = '';
    worker.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => assert.match(output, /Working on documents/), 60_000);
    return worker;
  }
  async function orders(count: number): Promise<string[]> {
    const made = [];
    for (let index = 0; index < count; index++) {
      const order = await company.run((trx) =>
        createDocument(trx, company.ctx, 'SO', {
          partnerId: company.customerId,
          lines: [{ itemId: company.itemId, quantity: 1 }],
        }),
      );
      made.push(String(order.id));
    }
    return made;
  }
  async function successes(): Promise<Set<string>> {
    const rows = await company.rows(`select event_id from webhook_attempts where status = 'success'`);
    return new Set(rows.map((row) => String(row.event_id)));
  }
  function countRequests(eventIds: Set<string>): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { body } of receiver.received) {
      const { id } = JSON.parse(body) as { id: string };
      if (eventIds.has(id)) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  /** Every third answer is a failure, and each takes a moment, so that any kill meets deliveries in all states. */
  async function registerWebhook(): Promise<{ readonly open: number }> {
    let answers = 0;
    const answering = { open: 0 };
    receiver.answer('/hook', (response) => {
      const code = ++answers % 3 === 0 ? 500 : 200;
      answering.open += 1;
      response.once('close', () => {
        answering.open -= 1;
      });
      setTimeout(() => status(code)(response), 100);
    });
    await company.run((trx) =>
      createWebhook(
        trx,
        company.ctx,
        { targets: LOCAL_TARGETS, encryptionKeys: [ENCRYPTION_KEY] },
        {
          name: 'outages',
          url: `${receiver.url}/hook`,
          events: ['document.created'],
          retry_policy: { max_attempts: 20, retry_delay_seconds: [1] },
        },
      ),
    );
    return answering;
  }

  const documents: string[] = [];
  /** The successes that the log had at the kill, and how often the receiver had got each by then. */
  let atKill: { readonly logged: Set<string>; readonly requests: Map<string, number> };
  let second: ChildProcess;
  before('deliver while the worker is killed and Temporal restarted', async () => {
    const answering = await registerWebhook();
    const temporal = await startTemporal();
    const first = await startWorkerProcess();
    documents.push(...(await orders(60)));
    await eventually(async () => assert.ok((await successes()).size >= 5, 'deliveries begin'));
    await kill(first, 'SIGKILL');
    const logged = await successes();
    await eventually(() => assert.equal(answering.open, 0, 'answers are on their way'));
    atKill = { logged, requests: countRequests(logged) };
    documents.push(...(await orders(20)));

    second = await startWorkerProcess();
    await eventually(async () => assert.ok((await successes()).size >= logged.size + 10, 'deliveries go on'), 60_000);
    await kill(temporal, 'SIGKILL');
    documents.push(...(await orders(20)));
    await eventually(async () => {
      const [row] = await company.rows(
        'select count(*)::int as n from outbox where processed_at is null and last_error is not null',
      );
      assert.ok(Number(row?.n) > 0, 'the outage is felt');
    }, 60_000);
    await startTemporal();
  });

  it('lose nothing', async () => {
    await eventually(async () => assert.equal((await successes()).size, documents.length), 100_000);
    await allHandedOver(company);
  });

  it('repeat no logged success', async () => {
    assert.deepEqual(countRequests(atKill.logged), atKill.requests, 'a logged success was sent again');
    const [log] = await company.rows(
      `select count(*) filter (where status = 'success')::int as successes, count(distinct event_id)::int as events,
         count(*) filter (where status = 'success' and attempt < (select max(attempt) from webhook_attempts b
           where b.event_id = a.event_id))::int as repeated
       from webhook_attempts a`,
    );
    assert.deepEqual(log, { successes: documents.length, events: documents.length, repeated: 0 });
  });

  it('leave every document its lifecycle, whether created before, between or during them', async () => {
    const connection = await Connection.connect({ address: `127.0.0.1:${port}` });
    const client = new ServiceClient({ connection, names: testCompanyNames() });
    for (const documentId of [documents[0], documents[65], documents[99]]) {
      const handle = client.workflow.getHandle(documentLifecycleId(company.ctx.tenantId, String(documentId)));
      assert.equal((await handle.query<LifecycleView>('state')).status, 'O');
    }
    await connection.close();
  });

  it('leave the row of a killed worker, while a stopped one removes its own', async () => {
    const count = async () => (await company.database.withSystem((trx) => trx('workers').count({ n: '*' })))[0]?.n;
    assert.equal(await count(), 2);
    assert.equal(await kill(second, 'SIGTERM'), 0);
    assert.equal(await count(), 1);
  });
});
