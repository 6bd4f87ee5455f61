import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../runtime/ports.ts';
import { temporalCommand } from '../../runtime/temporal.ts';
import { listeners } from '../helpers/listening.ts';
import { findTestTemporalCli, waitForTemporal } from '../helpers/servers.ts';
import { killed } from '../helpers/worker.ts';

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
      durable: false,
    });
    const server = spawn(file, [...args], { stdio: 'ignore' });
    try {
      await waitForTemporal(`127.0.0.1:${port}`, 'default', AbortSignal.timeout(40_000));
      const LOOPBACK = '0100007F';
      const addresses = listeners(server.pid ?? 0).map(({ address }) => address);
      assert.ok(addresses.length >= 2, 'calls and UI');
      assert.deepEqual([...new Set(addresses)], [LOOPBACK]);
    } finally {
      await killed(server);
      await rm(folder, { recursive: true, force: true });
    }
  });
});
