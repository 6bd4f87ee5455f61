/**
 * Sends every route what grows until it hurts. `FUZZ_SEED` and `FUZZ_ROUNDS` try more: each round has the next seed.
 */
import assert from 'node:assert/strict';
import { ROUTES } from '../../api/routes.ts';
import type { TestClient } from '../helpers/client.ts';
import { isTooLong } from '../helpers/event-loop.ts';
import { type Finding, FuzzRun, type Pair } from '../helpers/fuzz/run.ts';
import { existingIds, furnish } from '../helpers/fuzz/world.ts';
import { useApp } from '../helpers/hooks.ts';
import { slowness } from '../helpers/main-thread.ts';

const SEED = Number(process.env.FUZZ_SEED ?? 1);
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 1);

const KIB = 1024;
/** Bytes that any answer may have, and further ones for each byte that was sent: a line of a document has 60 and is answered with 850. */
const OUT = { any: 64 * KIB, perByte: 16 };
/** Bytes that reads may answer: the largest page (api/lists/page-size.ts). */
const READ_OUT = 8.5 * 1024 * KIB;
/**
 * Bytes that the database may grow by: a page for each table and index that a document touches, and for a line of 76 bytes that brings
 * goods the line, a movement, a layer and an event, which are 2,700 with their indexes. All of them count against the company's budget.
 */
const STORED = { any: 512 * KIB, perByte: 36 };
/** Milliseconds of the main thread that any request may take, pauses aside. */
const MAX_CPU_MS = 200;

describe('whatever is sent to any route', function () {
  this.timeout(120_000 + ROUNDS * 180_000);

  const app = useApp();
  let other: TestClient;
  const pairs: Pair[] = [];
  let findings: Finding[] = [];

  before(async () => {
    const company = { name: 'Otra SL', taxId: 'B98765431', country: 'ES' };
    const { body } = await app.client.post('/api/tenants', company);
    other = app.as(app.token, body.data.id);
    await furnish(app);
    for (let round = 0; round < ROUNDS; round += 1) {
      const run = new FuzzRun(app, await existingIds(app));
      pairs.push(...(await run.round(SEED + round)));
      run.close();
    }
    findings = pairs.flatMap(({ small, large }) => (small === large ? [small] : [small, large]));
    const statuses = findings.map(({ status }) => status);
    const counts = [...new Set(statuses)]
      .sort()
      .map((one) => `${statuses.filter((all) => all === one).length} × ${one}`);
    process.stdout.write(`    FUZZ_SEED=${SEED}: ${counts.join(', ')}\n`);
  });

  const show = ({ route, how, status, bytesIn, bytesOut, stored, cpu, told }: Finding) =>
    `${route} ${how} → ${status}: ${bytesIn} bytes in, ${bytesOut} out, ${stored} stored, ${cpu.toFixed(0)} ms; ` +
    told.slice(0, 300);
  const none = (bad: readonly Finding[]) => assert.deepEqual(bad.map(show), [], `with FUZZ_SEED=${SEED}`);

  it('reaches every route', () => {
    const reached = new Set(findings.map(({ route }) => route));
    assert.deepEqual(
      ROUTES.map(({ method, path }) => `${method} ${path}`).filter((route) => !reached.has(route)),
      [],
    );
    assert.ok(findings.filter(({ status }) => status < 300).length > findings.length / 20, 'many are accepted');
  });

  it('is answered, and never as a failure of the service', () => {
    // Nothing runs here that makes PDFs.
    const expected = ({ status, told }: Finding) => status === 503 && told.includes('PDFs need Temporal');
    none(findings.filter((one) => one.status >= 500 && !expected(one)));
  });

  it('keeps nobody else waiting', () => {
    none(findings.filter(({ stretch, cpu }) => isTooLong(stretch) || cpu > MAX_CPU_MS * slowness()));
  });

  it('costs no more than in proportion to its size', () => {
    const slack = 25 * slowness();
    const steeper = pairs.filter(({ small, large }) => {
      const times = Math.max(1, large.bytesIn / small.bytesIn);
      return large.cpu > 2 * times * small.cpu + slack;
    });
    none(steeper.map(({ large }) => large));
  });

  it('gets answers that are no longer than so many times the request, or than a page', () => {
    none(
      findings.filter(({ route, bytesIn, bytesOut }) =>
        route.startsWith('GET ') ? bytesOut > READ_OUT : bytesOut > OUT.any + OUT.perByte * bytesIn,
      ),
    );
  });

  it('is stored in little more than its own size', () => {
    none(findings.filter(({ bytesIn, stored }) => stored > STORED.any + STORED.perByte * bytesIn));
  });

  it('leaves the service to others', async () => {
    assert.equal((await other.get('/api/partners')).status, 200);
    assert.equal((await other.post('/api/projects', { code: 'P', name: 'Project' })).status, 201);
  });

  it('is known by its ten worst', () => {
    const kinds = {
      'bytes out for one in': ({ bytesIn, bytesOut }: Finding) => bytesOut / bytesIn,
      'bytes stored for one in': ({ bytesIn, stored }: Finding) => stored / bytesIn,
      'µs of CPU for one byte in': ({ bytesIn, cpu }: Finding) => (cpu * 1000) / bytesIn,
    };
    for (const [kind, ratio] of Object.entries(kinds)) {
      const worst = worstByRoute(findings, ratio).slice(0, 10);
      assert.ok(worst.length > 0);
      const lines = worst.map((one) => `      ${ratio(one).toFixed(1)} ${one.route} ${one.how} (${one.bytesIn} in)`);
      process.stdout.write(`    ${kind}:\n${lines.join('\n')}\n`);
    }
  });
});

/** The worst finding of each route, the worst of all first. */
function worstByRoute(findings: readonly Finding[], ratio: (one: Finding) => number): Finding[] {
  const worst = new Map<string, Finding>();
  for (const one of findings) {
    const known = worst.get(one.route);
    if (known === undefined || ratio(known) < ratio(one)) worst.set(one.route, one);
  }
  return [...worst.values()].filter((one) => ratio(one) > 0).sort((one, two) => ratio(two) - ratio(one));
}
