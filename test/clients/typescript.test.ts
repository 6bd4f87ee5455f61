/** The package as strangers get it: built, packed, installed into an empty folder, and used on a running service. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, it } from 'mocha';
import { WebSocket } from 'ws';
import type * as Package from '../../clients/typescript/src/index.ts';
import { OWNER } from '../helpers/app.ts';
import { use, useIntegrations, useWorker } from '../helpers/hooks.ts';
import { startProxy } from '../helpers/proxy.ts';
import { eventually, testConfig } from '../helpers/worker.ts';
import { sampleCalls } from './samples.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const node = (cwd: string, words: string[], env: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, words, { cwd, env: { ...process.env, ...env } }).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });

describe('the client for TypeScript', function () {
  this.timeout(240_000);
  const { app, temporal, receiver } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  const proxy = use(() => startProxy(new URL(app.address).host));
  let folder: string;
  let service: typeof Package;
  let client: Package.Client;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'package-'));
    await node(ROOT, ['--import', 'tsx', 'clients/typescript/build.ts']);
    await run('npm', ['pack', join(ROOT, 'clients/typescript')], { cwd: folder });
    const [packed = ''] = readdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`], { cwd: folder });
    const installed = join(folder, 'node_modules/business-management-client/dist/esm/index.js');
    service = (await import(pathToFileURL(installed).href)) as typeof Package;
    client = service.createClient({ baseUrl: app.address, email: OWNER.email, password: OWNER.password });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is installed by itself, as a module and with require', async () => {
    assert.deepEqual(
      readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
      ['business-management-client'],
    );
    const name = 'business-management-client';
    const uses = [
      `import * as c from '${name}'`,
      `const c = (await import('node:module')).createRequire(process.cwd() + '/x')('${name}')`,
    ];
    for (const how of uses) {
      const { stdout } = await node(folder, [
        '--input-type=module',
        '-e',
        `${how}; console.log(typeof c.createClient)`,
      ]);
      assert.equal(stdout, 'function\n');
    }
  });

  it('does what its README says, and its types agree', async () => {
    const page = readFileSync(join(ROOT, 'clients/typescript/README.md'), 'utf8');
    const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code).join('\n');
    const account = examples.replace('owner@example.com', OWNER.email).replace('correct horse battery', OWNER.password);
    assert.notEqual(account, examples);
    writeFileSync(join(folder, 'readme.ts'), account);
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom'];
    await node(folder, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...types, 'readme.ts']);
    const { stdout } = await node(folder, ['--import', import.meta.resolve('tsx'), 'readme.ts'], { API: app.address });
    assert.match(stdout, /SINV\d{4}-\d+ 193\.6/);
    assert.match(stdout, /validation_failed \/name/);
    assert.match(stdout, /CLI\d+;Bar Centro/);
  });

  it('takes the example of each operation on the pages at /docs', async () => {
    const calls = [...sampleCalls()].map(({ id, ids, samples: { ts } }) => {
      const given = ['client: Client', 'file: Blob', ...ids.map((name) => `${name}: string`)].join(', ');
      return `export async function ${id}(${given}) {\n  {\n${ts}\n  }\n}`;
    });
    assert.ok(calls.length > 400, String(calls.length));
    const code = `import type { Client } from 'business-management-client';\n${calls.join('\n')}\n`;
    writeFileSync(join(folder, 'samples.ts'), code);
    const types = ['--typeRoots', join(ROOT, 'node_modules/@types'), '--types', 'node'];
    const options = ['--strict', '--noEmit', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom'];
    await node(folder, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, ...types, 'samples.ts']);
  });

  /** Sells a chair, from the order to its invoice. */
  const checkout = async () => {
    const group = await client.partnerGroups.list({ isCustomer: true }).first();
    const customer = await client.partners.create({ name: 'Ana', groupId: String(group?.id) });
    const order = await client.sales.create({
      partnerId: customer.id,
      lines: [{ description: 'A chair', quantity: 1, price: 100 }],
    });
    const note = await client.sales.deliver(order.id);
    const draft = await client.sales.deliveryNotes.invoice(note.id);
    return await client.sales.invoices.post(draft.id);
  };

  it('carries an order to invoice, payment, webhook and refund', async () => {
    const webhook = await client.webhooks.create({
      name: 'Shop',
      url: `${receiver.url}/shop`,
      events: ['payment.received'],
      secret: 'a secret of sixteen or more',
    });
    const invoice = await checkout();
    await client.payments.in.create({
      partner_id: invoice.partnerId,
      amount: invoice.total,
      payment_date: invoice.date,
      payment_method: 'card',
      linked_documents: [{ document_type: 'sales_invoice', document_id: invoice.id }],
    });
    assert.equal((await client.sales.invoices.get(invoice.id)).paymentStatus, 'paid');
    const [request] = await eventually(() => {
      const found = receiver.at('/shop');
      assert.equal(found.length, 1);
      return found;
    });
    const { headers, body } = request as NonNullable<typeof request>;
    const secret = 'a secret of sixteen or more';
    const event = await service.verifyWebhook<{ amount: number }>({ secret, headers, body });
    assert.deepEqual([event.event, event.data.amount], ['payment.received', 121]);
    const later = new Date(Date.now() + 3_600_000);
    for (const bad of [
      { body: `${body} ` },
      { secret: 'another secret of sixteen' },
      { now: later },
      { headers: {} },
    ]) {
      await assert.rejects(service.verifyWebhook({ secret, headers, body, ...bad }), service.WebhookError);
    }
    const refund = await client.sales.invoices.rectify(invoice.id, { reason: 'Returned' });
    const { total, rectifies } = await client.sales.invoices.post(refund.id);
    assert.deepEqual([total, rectifies], [-121, invoice.id]);
    await client.webhooks.delete(webhook.id);
  });

  it('reads all rows of a list, with filters and pages', async () => {
    const group = await client.partnerGroups.list({ isCustomer: true }).first();
    for (const name of ['Filter A', 'Filter B', 'Filter C'])
      await client.partners.create({ name, groupId: String(group?.id) });
    const names: string[] = [];
    for await (const one of client.partners.list({ name: { contains: 'filter' }, limit: 2, sort: ['name'] }))
      names.push(one.name);
    assert.deepEqual(names, ['Filter A', 'Filter B', 'Filter C']);
    const page = await client.partners.list({ name: { in: ['Filter A', 'Filter C'] } }).page(1);
    assert.equal(page.pagination.total, 2);
    assert.equal((await client.partners.list({ name: { contains: 'filter' } }).toArray({ max: 1 })).length, 1);
    assert.equal(await client.partners.list({ name: 'Nobody' }).first(), undefined);
  });

  it('repeats what got no answer, and makes one record of it', async () => {
    const group = await client.partnerGroups.list({ isCustomer: true }).first();
    let lost = 0;
    const forgetful: typeof fetch = async (input, init) => {
      const response = await fetch(input, init);
      if (init?.method !== 'POST' || !String(input).endsWith('/partners') || lost++ > 0) return response;
      await response.text();
      throw new TypeError('fetch failed', { cause: new Error('the answer was lost') });
    };
    const careful = service.createClient({
      baseUrl: app.address,
      email: OWNER.email,
      password: OWNER.password,
      fetch: forgetful,
    });
    const made = await careful.partners.create({ name: 'Made once', groupId: String(group?.id) });
    assert.equal(lost, 2);
    assert.deepEqual(
      (await client.partners.list({ name: 'Made once' }).toArray()).map(({ id }) => id),
      [made.id],
    );
  });

  it('waits as it is asked to, and gives up after its repetitions', async () => {
    let asked = 0;
    const busy: typeof fetch = async (input, init) => {
      if (!String(input).includes('/items')) return fetch(input, init);
      asked++;
      const problem = { code: 'unavailable', detail: 'Later', status: 503, request_id: 'r' };
      return new Response(JSON.stringify(problem), { status: 503, headers: { 'Retry-After': '0' } });
    };
    const account = { baseUrl: app.address, email: OWNER.email, password: OWNER.password };
    const impatient = service.createClient({ ...account, retries: 1, fetch: busy });
    await assert.rejects(impatient.items.list().page(), (error) => {
      assert.ok(error instanceof service.UnavailableError);
      assert.deepEqual([error.code, error.requestId, error.retryAfter], ['unavailable', 'r', 0]);
      return true;
    });
    assert.equal(asked, 2);
  });

  it('tells refusals by their class, code and member', async () => {
    const group = await client.partnerGroups.list({ isCustomer: true }).first();
    const missing = String(group?.id);
    await assert.rejects(client.partners.get(missing), service.NotFoundError);
    await assert.rejects(client.partners.create({ name: '', groupId: missing }), (error) => {
      assert.ok(error instanceof service.ValidationError && error instanceof service.ServiceError);
      assert.deepEqual([error.status, error.code, error.pointer], [422, 'validation_failed', '/name']);
      return true;
    });
    const partner = await client.partners.create({ name: 'Twice', groupId: missing });
    await client.partners.update(partner.id, { phone: '1' }, { version: partner.version });
    await assert.rejects(
      client.partners.update(partner.id, { phone: '2' }, { version: partner.version }),
      service.StaleVersionError,
    );
    await client.partners.delete(partner.id);
    const nobody = service.createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'ak_none', retries: 0 });
    await assert.rejects(nobody.partners.get(partner.id), service.ConnectionError);
    assert.throws(() => client.partners.get(''), TypeError);
  });

  it('renews a token that has ended, once for all requests', async () => {
    const { body } = await app.anonymous.post('/api/auth/login', { email: OWNER.email, password: OWNER.password });
    const tokens: Package.Tokens[] = [];
    const old = { token: `${body.token}x`, refreshToken: String(body.refresh_token) };
    const later = service.createClient({ baseUrl: app.address, ...old, onTokens: (made) => tokens.push(made) });
    const answers = await Promise.all([1, 2, 3, 4].map(() => later.auth.me()));
    assert.equal(new Set(answers.map(({ user }) => user?.email)).size, 1);
    assert.equal(tokens.length, 1);
  });

  it('waits for background tasks, and tells how they go on', async () => {
    const seen: number[] = [];
    const task = await client.waitForTask(await client.reports.trialBalance.generate({ format: 'csv' }), {
      onProgress: ({ progress }) => seen.push(progress),
    });
    assert.equal(task.status, 'completed');
    assert.equal(seen.at(-1), 100);
    const file = await client.tasks.result(task.id);
    assert.match(file.type, /csv/);
    const failing: typeof fetch = async (input, init) => {
      if (!String(input).includes('/tasks/')) return fetch(input, init);
      return Response.json({ data: { ...task, status: 'failed', message: 'The printer burns' } });
    };
    const account = { baseUrl: app.address, email: OWNER.email, password: OWNER.password };
    await assert.rejects(service.createClient({ ...account, fetch: failing }).waitForTask(task), (error) => {
      assert.ok(error instanceof service.TaskError);
      assert.match(error.message, /failed: The printer burns/);
      return true;
    });
  });

  it('goes on with notifications after a lost connection, and misses none', async () => {
    const through = service.createClient({
      baseUrl: `http://${proxy.host}:${proxy.port}`,
      email: OWNER.email,
      password: OWNER.password,
      WebSocket: WebSocket as unknown as Package.SocketClass,
    });
    const stop = new AbortController();
    const feed = through.notificationFeed({ signal: stop.signal });
    const generate = async () => client.waitForTask(await client.reports.trialBalance.generate({ format: 'csv' }));
    const first = feed.next();
    // Until the connection is there, nothing comes that was before it.
    const pending = setInterval(() => void generate().catch(() => undefined), 1000);
    const one = (await first).value;
    clearInterval(pending);
    assert.ok(one);
    proxy.cut();
    const task = await generate();
    const ids: unknown[] = [];
    for (;;) {
      const { value } = await feed.next();
      ids.push(value?.id);
      if (JSON.stringify(value).includes(task.id)) break;
    }
    assert.equal(new Set([one.id, ...ids]).size, ids.length + 1);
    stop.abort();
    await assert.rejects(feed.next());
  });
});
