import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { type Columns, columnName } from '../../../db/models/columns.ts';
import type { DeclaredTable } from '../../../db/models/table.ts';
import { useCompany } from '../../helpers/hooks.ts';

/** Names of the column types in PostgreSQL. */
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
  const company = useCompany();

  async function declaredTables(): Promise<DeclaredTable[]> {
    const folder = new URL('../../../db/models/', import.meta.url);
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const files = names.map((name) => new URL(name, folder));
    const modules = await Promise.all(
      [...files, new URL('../../../db/changes/trail.ts', import.meta.url)].map((file) => import(file.href)),
    );
    return modules.flatMap((module: object) => Object.values(module)).filter((value) => value?.columns !== undefined);
  }

  it('have the columns, types and nullability of the database, and mark what only it fills in', async () => {
    const rows = await company.rows(
      `select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as nullable,
         is_generated = 'ALWAYS' or identity_generation is not distinct from 'ALWAYS' as generated
       from information_schema.columns where table_schema = 'public'`,
    );
    const found = new Map(rows.map((row) => [`${row.table}.${row.name}`, row]));
    const tables = await declaredTables();
    assert.ok(tables.length > 30, `${tables.length} tables are declared`);
    const wrong = tables.flatMap(({ tableName, columns }) =>
      Object.entries(columns).flatMap(([member, { kind, nullable, isGenerated = false }]) => {
        const column = found.get(`${tableName}.${columnName(member)}`);
        const isSame = column?.nullable === nullable && column.generated === isGenerated;
        if (isSame && TYPES[kind].includes(String(column.type))) return [];
        return [
          `${tableName}.${member} is ${column?.type} ${column?.nullable ? 'or null' : ''} ${column?.generated ? 'generated' : ''}`,
        ];
      }),
    );
    assert.deepEqual(wrong, []);
    const isGlobal = ({ tableName }: DeclaredTable) => !found.has(`${tableName}.tenant_id`);
    assert.deepEqual(
      tables.filter((table) => table.isGlobal !== isGlobal(table)).map(({ tableName }) => tableName),
      [],
    );
  });

  it('are read and changed by their models in services, in statements of one table', async () => {
    const tables = await namesOfTables();
    const found = (await sources('services')).flatMap(({ file, text }) =>
      [...text.matchAll(/\b(?:trx|db)\('(\w+)'\)/g)].flatMap(([, table]) =>
        tables.has(String(table)) ? [`${file}: ${table}`] : [],
      ),
    );
    assert.deepEqual(found, []);
  });

  it('are changed by hand-written SQL in one file each, if at all', async () => {
    const tables = await namesOfTables();
    const rooms = ['services', 'db/changes', 'db/queries', 'api', 'activities', 'worker'];
    const owners = new Map<string, Set<string>>();
    for (const { file, text } of (await Promise.all(rooms.map(sources))).flat()) {
      // Pruning deletes of many tables, each by its age.
      if (file.startsWith('services/operation/pruning/')) continue;
      for (const [, first, second] of text.matchAll(
        /(?:insert into|delete from) (\w+)|update (\w+)(?: (?:as )?\w)? set\b/g,
      )) {
        const table = first ?? second ?? '';
        if (tables.has(table)) owners.set(table, (owners.get(table) ?? new Set()).add(file));
      }
    }
    assert.ok(owners.has('series'), 'no SQL is found');
    const shared = [...owners].filter(([, files]) => files.size > 1);
    assert.deepEqual(shared, []);
  });

  async function namesOfTables(): Promise<Set<string>> {
    const tables = new Set((await declaredTables()).map(({ tableName }) => tableName));
    // The columns written with an event are declared; the others belong to the relay.
    tables.delete('outbox');
    return tables;
  }

  async function sources(room: string): Promise<{ readonly file: string; readonly text: string }[]> {
    const folder = new URL(`../../../${room}/`, import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
    assert.ok(files.length > 0, `nothing is in ${room}`);
    return await Promise.all(
      files.map(async (name) => ({ file: `${room}/${name}`, text: await readFile(new URL(name, folder), 'utf8') })),
    );
  }
});
