import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../config/index.ts';
import { withLocalService } from '../../config/local.ts';
import { broken, verifyDatabase } from '../../db/verify.ts';
import { ApiClient } from '../../demo/api-client.ts';
import { runDemo } from '../../demo/main.ts';
import { openWebhook } from '../../demo/webhook.ts';
import { freePort } from '../../runtime/ports.ts';
import { Outbound } from '../../services/platform/outbound/outbound.ts';
import { listeningPorts } from '../helpers/listening.ts';
import { pdfText } from '../helpers/pdf-text.ts';
import { ALLOWED_TARGETS } from '../helpers/targets.ts';
import { ownPlace, ServiceProcess } from './service-process.ts';
import { assertDelivered, draftInvoice, type Slice, type SliceDocument, tradeThrough } from './slice.ts';
import { Operator } from './workflows.ts';

describe('the started service, from end to end', function () {
  this.timeout(120_000);
  let dataDir: string;
  let service: ServiceProcess;
  let url: string;
  let temporalPort: number;
  let client: ApiClient;
  let slice: Slice;

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'e2e-'));
    const place = await ownPlace(dataDir);
    temporalPort = Number(place.TEMPORAL_PORT);
    url = `http://127.0.0.1:${place.PORT}`;
    service = new ServiceProcess('runtime/start', [], {
      ...place,
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_TARGETS: ALLOWED_TARGETS,
    });
    await service.says('Ready.');
  });
  after(async () => {
    const code = await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
    assert.equal(code, 0, service.output);
  });

  const demo = async (more: { data?: string } = {}) => {
    const printed: string[] = [];
    const output = { terminal: false, write: (text: string) => void printed.push(text) };
    const options = {
      url,
      dataDir,
      temporalUi: 'http://127.0.0.1:8233',
      namespace: 'default',
      receiverPort: 0,
      length: 10,
      ...more,
    };
    const code = await runDemo(options, output);
    return { code, printed: printed.join('') };
  };

  it('npm run demo: a company, days of sales, webhooks with good signatures, PDFs', async () => {
    const { code, printed } = await demo();
    assert.equal(code, 0, printed);
    assert.match(printed, /sales posted \(order → note → invoice\) +\d+/);
    assert.match(printed, /webhook document\.locked, signatures good +\d+/);
    assert.match(printed, /Everything adds up/);
    const files = readdirSync(join(dataDir, 'demo')).sort();
    assert.equal(files.length, 2);
    const [draft, posted] = await Promise.all(files.map((file) => pdfText(readFileSync(join(dataDir, 'demo', file)))));
    assert.match(draft ?? '', /BORRADOR|DRAFT/);
    assert.doesNotMatch(posted ?? '', /BORRADOR|DRAFT/);
    assert.ok(posted?.includes(/invoice-(.+)\.pdf/.exec(files[1] ?? '')?.[1] ?? 'no code'), posted);
  });

  it('the slice through the interface, with the credentials that the demo has kept', async () => {
    const kept = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
    client = new ApiClient(url);
    await client.login({ email: kept.email, password: kept.password }, kept.tenantId);
    const webhook = await openWebhook(client, ['document.created', 'document.updated', 'document.locked'], 0);
    try {
      slice = await tradeThrough(client, client, 'E2E');
      await assertDelivered(client, webhook, slice);
    } finally {
      await webhook.close();
    }
  });

  it('an operator finds the documents in Temporal, and posts and cancels there as the interface does', async () => {
    const operator = await Operator.at(`127.0.0.1:${temporalPort}`, 'default', client.tenantId ?? '');
    try {
      const { id } = await draftInvoice(client, slice);
      await operator.finds('SalesInvoice', id, 'D');
      const posted = await operator.post(id);
      assert.equal(posted.status, 'O');
      const read = await client.one<SliceDocument>(`/api/sales/invoices/${id}`);
      assert.deepEqual([read.status, read.code], ['O', posted.code]);
      await operator.finds('SalesInvoice', id, 'O');
      assert.equal((await operator.cancel(id)).status, 'X');
      assert.equal((await client.one<SliceDocument>(`/api/sales/invoices/${id}`)).status, 'X');
    } finally {
      await operator.close();
    }
  });

  it('none of its own ports can be called from inside', async function () {
    if (process.platform !== 'linux') this.skip();
    const OPEN = { WEBHOOK_ALLOW_PRIVATE_TARGETS: 'true', WEBHOOK_ALLOWED_TARGETS: '127.0.0.1:*,[::1]:*,localhost:*' };
    const { targets } = loadConfig(withLocalService({ DATA_DIR: dataDir, ...OPEN })).webhooks;
    const ports = listeningPorts(service.pid);
    assert.ok(ports.length >= 4, `API, PostgreSQL, Temporal and its UI among ${ports}`);
    const outbound = new Outbound({ targets });
    try {
      for (const port of ports) {
        const sending = outbound.send({
          ...{ url: `http://127.0.0.1:${port}/metrics`, method: 'GET', headers: {}, body: null },
          ...{ timeoutMs: 5000, maxAnswerBytes: 100 },
        });
        // Inner services of Temporal, on ports that nobody chose, understand HTTP/2 only.
        await assert.rejects(sending, /a server of this service|is not HTTP|closed before/, String(port));
      }
    } finally {
      await outbound.close();
    }
  });

  it('a second API joins it, with its servers and its keys', async () => {
    const env = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    const second = new ServiceProcess('api/server', [], env);
    try {
      await second.says('Listening on');
      const { email, password } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'));
      const login = await fetch(`${url}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password }),
      });
      const { token } = (await login.json()) as { token: string };
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/auth/me`, { headers });
      assert.equal(answer.status, 200);
    } finally {
      assert.equal(await second.stop(), 0, second.output);
    }
  });

  it('npm run demo --data: real lines, sold to the cent, and only once', async () => {
    const data = new URL('./fixtures/retail', import.meta.url).pathname;
    const first = await demo({ data });
    assert.equal(first.code, 0, first.printed);
    const [day] = /^2010-12-01 .*$/m.exec(first.printed.split('Sold')[1] ?? '') ?? [];
    assert.deepEqual(day?.split(/ {2,}/), ['2010-12-01', '4', '5', '5', '1', '1339.75', '1339.75', '0.00']);
    const again = await demo({ data });
    assert.equal(again.code, 0, again.printed);
    const [repeated] = /^2010-12-01 .*$/m.exec(again.printed.split('Sold')[1] ?? '') ?? [];
    assert.deepEqual(repeated?.split(/ {2,}/).slice(2, 4), ['5', '0']);
  });

  it('all invariants hold afterwards', async () => {
    const connections = readFileSync(join(dataDir, 'connections.env'), 'utf8');
    const findings = await verifyDatabase(/^DATABASE_URL=(.+)$/m.exec(connections)?.[1] ?? '');
    assert.deepEqual(broken(findings), []);
  });
});
