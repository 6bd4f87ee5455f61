/** Rows of a whole database as SQL, to test migrations with data that an earlier version of the service wrote. */
import type { Client } from 'pg';

interface Table {
  readonly name: string;
  /** Columns that are not generated, quoted. */
  readonly columns: readonly string[];
  readonly primaryKey: string | null;
}

/** The tables of the schema with their columns, by name. */
async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns,
      (select string_agg(quote_ident(k.attname), ', ' order by k.attnum) from pg_index i
        join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
        where i.indrelid = c.oid and i.indisprimary) as "primaryKey"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname order by c.relname`);
  return rows;
}

/** Writes all rows as statements: an insert for each table, and the positions of sequences. */
export async function dumpRows(client: Client): Promise<string> {
  const statements: string[] = [];
  for (const { name, columns, primaryKey } of await listTables(client)) {
    const values = columns.map((column) => `quote_nullable(${column}::text)`).join(` || ', ' || `);
    const { rows } = await client.query<{ line: string }>(
      `select '(' || ${values} || ')' as line from ${name} order by ${primaryKey ?? columns.join(', ')}`,
    );
    if (rows.length === 0) continue;
    const lines = rows.map(({ line }) => line).join(',\n');
    statements.push(`insert into ${name} (${columns.join(', ')}) overriding system value values\n${lines};`);
  }
  const { rows } = await client.query<{ statement: string }>(`
    select format('select setval(%L, %s);', sequencename, last_value) as statement
    from pg_sequences where schemaname = 'public' and last_value is not null order by sequencename`);
  return `${[...statements, ...rows.map(({ statement }) => statement)].join('\n')}\n`;
}

/** Replaces all rows by those of a dump. Triggers and foreign keys do not run, as when a backup is restored. */
export async function restoreRows(client: Client, dump: string): Promise<void> {
  const tables = await listTables(client);
  await client.query('begin; set local session_replication_role = replica');
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
  await client.query(dump);
  await client.query('commit');
}

/** The migrations that had been applied to the database of a dump. */
export function appliedMigrations(dump: string): string[] {
  const [, rows = ''] = /^insert into schema_migrations .*\n([^;]*);$/m.exec(dump) ?? [];
  return [...rows.matchAll(/^\('([^']+)'/gm)].map(([, name]) => String(name));
}
