/**
 * Migrates a database's schema: `npm run migrate`, also while the service runs. Each migration runs once, under a lock, so that several
 * processes may start at the same time, and in its own transaction. Indexes of filled tables are built outside transactions, and rows are
 * changed in one transaction per tenant.
 */
import { createHash } from 'node:crypto';
import { argv } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { APP_ROLE, SYSTEM_ROLE } from './database.ts';
import { isLockTimeout, isRetryable } from './errors.ts';
import { makeIndex } from './migrations/concurrent-indexes.ts';
import { MIGRATIONS, type Migration } from './migrations/index.ts';
import { inTenant, readTenants } from './migrations/per-tenant.ts';
import { primaryClient } from './primary.ts';

const MIGRATION_LOCK = 7_240_118;

/** Limits on waiting for locks, and on retries of a migration. */
export interface Patience {
  /** Limit per lock, since requests queue behind a waiting migration; their own transactions take some milliseconds. */
  readonly lockMs: number;
  readonly tries: number;
  readonly pauseMs: number;
  /** A longer limit of some tries: PostgreSQL ends an autovacuum only for somebody who has waited for a second. */
  readonly longer?: { readonly lockMs: number; readonly every: number };
}
const PATIENCE: Patience = { lockMs: 50, tries: 600, pauseMs: 250, longer: { lockMs: 1500, every: 40 } };
/** Pause between checks whether another process has finished its migrations. */
const TURN_MS = 200;

/**
 * Applies the migrations that are missing.
 * @param url a login that owns the schema and may create roles
 * @returns the names of the migrations that this call applied
 * @throws Error when the database cannot be reached, when locks cannot be had, or when an applied migration differs from the one in the
 * code
 */
export async function migrate(
  url: string,
  migrations: readonly Migration[] = MIGRATIONS,
  patience = PATIENCE,
): Promise<string[]> {
  const options = '-c timezone=UTC -c statement_timeout=0 -c lock_timeout=0';
  const client = primaryClient(url, { application_name: 'migrate', options });
  await client.connect();
  try {
    await takeTurn(client);
    await ensureRoles(client);
    return await applyMissing(client, migrations, patience);
  } finally {
    await client.end();
  }
}

/** Waits until no other process migrates. It polls: a waiting statement would block the indexes that the other process builds. */
async function takeTurn(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [MIGRATION_LOCK]);
    if (rows[0]?.mine === true) return;
    await delay(TURN_MS);
  }
}

/** Creates the roles unless they exist. They belong to the server: all its databases share them. */
async function ensureRoles(client: pg.Client): Promise<void> {
  for (const role of [APP_ROLE, SYSTEM_ROLE]) {
    await client.query(`
      do $$ begin
        if exists (select from pg_roles where rolname = '${role}') then return; end if; -- the login may not create any
        create role ${role} nologin nosuperuser nobypassrls;
      exception when duplicate_object or unique_violation then null; -- made by another database's migration
      end $$`);
    await client.query(`
      do $$ begin
        if not pg_has_role(session_user, '${role}', 'set') then
          execute format('grant ${role} to %I', session_user);
        end if;
      end $$`);
    await client.query(`grant usage on schema public to ${role}`);
  }
}

async function applyMissing(
  client: pg.Client,
  migrations: readonly Migration[],
  patience: Patience,
): Promise<string[]> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const known = new Map(rows.map((row) => [row.name, row.checksum]));
  const applied: string[] = [];
  for (const { name, up } of migrations) {
    const checksum = createHash('sha256')
      .update(typeof up === 'string' ? up : JSON.stringify(up))
      .digest('hex');
    if (known.has(name)) {
      if (known.get(name) !== checksum)
        throw new Error(`Migration ${name} has changed since it was applied; add a new migration instead`);
      continue;
    }
    const record = () =>
      client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
    if (typeof up === 'string') await applyWhole(client, { name, up }, record, patience);
    else {
      if ('indexes' in up) for (const index of up.indexes) await makeIndex(client, index);
      else {
        for (const id of await readTenants(client)) {
          await applyWhole(client, { name, up: inTenant(id, up.perTenant) }, async () => {}, patience);
        }
      }
      await record();
    }
    applied.push(name);
  }
  return applied;
}

/** Applies a migration in one transaction, which gives up soon if it has to wait for a lock and is retried. */
async function applyWhole(
  client: pg.Client,
  { name, up }: { readonly name: string; readonly up: string },
  record: () => Promise<unknown>,
  { lockMs, tries, pauseMs, longer }: Patience,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const limit = longer !== undefined && attempt % longer.every === 0 ? longer.lockMs : lockMs;
    await client.query(`begin; set local lock_timeout = ${limit}`);
    try {
      await client.query(up);
      await record();
      await client.query('commit');
      return;
    } catch (error) {
      await client.query('rollback');
      if (!isLockTimeout(error) && !isRetryable(error)) throw error;
      if (attempt === tries) {
        throw new Error(
          `${name} cannot be applied because its tables are locked for a long time: end the transactions that pg_stat_activity shows as ` +
            `old, and start again`,
          { cause: error },
        );
      }
    }
    await delay(pauseMs);
  }
}

if (argv[1] !== undefined && import.meta.url === pathToFileURL(argv[1]).href) {
  const { database } = loadConfig(withLocalService(process.env));
  if (database.migrationUrl === undefined) {
    console.error(
      'MIGRATION_DATABASE_URL or DATABASE_URL is missing: give the database to migrate, or start the service',
    );
    process.exit(1);
  }
  try {
    const applied = await migrate(database.migrationUrl);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}` : 'The schema is up to date');
  } catch (error) {
    console.error(`The migration failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  }
}
