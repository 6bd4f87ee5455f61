import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inherited } from '../helpers/environment.ts';

const AUDIT = resolve(import.meta.dirname, '../../.ci/audit');

/** Runs the audit against a registry that answers so to every question. */
async function audit(answer: { status: number; body: unknown }): Promise<{ code: number; output: string }> {
  const registry = createServer((request, response) => {
    request.resume();
    const status = request.method === 'POST' ? answer.status : 404;
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(request.method === 'POST' ? answer.body : {}));
  }).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  // npm keeps what it has learned of an advisory.
  const cache = mkdtempSync(join(tmpdir(), 'audit-'));
  const env = { ...inherited(), npm_config_registry: url, npm_config_cache: cache };
  const child = spawn(AUDIT, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number];
  rmSync(cache, { recursive: true });
  registry.closeAllConnections();
  registry.close();
  return { code, output };
}

describe('.ci/audit', function () {
  this.timeout(60_000);
  const advisory = (severity: string) => ({
    status: 200,
    body: {
      koa: [{ id: 1, url: 'https://advisories.test/1', title: 'A weakness', severity, vulnerable_versions: '*' }],
    },
  });

  it('fails for what is known to be dangerous', async () => {
    const { code, output } = await audit(advisory('high'));
    assert.equal(code, 1, output);
    assert.match(output, /high: koa.*advisories\.test/);
  });

  it('says what is less, and passes', async () => {
    const { code, output } = await audit(advisory('moderate'));
    assert.equal(code, 0, output);
    assert.match(output, /moderate: koa/);
    assert.match(output, /packages audited/);
  });

  it('says when the registry does not answer, and passes', async () => {
    const { code, output } = await audit({ status: 405, body: {} });
    assert.equal(code, 0, output);
    assert.match(output, /Not audited/);
  });
});
