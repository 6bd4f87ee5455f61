import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { findAdvisories, isGrave } from '../../tools/advisories.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');

/** Runs the audit against an address. @returns its exit code and what it prints */
function audit(address: string): Promise<{ code: number; printed: string }> {
  return new Promise((done) => {
    execFile(process.execPath, ['--import', 'tsx', 'tools/audit.ts', address], { cwd: ROOT }, (error, printed) =>
      done({ code: error === null ? 0 : Number(error.code), printed }),
    );
  });
}

/** A database of advisories that knows one about each of the packages. */
async function withDatabase<T>(known: Record<string, string>, work: (address: string) => Promise<T>): Promise<T> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'GET') {
      response.end(JSON.stringify({ database_specific: { severity: request.url?.split('-').at(-1) } }));
      return;
    }
    const { queries } = JSON.parse(body) as { queries: { package: { purl: string } }[] };
    const severity = ({ package: { purl } }: (typeof queries)[number]) => known[purl.replace(/@[^@]*$/, '')];
    response.end(
      JSON.stringify({
        results: queries.map((query) =>
          severity(query) === undefined ? {} : { vulns: [{ id: `GHSA-${severity(query)}` }] },
        ),
      }),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
  }
}

describe('the audit of dependencies', function () {
  this.timeout(60_000);

  it('has a complete bill of materials beside it, made without the network and naming no host', () => {
    const printed = execFileSync('npm', ['run', '--silent', 'sbom', '--', '--offline'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 ** 2,
    });
    const { packages } = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const installed = Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
    const { components } = JSON.parse(printed) as { components: { name: string; version: string }[] };
    const listed = new Set(components.map(({ name, version }) => `${name}@${version}`));
    assert.deepEqual(
      installed.filter((one) => !listed.has(one)),
      [],
    );
    assert.doesNotMatch(printed, /"distribution"/);
  });

  it('fails for grave advisories, and for those that nobody has rated', async () => {
    const found = await withDatabase({ 'pkg:npm/koa': 'HIGH', 'pkg:npm/pg': 'LOW' }, audit);
    assert.equal(found.code, 1);
    assert.match(found.printed, /HIGH: GHSA-HIGH \(pkg:npm\/koa@/);
    assert.match(found.printed, /LOW: GHSA-LOW/);
    assert.ok(isGrave({ id: 'a', severity: undefined, packages: [] }));
    assert.equal((await withDatabase({ 'pkg:npm/pg': 'MODERATE' }, audit)).code, 0);
  });

  it('fails nothing when the database is out of reach, and says so', async () => {
    const { code, printed } = await audit('http://127.0.0.1:9');
    assert.equal(code, 0);
    assert.match(printed, /^Not looked up/);
  });

  it('asks in parts, and takes no answer that does not fit', async () => {
    const asked: number[] = [];
    const purls = Array.from({ length: 2500 }, (_, nth) => `pkg:npm/a@${nth}.0.0`);
    const none = await findAdvisories(async (_, body) => {
      const { queries } = body as { queries: unknown[] };
      asked.push(queries.length);
      return { results: queries.map(() => ({})) };
    }, purls);
    assert.deepEqual([none, asked], [[], [1000, 1000, 500]]);
    await assert.rejects(
      findAdvisories(async () => ({ results: [] }), purls),
      /does not fit/,
    );
  });
});
