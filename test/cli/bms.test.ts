/** `bms` as a person and a script run it: a process of its own. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { verifyWebhook } from '../../clients/typescript/src/webhooks.ts';
import { OWNER } from '../helpers/app.ts';
import { useIntegrations, useWorker } from '../helpers/hooks.ts';
import { eventually, testConfig } from '../helpers/worker.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('bms', function () {
  this.timeout(180_000);
  const { app, temporal, receiver } = useIntegrations();
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));
  let home: string;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'bms-home-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  const start = (args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...args], {
      cwd: ROOT,
      env: { ...process.env, XDG_CONFIG_HOME: home, BMS_URL: '', BMS_API_KEY: '', ...env },
    });
  /** Runs a command to its end. */
  const bms = async (args: string[], { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {}) => {
    const child = start(args, env);
    const read = { out: '', err: '' };
    child.stdout?.on('data', (bytes: Buffer) => {
      read.out += bytes;
    });
    child.stderr?.on('data', (bytes: Buffer) => {
      read.err += bytes;
    });
    child.stdin?.end(input);
    const [code] = (await once(child, 'close')) as [number];
    return { ...read, code };
  };
  const done = async (args: string[], options: Parameters<typeof bms>[1] = {}) => {
    const { out, err, code } = await bms(args, options);
    assert.equal(code, 0, `${args.join(' ')}: ${err}${out}`);
    return out;
  };

  it('logs in, keeps the session for its owner alone, and never the password', async () => {
    const nobody = await bms(['list', 'partners']);
    assert.deepEqual([nobody.code, nobody.err], [2, 'Nobody is logged in: bms login\n']);
    const wrong = await bms(['login', '--url', app.address, '--email', OWNER.email], { input: 'wrong password\n' });
    assert.equal(wrong.code, 5, wrong.err);
    const out = await done(['login', '--url', app.address, '--email', OWNER.email], { input: `${OWNER.password}\n` });
    assert.equal(out, `Logged in at ${app.address} as owner of Almacenes Prueba SL (profile default)\n`);
    const path = join(home, 'bms/profiles.json');
    assert.equal(statSync(path).mode & 0o077, 0);
    assert.ok(!readFileSync(path, 'utf8').includes(OWNER.password));
    assert.match(await done(['profiles']), /^default {2}http/);
    assert.equal(JSON.parse(await done(['whoami'])).role, 'owner');
  });

  it('lists, makes, changes and shows records, as tables and as JSON', async () => {
    const [group] = JSON.parse(await done(['list', 'partnerGroups', '-f', 'isCustomer=true', '--json']));
    const made = JSON.parse(await done(['create', 'partners', 'name=Bar Centro', `groupId=${group.id}`, '--json']));
    const id = made.data.id as string;
    await done(['update', `partners/${id}`, 'phone=0034600', 'creditLimit=100.5']);
    const shown = await done(['get', `partners/${id}`]);
    assert.match(shown, /^phone +0034600$/m);
    assert.match(shown, /^creditLimit +100\.5$/m);
    assert.match(await done(['list', 'partners', '-q', 'centro']), /^CODE +NAME.*\n\S+ +Bar Centro/);
    const many = JSON.parse(await done(['list', 'accounts', '--all', '--json', '-s', 'code']));
    assert.ok(many.length > 100);
    const body = JSON.stringify({ partnerId: id, lines: [{ description: 'Consulting', quantity: 1, price: 10 }] });
    const draft = JSON.parse(await done(['create', 'sales/invoices', '-d', '-', '--json'], { input: body }));
    const preview = JSON.parse(await done(['post', `sales/invoices/${draft.data.id}/post`, '--preview']));
    assert.ok(preview.data.entries.length > 0 && preview.data.document.code === null);
    assert.match(await done(['post', `sales/invoices/${draft.data.id}/post`]), /^status +O$/m);
    const refused = await bms(['create', 'partners', 'name=']);
    assert.equal(refused.code, 3);
    assert.match(refused.err, /^validation_failed: .*\n(?: {2}.*\n)* {2}\/name: must not be empty\n/);
    assert.equal((await bms(['get', 'partners/../users'])).code, 2);
    assert.equal((await bms(['get', `partners/${app.tenantId}`])).code, 3);
  });

  it('exports and imports files, with the progress of background work', async () => {
    const file = join(home, 'units.csv');
    writeFileSync(file, `code;name\n${Array.from({ length: 600 }, (_, n) => `CLI${n};Unit ${n}\n`).join('')}`);
    const { out, err, code } = await bms(['import', 'uom', file, '--mode', 'upsert']);
    assert.equal(code, 0, err);
    assert.match(err, /^100 % /m);
    assert.match(out, /progress 100/);
    const target = join(home, 'out.csv');
    await done(['export', 'uom', '-o', target, '-f', 'code[contains]=CLI']);
    assert.equal(readFileSync(target, 'utf8').trim().split('\n').length, 601);
    assert.equal((await bms(['import', 'uom', join(home, 'nothing.csv')])).code, 2);
  });

  it('listens to events and forwards them, signed', async () => {
    const secret = 'whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw==';
    const listening = start([
      'listen',
      '--forward',
      `${receiver.url}/cli`,
      '--events',
      'document.*',
      '--secret',
      secret,
    ]);
    try {
      let said = '';
      listening.stderr?.on('data', (bytes: Buffer) => {
        said += bytes;
      });
      let told = '';
      listening.stdout?.on('data', (bytes: Buffer) => {
        told += bytes;
      });
      await eventually(() => assert.match(said, /Listening/), 30_000);
      const [partner] = JSON.parse(await done(['list', 'partners', '--json']));
      const lines = [{ description: 'x', quantity: 1, price: 1 }];
      await app.client.post('/api/sales', { partnerId: partner.id, lines });
      await eventually(() => assert.match(told, /document\.created .*→ 200 in \d+ ms/), 30_000);
      const [got] = receiver.at('/cli');
      const event = await verifyWebhook({ secret, body: got?.body ?? '', headers: got?.headers ?? {} });
      assert.equal(event.event, 'document.created');
    } finally {
      listening.kill();
      await once(listening, 'close');
    }
    const sample = await done(['trigger', 'document.locked', '--to', `${receiver.url}/sample`]);
    assert.match(sample, /^document\.locked → 200/);
    assert.equal(receiver.at('/sample').length, 1);
    assert.equal((await bms(['trigger', 'document.eaten', '--to', receiver.url])).code, 2);
  });

  it('works with a key from the environment, and makes keys with just their permissions', async () => {
    const key = (await done(['keys', 'create', 'Till', '--permissions', 'items:read'])).trim();
    const env = { BMS_URL: app.address, BMS_API_KEY: key };
    await done(['list', 'items'], { env });
    const refused = await bms(['list', 'partners'], { env });
    assert.equal(refused.code, 3);
    assert.match(await done(['keys']), /Till +custom +active/);
    const gone = await bms(['list', 'items'], { env: { ...env, BMS_URL: 'http://127.0.0.1:1' } });
    assert.equal(gone.code, 4);
  });

  it('tells how it is used, completes its words, and forgets a session', async () => {
    assert.match(await done(['--help']), /Exit codes: 0 done/);
    assert.match(await done(['help', 'listen']), /--forward <url>/);
    assert.equal((await bms(['frobnicate'])).code, 2);
    assert.equal((await bms(['list'])).code, 2);
    for (const shell of ['bash', 'zsh', 'fish']) assert.match(await done(['completion', shell]), /listen/);
    assert.match(await done(['logout']), /^Logged out/);
    assert.equal((await bms(['whoami'])).code, 2);
  });

  it('runs the programs of the service on its machine', async () => {
    const env = { DATABASE_URL: app.databaseUrl, MIGRATION_DATABASE_URL: app.databaseUrl };
    assert.match(
      await done(['company', 'find', 'almacenes'], { env }),
      /^almacenes-pr +[0-9a-f-]{36} {2}Almacenes Prueba SL$/m,
    );
  });
});
