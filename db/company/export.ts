/** Writes all data of a company to a file, from one snapshot. */
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { SERVICE_VERSION } from '../../config/version.ts';
import type { Header } from './file.ts';
import { belongsTo, companyTables, peopleSql } from './tables.ts';

/** Rows per round trip. */
const PAGE = 500;

export interface Exported {
  readonly company: Header['company'];
  readonly rows: number;
}

/**
 * Exports a company. The service may work meanwhile; what is changed afterwards is not in the file.
 * @param client of the owner of the schema
 * @param company its id or short name
 * @param path of the new file, readable by its owner alone
 * @throws Error if there is no such company, or the file exists
 */
export async function exportCompany(client: pg.Client, company: string, path: string, now: Date): Promise<Exported> {
  await client.query('begin isolation level repeatable read read only');
  try {
    const found = await client.query<Header['company']>(
      'select id, name from tenants where id::text = $1 or short_name = $1 or slug = $1 order by slug = $1',
      [company],
    );
    const [own] = found.rows;
    if (own === undefined) throw new Error(`There is no company with the id or short name ${company}`);
    await client.query(`select set_config('app.tenant_id', $1, true)`, [own.id]);
    const counted = { rows: 0 };
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    await pipeline(lines(client, own, now, counted), createGzip({ level: 1 }), target);
    return { company: own, ...counted };
  } finally {
    await client.query('rollback');
  }
}

async function* lines(client: pg.Client, company: Header['company'], now: Date, counted: { rows: number }) {
  const applied = await client.query<{ name: string }>('select name from schema_migrations order by name');
  const migrations = applied.rows.map(({ name }) => name);
  const header: Header = { format: 1, service: SERVICE_VERSION, migrations, company, asOf: now.toISOString() };
  yield `${JSON.stringify(header)}\n`;
  const tables = await companyTables(client);
  const people = await peopleSql(client, tables);
  for (const { name, columns } of tables) {
    yield `= ${name}\n`;
    // JSON that was stored as text may have line breaks between its members.
    const rows = `select replace(row_to_json(one)::text, E'\\n', ' ') as line from (select ${columns.join(', ')} from ${name}
      where ${belongsTo(name, people)}) one`;
    await client.query(`declare company_rows cursor for ${rows.replaceAll('$1', `'${company.id}'`)}`);
    for (;;) {
      const page = await client.query<{ line: string }>(`fetch ${PAGE} from company_rows`);
      for (const { line } of page.rows) {
        counted.rows += 1;
        yield `${line}\n`;
      }
      if (page.rows.length < PAGE) break;
    }
    await client.query('close company_rows');
  }
  yield `. ${counted.rows}\n`;
}
