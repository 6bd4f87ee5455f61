import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { type Columns, columnName } from '../../../db/models/columns.ts';
import type { DeclaredTable } from '../../../db/models/table.ts';
import { type TestCompany, testCompany } from '../../helpers/company.ts';

/** How PostgreSQL calls what the columns hold. */
const TYPES: Readonly<Record<Columns[string]['kind'], readonly string[]>> = {
  uuid: ['uuid'],
  text: ['text', 'character'],
  integer: ['integer', 'bigint', 'smallint'],
  decimal: ['numeric'],
  flag: ['boolean'],
  day: ['date'],
  instant: ['timestamp with time zone'],
  json: ['json', 'jsonb'],
  list: ['ARRAY'],
  bytes: ['bytea'],
};

describe('declared tables', () => {
  let company: TestCompany;
  before(async () => {
    company = await testCompany();
  });
  after(() => company.close());

  async function declaredTables(): Promise<DeclaredTable[]> {
    const folder = new URL('../../../db/models/', import.meta.url);
    const files = [...(await readdir(folder)).map((name) => new URL(name, folder))];
    const modules = await Promise.all(
      [...files, new URL('../../../db/changes/trail.ts', import.meta.url)].map((file) => import(file.href)),
    );
    return modules.flatMap((module: object) => Object.values(module)).filter((value) => value?.columns !== undefined);
  }

  it('have the columns, types and nullability that the database has', async () => {
    const rows = await company.rows(
      `select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as nullable
       from information_schema.columns where table_schema = 'public'`,
    );
    const found = new Map(rows.map((row) => [`${row.table}.${row.name}`, row]));
    const tables = await declaredTables();
    assert.ok(tables.length > 30, `${tables.length} tables are declared`);
    const wrong = tables.flatMap(({ tableName, columns }) =>
      Object.entries(columns).flatMap(([member, { kind, nullable }]) => {
        const column = found.get(`${tableName}.${columnName(member)}`);
        const fits = column !== undefined && TYPES[kind].includes(String(column.type)) && column.nullable === nullable;
        return fits ? [] : [`${tableName}.${member} is ${column?.type} ${column?.nullable ? 'or null' : ''}`];
      }),
    );
    assert.deepEqual(wrong, []);
  });
});
