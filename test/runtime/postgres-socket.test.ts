import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../runtime/postgres-client.ts';
import { clearSockets, socketDirectories, socketUrl } from '../../runtime/postgres-socket.ts';
import { testPostgres } from '../helpers/servers.ts';

describe('the socket of the embedded PostgreSQL', () => {
  it('leads to the same database, with the same password', async () => {
    const { adminUrl } = await testPostgres();
    const state = `select current_setting('data_directory') as directory, inet_client_addr()::text as address`;
    const { rows } = await connect(adminUrl, (client) => client.query(state));
    assert.match(rows[0].address, /^127\.0\.0\.1/);
    const server = { directory: rows[0].directory as string, port: Number(new URL(adminUrl).port) };
    const url = socketUrl(server, adminUrl) ?? '';
    const through = await connect(url, (client) => client.query(state));
    assert.deepEqual(through.rows, [{ directory: server.directory, address: null }]);
    const wrong = Object.assign(new URL(url), { password: 'wrong' }).href;
    await assert.rejects(
      connect(wrong, async () => undefined),
      /password authentication failed/,
    );
  });

  it('is left out where its path would be too long', () => {
    // /, 88 letters and /.s.PGSQL.65535 are 104 bytes, one more than there may be.
    const [short, long] = [87, 88].map((length) => ({ directory: `/${'x'.repeat(length)}`, port: 65535 })) as [
      Place,
      Place,
    ];
    assert.equal(socketUrl(short, 'postgres://u@h/d'), `postgres://u@h/d?host=%2F${'x'.repeat(87)}`);
    assert.equal(socketDirectories(short), '.');
    assert.equal(socketUrl(long, 'postgres://u@h/d'), null);
    assert.equal(socketDirectories(long), '');
  });

  it('of a killed server is removed with its lock', () => {
    const directory = mkdtempSync(join(tmpdir(), 'socket-'));
    try {
      for (const name of ['PG_VERSION', '.s.PGSQL.5432', '.s.PGSQL.5432.lock'])
        writeFileSync(join(directory, name), '1');
      clearSockets(directory);
      assert.deepEqual(readdirSync(directory), ['PG_VERSION']);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });
});

type Place = Parameters<typeof socketDirectories>[0];
