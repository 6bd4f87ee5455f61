import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/ports.ts';
import { start, startEnvironment } from './fixtures/start.ts';

describe('npm start that cannot go on', function () {
  this.timeout(30_000);
  let folder: string;
  let env: Record<string, string>;
  const servers: Server[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'start-errors-'));
    env = await startEnvironment(join(folder, 'data'));
  });
  after(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts with other variables. @returns what it says: one line each, with exit code 1 and no stack */
  async function complaint(other: Record<string, string>, lines = 1): Promise<string> {
    const begun = start({ ...env, ...other });
    assert.equal(await begun.exited, 1);
    assert.equal(begun.stderr.trimEnd().split('\n').length, lines, begun.stderr);
    assert.doesNotMatch(begun.stderr, /^\s+at /m);
    return begun.stderr;
  }
  const taken = (port: number) =>
    new Promise<void>((resolve) => {
      servers.push(createServer().listen(port, '127.0.0.1', resolve));
    });

  it('names each taken port and its variable', async () => {
    const [api, postgres] = [await freePort(), await freePort()];
    await taken(api);
    await taken(postgres);
    const text = await complaint({ PORT: String(api), POSTGRES_PORT: String(postgres) }, 2);
    assert.match(text, new RegExp(`Port ${api} is taken: .* set PORT `));
    assert.match(text, new RegExp(`Port ${postgres} is taken: .* set POSTGRES_PORT `));
  });

  it('names ports that were given twice', async () => {
    assert.match(await complaint({ POSTGRES_PORT: env.PORT ?? '' }), /POSTGRES_PORT and PORT are both \d+/);
  });

  it('names a DATA_DIR that cannot be written to', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    assert.match(
      await complaint({ DATA_DIR: join(file, 'data') }),
      /^DATA_DIR .*cannot be written to \(ENOTDIR\).*set DATA_DIR/,
    );
  });

  it('names all bad variables', async () => {
    const text = await complaint({ PORT: 'x', NODE_ENV: 'prod' }, 2);
    assert.match(text, /^PORT is "x"/m);
    assert.match(text, /^NODE_ENV is "prod"/m);
  });

  it('names a database that does not answer, without its password', async () => {
    const text = await complaint({ DATABASE_URL: `postgres://app:geheim@127.0.0.1:${await freePort()}/business` });
    assert.match(text, /^The database 127\.0\.0\.1:\d+\/business cannot be reached \(ECONNREFUSED\).*DATABASE_URL/);
    assert.doesNotMatch(text, /geheim/);
  });

  it('names a Temporal that does not answer', async () => {
    assert.match(
      await complaint({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` }),
      /^Temporal at .*TEMPORAL_ADDRESS/,
    );
  });

  it('names a namespace that is not there', async () => {
    assert.match(await complaint({ TEMPORAL_NAMESPACE: 'nowhere' }), /has no namespace "nowhere".*TEMPORAL_NAMESPACE/);
  });

  it('names a folder that is no PostgreSQL data', async () => {
    const dataDir = mkdtempSync(join(folder, 'other-'));
    writeFileSync(join(dataDir, 'postgres'), 'not a folder');
    assert.match(await complaint({ DATA_DIR: dataDir }), /postgres holds no PostgreSQL data: .*DATA_DIR/);
  });
});
