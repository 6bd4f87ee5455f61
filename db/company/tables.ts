/** The tables of a company, from the catalogue: every row with its `tenant_id` is copied, but for a few kinds. */
import type pg from 'pg';

export interface CompanyTable {
  readonly name: string;
  /** Columns that are written, quoted: all but generated ones, and numbers of transactions, which mean nothing in another database. */
  readonly columns: readonly string[];
  /** Sequences of its identity columns, by column. */
  readonly sequences: Readonly<Record<string, string>>;
}

/** Tables that are left out: sessions, their browsers, and the pace of mails belong to the service in which they began. */
export const LEFT_OUT = ['refresh_tokens', 'push_subscriptions', 'mail_sendings'];

/** Tables whose rows are the company itself, and accounts of people, which may be members of several. */
export const COMPANY = 'tenants';
export const ACCOUNTS = ['users', 'user_credentials'] as const;

/** Lists the tables of a company, the company itself first, then its people's accounts. */
export async function companyTables(client: pg.Client): Promise<CompanyTable[]> {
  const { rows } = await client.query<CompanyTable>(
    `select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) filter (where a.attgenerated = ''
         and a.atttypid <> 'xid8'::regtype) as columns,
       coalesce(json_object_agg(a.attname, pg_get_serial_sequence(quote_ident(c.relname), a.attname))
         filter (where a.attidentity <> ''), '{}') as sequences
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relname = any($1::text[])
     group by c.oid, c.relname
     having bool_or(a.attname = 'tenant_id' and c.relname <> 'users') or c.relname = any($2::text[])
     order by array_position($2::text[], c.relname), c.relname`,
    [LEFT_OUT, [COMPANY, ...ACCOUNTS]],
  );
  return rows;
}

/** SQL condition for the rows of a table that belong to the company `$1`. @param naming SQL of the ids of its people */
export function belongsTo(table: string, naming: string): string {
  if (table === COMPANY) return 'id = $1::uuid';
  if (table === 'users') return `id in (${naming})`;
  if (table === 'user_credentials') return `user_id in (${naming})`;
  return 'tenant_id = $1::uuid';
}

/** SQL of the ids of all people whom records of the company `$1` refer to. */
export async function peopleSql(client: pg.Client, tables: readonly CompanyTable[]): Promise<string> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.contype = 'f' and c.confrelid = 'users'::regclass and c.conrelid::regclass::text = any($1::text[])`,
    [tables.map(({ name }) => name).filter((name) => name !== 'user_credentials')],
  );
  return rows.map(({ table, column }) => `select ${column} from ${table} where tenant_id = $1::uuid`).join(' union ');
}
