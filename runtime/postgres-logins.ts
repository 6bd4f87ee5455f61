/**
 * Logins of the embedded PostgreSQL, as deploy/databases.mjs makes them on other servers: an owner that migrates, and one for API, worker
 * and commands that owns nothing. The superuser is used by the start alone.
 */
import pg from 'pg';
import { keptSecret } from './files.ts';
import { type EmbeddedPostgres, postgresUrl } from './postgres.ts';
import { connect } from './postgres-client.ts';

/** Roles of requests (db/database.ts). */
const ROLES = ['bms_app', 'bms_system'];
const OWNER = 'bms_owner';
const SERVICE = 'bms_service';

/** Time for bringing over an old data folder. */
const TIMEOUT_MS = 60_000;

export interface Logins {
  /** Address of the owner of the schema. */
  readonly migrationUrl: string;
  /** Address of API, worker and commands. */
  readonly url: string;
}

/**
 * Creates the logins, or sets their passwords again, and gives the owner what the superuser owned before there was one.
 * @param keys folder of the passwords
 */
export async function prepareLogins(server: EmbeddedPostgres, keys: string, database: string): Promise<Logins> {
  const passwords = {
    [OWNER]: keptSecret(keys, 'postgres-owner-password'),
    [SERVICE]: keptSecret(keys, 'postgres-service-password'),
  };
  await connect(
    postgresUrl(server, database),
    async (client) => {
      await client.query('begin');
      for (const role of ROLES) await ensureRole(client, role, 'nologin');
      for (const [login, password] of Object.entries(passwords)) {
        await ensureRole(client, login, `login password ${pg.escapeLiteral(password)}`);
      }
      const roles = ROLES.join(', ');
      await client.query(`grant ${roles} to ${OWNER} with admin option`);
      await client.query(`grant ${roles} to ${SERVICE}`);
      // For the import of a company, whose rows have been through all triggers already.
      await client.query(`grant set on parameter session_replication_role to ${OWNER}`);
      const name = pg.escapeIdentifier(database);
      await client.query(`alter database ${name} owner to ${OWNER}`);
      await client.query(`revoke connect on database ${name} from public`);
      await client.query(`grant connect on database ${name} to ${OWNER}, ${SERVICE}`);
      await client.query(BRING_OVER);
      await client.query('commit');
    },
    TIMEOUT_MS,
  );
  const address = (login: keyof typeof passwords) =>
    postgresUrl(server, database, { login, password: passwords[login] ?? '' });
  return { migrationUrl: address(OWNER), url: address(SERVICE) };
}

async function ensureRole(client: pg.Client, role: string, attributes: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rowCount === 0) await client.query(`create role ${role}`);
  await client.query(`alter role ${role} nosuperuser nobypassrls nocreaterole nocreatedb noreplication ${attributes}`);
}

/** Changes the owner of all that the superuser made in the schema, apart from members of extensions. */
const BRING_OVER = `
  do $$ declare it record; begin
    for it in select c.oid::regclass as name, c.relkind as kind from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner = current_user::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
          and (d.deptype = 'e' or (c.relkind = 'S' and d.deptype in ('a', 'i'))))
    loop
      execute format('alter %s %s owner to ${OWNER}', case it.kind when 'v' then 'view' when 'm' then 'materialized view'
        when 'S' then 'sequence' else 'table' end, it.name);
    end loop;
    for it in select p.oid::regprocedure as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proowner = current_user::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    loop
      execute format('alter routine %s owner to ${OWNER}', it.name);
    end loop;
    for it in select t.oid::regtype as name from pg_type t
      where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd') and t.typowner = current_user::regrole
        and not exists (select from pg_depend d where d.classid = 'pg_type'::regclass and d.objid = t.oid and d.deptype = 'e')
    loop
      execute format('alter type %s owner to ${OWNER}', it.name);
    end loop;
  end $$`;
