// Logins and databases of the service and of Temporal on a PostgreSQL server. Run by a superuser (PGHOST, PGPORT, PGUSER,
// PGPASSWORD); repeating it changes nothing but the passwords. On a managed server, run it once from any machine.
import { env, exit } from 'node:process';
import pg from 'pg';

const { escapeIdentifier: name, escapeLiteral: literal } = pg;

/** Roles of requests (db/database.ts): no login, no superuser, bound by row-level security. */
const ROLES = ['bms_app', 'bms_system'];
/** Logins: the owner migrates; the service may act as either role and owns nothing. */
const LOGINS = {
  bms_owner: 'BMS_OWNER_PASSWORD',
  bms_service: 'BMS_SERVICE_PASSWORD',
  temporal: 'TEMPORAL_DB_PASSWORD',
};
const DATABASES = {
  bms: { owner: 'bms_owner', guests: ['bms_service'] },
  temporal: { owner: 'temporal', guests: [] },
  temporal_visibility: { owner: 'temporal', guests: [] },
};

async function exists(client, catalogue, column, value) {
  return (await client.query(`select 1 from ${catalogue} where ${column} = $1`, [value])).rowCount > 0;
}

async function createRole(client, role, attributes) {
  if (!(await exists(client, 'pg_roles', 'rolname', role))) await client.query(`create role ${name(role)}`);
  await client.query(
    `alter role ${name(role)} nosuperuser nobypassrls nocreaterole nocreatedb noreplication ${attributes}`,
  );
}

async function createDatabase(client, database, { owner, guests }) {
  if (!(await exists(client, 'pg_database', 'datname', database))) {
    await client.query(`create database ${name(database)} owner ${name(owner)}`);
  }
  await client.query(`revoke connect on database ${name(database)} from public`);
  for (const login of [owner, ...guests]) {
    await client.query(`grant connect on database ${name(database)} to ${name(login)}`);
  }
}

const missing = Object.values(LOGINS).filter((variable) => !env[variable]);
if (missing.length > 0) {
  console.error(`${missing.join(', ')} missing: give a password for each login`);
  exit(1);
}
const client = new pg.Client({ database: 'postgres', application_name: 'databases' });
try {
  await client.connect();
  for (const role of ROLES) await createRole(client, role, 'nologin');
  for (const [login, variable] of Object.entries(LOGINS)) {
    await createRole(client, login, `login password ${literal(env[variable])}`);
  }
  await client.query('grant bms_app, bms_system to bms_owner with admin option');
  await client.query('grant bms_app, bms_system to bms_service');
  // For the import of a company (npm run company), whose rows have been through all triggers already.
  await client.query('grant set on parameter session_replication_role to bms_owner');
  for (const [database, access] of Object.entries(DATABASES)) await createDatabase(client, database, access);
  console.log(`Ready: databases ${Object.keys(DATABASES).join(', ')}; logins ${Object.keys(LOGINS).join(', ')}`);
} catch (error) {
  console.error(`The databases could not be set up: ${error.message}`);
  exit(1);
} finally {
  await client.end();
}
