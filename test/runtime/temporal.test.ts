import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/ports.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { findTestTemporalCli, waitForTemporal } from '../helpers/servers.ts';
import { killed } from '../helpers/worker.ts';

/** Addresses, as the kernel has them in hexadecimal, that a process listens on. */
function listening(pid: number): string[] {
  const sockets = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      sockets.add(readlinkSync(`/proc/${pid}/fd/${fd}`));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // closed meanwhile
    }
  }
  const LISTEN = '0A';
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, ...rest]) => state === LISTEN && sockets.has(`socket:[${rest[5]}]`))
      .map(([, address = '']) => address.split(':')[0] ?? ''),
  );
}

describe('the embedded Temporal server', function () {
  this.timeout(60_000);
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('listens on loopback alone: calls, UI and metrics', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loopback-'));
    const [port, uiPort] = [await freePort(), await freePort()];
    const cli = await findTestTemporalCli();
    const { file, args } = temporalCommand({
      cli,
      file: join(folder, 'temporal.db'),
      port,
      uiPort,
      namespace: 'default',
    });
    const server = spawn(file, [...args], { stdio: 'ignore' });
    try {
      await waitForTemporal(`127.0.0.1:${port}`, 'default', AbortSignal.timeout(40_000));
      const LOOPBACK = '0100007F';
      const addresses = listening(server.pid ?? 0);
      assert.ok(addresses.length >= 2, 'calls and UI');
      assert.deepEqual([...new Set(addresses)], [LOOPBACK]);
    } finally {
      await killed(server);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
