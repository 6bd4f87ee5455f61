import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { openAuthority } from '../../demo/aeat/authority.ts';
import type { Entry } from '../../demo/aeat/book.ts';
import { freePort } from '../../runtime/ports.ts';
import { resumeSending } from '../../services/ledger/verifactu/sending/status.ts';
import { loadSettings, replaceSettings } from '../../services/platform/settings/settings.ts';
import { certify, issueInvoice } from '../helpers/agency.ts';
import { addCompany, type Company } from '../helpers/company.ts';
import { assertSound } from '../helpers/hooks.ts';
import { type Killable, type KillableService, killable, killableService } from '../helpers/killable.ts';
import { eventually } from '../helpers/worker.ts';

/** KILLED_RECORDS=5000 makes more than the 500 that always are. */
const RECORDS = Number(process.env.KILLED_RECORDS ?? 500);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The stand-in for the agency as a process of its own, whose journal outlives it. */
function killableAgency(folder: string, port: number): Killable {
  return killable(async () => {
    const args = ['--import', 'tsx', 'demo/aeat/main.ts', '--port', String(port), '--folder', folder, '--wait', '1'];
    // Its standard input ends with the process of the tests.
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await eventually(() => assert.match(output, /listens/), 60_000);
    return child;
  });
}

describe('kills while records are sent to the tax agency', function () {
  this.timeout(900_000);
  const folder = mkdtempSync(join(tmpdir(), 'agency-'));
  let service: KillableService;
  let agency: Killable;
  let database: Database;
  let companies: readonly Company[];

  before(async () => {
    const port = await freePort();
    const authority = openAuthority(folder, new Date());
    agency = killableAgency(folder, port);
    service = await killableService({
      VERIFACTU_TEST_URL: `https://127.0.0.1:${port}/`,
      VERIFACTU_CA_FILE: join(folder, 'authority.pem'),
      VERIFACTU_MAKER_NAME: 'Fabricante de Ejemplo SL',
      VERIFACTU_MAKER_TAX_ID: 'B12345674',
    });
    await Promise.all([service.postgres.start(), agency.start()]);
    await migrate(service.url);
    database = new Database({ url: service.url, poolSize: 5, applicationName: 'test' });
    companies = [await addCompany(database, service.url), await addCompany(database, service.url)];
    const certificate = (holder: { taxId: string; days?: number }) => {
      const file = authority.issue({ name: 'Empresa de prueba', password: 'x', ...holder });
      return { file: file.toString('base64'), password: 'x' };
    };
    for (const [nth, company] of companies.entries()) {
      const taxId = ['B12345674', 'A58818501'][nth] as string;
      await company.run(async (trx) => {
        const value = await loadSettings(trx, 'company');
        await replaceSettings(trx, company.ctx, 'company', { ...value, taxId });
      });
      await certify(company, { certificate }, new Date(), taxId);
    }
    await Promise.all([service.temporal.start(), service.worker.start()]);
  });
  after(async () => {
    await database.close();
    await Promise.all([service.close(), agency.kill()]);
    rmSync(folder, { recursive: true, force: true });
  });

  const made = async (company: Company) =>
    (await company.rows('select hash from verifactu_records order by seq', [])).map(({ hash }) => String(hash));
  const waiting = async (company: Company) =>
    Number(
      (await company.rows('select coalesce(sum(seq - sent_seq), 0)::int as count from verifactu_chains', []))[0]?.count,
    );

  /** Invoices until there are enough; while PostgreSQL is away none can be issued. */
  async function issueAll(company: Company): Promise<void> {
    for (let count = 0; count < RECORDS / 2; ) {
      try {
        await issueInvoice(company, new Date());
        count += 1;
      } catch {
        await delay(200);
      }
    }
  }
  async function killAll(): Promise<void> {
    for (const part of [service.worker, agency, service.temporal, service.postgres, agency, service.worker]) {
      await delay(2500);
      await part.kill();
      await delay(500);
      await part.start();
    }
  }

  it('lose none, and the agency stores each once, in order', async () => {
    await Promise.all([...companies.map(issueAll), killAll()]);
    // The next try may be minutes away: a person has it made at once.
    for (const company of companies)
      await eventually(async () => {
        if ((await waiting(company)) === 0) return;
        const ctx = { ...company.ctx, now: new Date() };
        await company.run((trx) => resumeSending(trx, ctx));
        await delay(3000);
        assert.equal(await waiting(company), 0);
      }, 300_000);
    const lines = readFileSync(join(folder, 'journal.jsonl'), 'utf8').trimEnd().split('\n');
    const entries = lines.map((line) => JSON.parse(line) as Entry);
    assert.ok(entries.every(({ arrived }) => arrived.every(({ isLinked }) => isLinked)));
    const stored = entries.flatMap((entry) => entry.stored.map(({ hash, state }) => ({ hash, state })));
    assert.equal(stored.length, new Set(stored.map(({ hash }) => hash)).size);
    for (const company of companies) {
      const hashes = await made(company);
      assert.ok(hashes.length >= RECORDS / 2, String(hashes.length));
      const own = new Set(hashes);
      assert.deepEqual(
        stored.flatMap(({ hash }) => (own.has(hash) ? hash : [])),
        hashes,
      );
      const wrong = await company.rows(`select status, error from verifactu_results where status <> 'accepted'`, []);
      assert.deepEqual(wrong, []);
    }
    await assertSound(service.url);
  });
});
