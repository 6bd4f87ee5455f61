/** Reads the data of a company from a file into another database, in one transaction. */
import type pg from 'pg';
import { type Header, type Line, readLines } from './file.ts';
import { ACCOUNTS, COMPANY, type CompanyTable, companyTables } from './tables.ts';

/** Rows and characters per statement. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 4_000_000;

export interface Imported {
  readonly header: Header;
  readonly rows: number;
}

/**
 * Imports a company. Accounts of people whose address is known here are not made again: records then name the account that is here.
 * Triggers and foreign keys do not work meanwhile, since everything they would write or check is in the file.
 * @param client of the owner of the schema, which may set session_replication_role
 * @param held how long the relay leaves events alone that nobody had handed over
 * @throws Error if the file is not whole, or of another release, or the company is there already; nothing is changed then
 */
export async function importCompany(client: pg.Client, path: string, held: string): Promise<Imported> {
  await client.query('begin');
  try {
    await client.query('set local session_replication_role = replica');
    const result = await read(client, readLines(path), held);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function read(client: pg.Client, lines: AsyncGenerator<Line>, held: string): Promise<Imported> {
  const tables = new Map((await companyTables(client)).map((table) => [table.name, table]));
  const people = new People();
  let header: Header | undefined;
  let table: CompanyTable | undefined;
  let total: number | undefined;
  let rows = 0;
  let page: string[] = [];
  const flush = async () => {
    if (table !== undefined && page.length > 0) await insert(client, table, page, people);
    page = [];
  };
  let characters = 0;
  for await (const line of lines) {
    if ('header' in line) {
      header = line.header;
      await prepare(client, header);
    } else if ('table' in line) {
      await flush();
      table = tables.get(line.table);
      if (table === undefined) throw new Error(`The file has an unknown table: ${line.table}`);
    } else if ('rows' in line) {
      await flush();
      total = line.rows;
    } else {
      rows += 1;
      characters += line.row.length;
      page.push(line.row);
      if (page.length < MOST_ROWS && characters < MOST_CHARACTERS) continue;
      await flush();
      characters = 0;
    }
  }
  if (header === undefined || total !== rows)
    throw new Error('The file is not whole: it must end with the number of its rows');
  await finish(client, header, [...tables.values()], held);
  return { header, rows };
}

/** @throws Error if the company or the release does not fit */
async function prepare(client: pg.Client, { company, migrations, service }: Header): Promise<void> {
  await client.query(`select set_config('app.tenant_id', $1, true)`, [company.id]);
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations order by name');
  const here = rows.map(({ name }) => name);
  const other = [
    ...migrations.filter((name) => !here.includes(name)),
    ...here.filter((name) => !migrations.includes(name)),
  ];
  if (other.length > 0) {
    throw new Error(
      `The file fits release ${service}: both databases must have the same migrations, but differ in ${other[0]}`,
    );
  }
  const known = await client.query('select 1 from tenants where id = $1', [company.id]);
  if (known.rowCount !== 0) throw new Error(`The company ${company.name} (${company.id}) is there already`);
}

async function insert(client: pg.Client, table: CompanyTable, page: readonly string[], people: People): Promise<void> {
  const { name } = table;
  const rows = `[${page.join(',')}]`;
  if (name === 'users') return await people.insert(client, table, rows);
  const text = people.renamed(rows);
  const columns = table.columns.join(', ');
  const values = name === COMPANY ? columns.replace('slug', FREE_SLUG).replace('short_name', FREE_SHORT_NAME) : columns;
  const isAccount = (ACCOUNTS as readonly string[]).includes(name);
  await client.query(
    `insert into ${name} (${columns}) overriding system value
     select ${values} from json_populate_recordset(null::${name}, $1::json) as n
     ${isAccount ? 'on conflict do nothing' : ''}`,
    [text],
  );
}

/** The short name, or one that nobody has. */
const FREE_SLUG = `case when exists (select from tenants t where t.slug = n.slug) then n.slug || '-' || right(n.id::text, 8)
  else n.slug end`;

/** The short name of its workflows, or one of its id that nobody has; null for a company that has none. */
const FREE_SHORT_NAME = `case when exists (select from tenants t where t.short_name = n.short_name) then right(n.id::text, 12)
  else n.short_name end`;

/** The accounts that are here already, by their ids in the file. */
class People {
  readonly #known = new Map<string, string>();

  async insert(client: pg.Client, { name, columns }: CompanyTable, rows: string): Promise<void> {
    const { rows: known } = await client.query<{ old: string; id: string }>(
      `select n.id as old, u.id from json_populate_recordset(null::users, $1::json) as n join users u on lower(u.email) = lower(n.email)`,
      [rows],
    );
    for (const { old, id } of known) this.#known.set(old, id);
    const list = columns.join(', ');
    // The company that made an account may be another one.
    const values = list.replace('home_tenant_id', `(select t.id from tenants t where t.id = n.home_tenant_id)`);
    await client.query(
      `insert into ${name} (${list}) select ${values} from json_populate_recordset(null::users, $1::json) as n
       where not exists (select from users u where lower(u.email) = lower(n.email))`,
      [rows],
    );
  }

  /** Ids are found wherever they stand, in documents and audit records too: nothing else looks like one. */
  renamed(rows: string): string {
    let text = rows;
    for (const [old, id] of this.#known) if (old !== id) text = text.replaceAll(old, id);
    return text;
  }
}

/** Lets sequences go on after what was imported, and holds back events until their work is held. */
async function finish(
  client: pg.Client,
  { company }: Header,
  tables: readonly CompanyTable[],
  held: string,
): Promise<void> {
  for (const { name, sequences } of tables) {
    for (const [column, sequence] of Object.entries(sequences)) {
      await client.query(
        `select setval($1::regclass, greatest(nextval($1::regclass), (select max(${column}) from ${name} where tenant_id = $2::uuid)))`,
        [sequence, company.id],
      );
    }
  }
  await client.query(
    `update outbox set locked_until = clock_timestamp() + $2::interval, leased_by = null
     where tenant_id = $1::uuid and processed_at is null and dead_at is null`,
    [company.id, held],
  );
}
