/**
 * Brings a database's schema up to date: `npm run migrate`. Each migration runs in a transaction of its own, once, under a
 * lock, so that several processes may start at the same time.
 */
import { createHash } from 'node:crypto';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { loadConfig } from '../config/index.ts';
import { withLocalService } from '../config/local.ts';
import { APP_ROLE, SYSTEM_ROLE } from './database.ts';
import { MIGRATIONS } from './migrations/index.ts';

const MIGRATION_LOCK = 7_240_118;

/**
 * Applies the migrations that are missing.
 * @param url a login that owns the schema and may create roles
 * @returns the names of the migrations applied now
 * @throws Error when the database cannot be reached, or when an applied migration differs from the one in the code
 */
export async function migrate(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'migrate', options: '-c timezone=UTC' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await ensureRoles(client);
    return await applyMissing(client);
  } finally {
    await client.end();
  }
}

/** The roles belong to the whole server, so that several databases on it share them. */
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

async function applyMissing(client: pg.Client): Promise<string[]> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key, checksum text not null, applied_at timestamptz not null default now()
    )`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  );
  const known = new Map(rows.map((row) => [row.name, row.checksum]));
  const applied: string[] = [];
  for (const { name, up } of MIGRATIONS) {
    const checksum = createHash('sha256').update(up).digest('hex');
    if (known.has(name)) {
      if (known.get(name) !== checksum)
        throw new Error(`Migration ${name} has changed since it was applied; add a new migration instead`);
      continue;
    }
    await client.query('begin');
    try {
      await client.query(up);
      await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    applied.push(name);
  }
  return applied;
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
