/**
 * Checks all invariants on any database: `npm run verify`. Reads one snapshot, so that a busy service can be checked too. Writes nothing.
 */
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { APP_ROLE, SYSTEM_ROLE } from './database.ts';
import { INVARIANTS, type Invariant } from './invariants.ts';
import { primaryClient } from './primary.ts';

/** The result of one invariant. */
export interface Finding {
  readonly name: string;
  readonly title: string;
  readonly warning: boolean;
  /** Number of rows checked. */
  readonly checked: number;
  readonly violations: number;
  /** The first few violations, as `tenant: id`. */
  readonly samples: readonly string[];
}

const SAMPLES = 5;

/**
 * Checks the invariants over all tenants, in one snapshot.
 * @param url a login that may act as the roles bms_app and bms_system, or a superuser
 */
export async function verifyDatabase(url: string): Promise<Finding[]> {
  const client = primaryClient(url, { application_name: 'verify', options: '-c timezone=UTC', pipeline: true });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    const findings = await checkInvariants(client);
    await client.query('rollback');
    return findings;
  } finally {
    await client.end();
  }
}

/**
 * Checks the invariants in the current transaction of a client with `pipeline`. A login bound by row-level security (also the owner)
 * checks one tenant after another; a superuser checks them all at once.
 */
export async function checkInvariants(client: pg.Client): Promise<Finding[]> {
  return (await seesAll(client)) ? checkVisible(client, INVARIANTS) : checkEachTenant(client, INVARIANTS);
}

async function seesAll(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ sees: boolean }>(
    'select rolsuper or rolbypassrls as sees from pg_roles where rolname = current_user',
  );
  return rows[0]?.sees ?? false;
}

async function checkEachTenant(client: pg.Client, invariants: readonly Invariant[]): Promise<Finding[]> {
  await client.query(`set local role ${SYSTEM_ROLE}`);
  const { rows } = await client.query<{ id: string }>('select id from tenants order by id');
  await client.query(`set local role ${APP_ROLE}`);
  let totals: Finding[] = invariants.map(nothingFound);
  for (const { id } of rows) {
    await client.query(`select set_config('app.tenant_id', $1, true)`, [id]);
    const found = await checkVisible(client, invariants);
    totals = totals.map((total, index) => add(total, found[index] ?? total));
  }
  return totals;
}

/** Checks them all, whose queries travel together. */
async function checkVisible(client: pg.Client, invariants: readonly Invariant[]): Promise<Finding[]> {
  return await Promise.all(invariants.map((invariant) => check(client, invariant)));
}

async function check(client: pg.Client, invariant: Invariant): Promise<Finding> {
  // By name, since planning takes longer than checking a small tenant: each is planned once. An undecidable result (a dangling
  // reference) is a violation too.
  const { rows } = await client.query<{ checked: string; violations: string; samples: string[] | null }>({
    name: `invariant ${invariant.name}`,
    text: `select count(*) as checked, count(*) filter (where ok is not true) as violations,
       (array_agg(tenant_id || ': ' || id order by tenant_id, id) filter (where ok is not true))[1:${SAMPLES}] as samples
     from (${invariant.sql}) looked_at`,
  });
  const row = rows[0];
  return {
    ...nothingFound(invariant),
    checked: Number(row?.checked ?? 0),
    violations: Number(row?.violations ?? 0),
    samples: row?.samples ?? [],
  };
}

function nothingFound({ name, title, warning = false }: Invariant): Finding {
  return { name, title, warning, checked: 0, violations: 0, samples: [] };
}

function add(total: Finding, found: Finding): Finding {
  return {
    ...total,
    checked: total.checked + found.checked,
    violations: total.violations + found.violations,
    samples: [...total.samples, ...found.samples].slice(0, SAMPLES),
  };
}

/** Returns the violated invariants, without warnings. */
export function broken(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => finding.violations > 0 && !finding.warning);
}

/** Formats the printed table. */
export function describeFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ title }) => title.length));
  const lines = findings.flatMap(({ title, checked, violations, samples, warning }) => {
    const verdict = violations === 0 ? 'holds' : `${warning ? 'WARNING' : 'BROKEN'} ${violations}`;
    const more = violations > samples.length ? [`    … and ${violations - samples.length} more`] : [];
    return [
      `${title.padEnd(width)}  ${String(checked).padStart(9)}  ${verdict}`,
      ...samples.map((sample) => `    ${sample}`),
      ...more,
    ];
  });
  return [`${'invariant'.padEnd(width)}  ${'checked'.padStart(9)}`, ...lines].join('\n');
}

async function main(): Promise<number> {
  // A check needs none of the secrets for serving.
  const { NODE_ENV: _, ...env } = process.env;
  const config = loadConfig(withLocalService(env));
  const url = config.database.migrationUrl;
  if (url === undefined) {
    console.error(
      `No database: start the service (its address is then in ${config.dataDir}/connections.env), or give MIGRATION_DATABASE_URL or ` +
        `DATABASE_URL`,
    );
    return 1;
  }
  const findings = await verifyDatabase(url);
  console.log(describeFindings(findings));
  const wrong = broken(findings);
  console.log(wrong.length === 0 ? '\nAll invariants hold.' : `\n${wrong.length} invariants are broken.`);
  return wrong.length === 0 ? 0 : 1;
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(`The check could not run: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}
