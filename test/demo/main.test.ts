import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../runtime/ports.ts';
import { inherited } from '../helpers/environment.ts';
import { useApp } from '../helpers/hooks.ts';

const run = promisify(execFile);

describe('npm run demo, when it cannot continue', function () {
  this.timeout(60_000);
  let dataDir: string;
  const app = useApp();
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  });
  after(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Exit code and what it says on standard error. */
  async function demo(...args: string[]): Promise<{ code: number; stderr: string }> {
    const env = { ...inherited(), DATA_DIR: dataDir };
    try {
      await run(process.execPath, ['--import', 'tsx', 'demo/main.ts', ...args], { env });
      return { code: 0, stderr: '' };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, stderr };
    }
  }

  it('says how to start the service when it is not running', async () => {
    const { code, stderr } = await demo('--url', `http://127.0.0.1:${await freePort()}`);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^No answer from http:\/\/127\.0\.0\.1:\d+: ECONNREFUSED\nStart the service first: npm start\n$/,
    );
  });

  it('asks for a user of the company that exists', async () => {
    const { code, stderr } = await demo('--url', app.address);
    assert.equal(code, 1);
    assert.match(stderr, /already has a company.*--email/);
  });

  it('passes on what the service says about a wrong password', async () => {
    const args = ['--email', 'owner@example.test', '--password', 'not this one at all'];
    const { code, stderr } = await demo('--url', app.address, ...args);
    assert.equal(code, 1);
    assert.match(stderr, /401 invalid_credentials/);
  });

  it('names the missing file or day before it sends any request to the service', async () => {
    const none = await demo('--data', '/nowhere');
    assert.deepEqual([none.code, /\/nowhere cannot be read: ENOENT/.test(none.stderr)], [1, true]);
    const data = new URL('../e2e/fixtures/retail', import.meta.url).pathname;
    const day = await demo('--data', data, '--days', '2010-12-24');
    assert.match(day.stderr, /has no 2010-12-24\.csv; there are 2010-12-01\.csv/);
  });
});
