/** The page about the schema, read from the catalogue of a database: tables by wing with the meaning of each column, and relations. */
import type { Client } from 'pg';
import { MIGRATIONS } from '../db/migrations/index.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly meaning: string | null;
}

export interface Table {
  readonly name: string;
  readonly isView: boolean;
  readonly meaning: string | null;
  readonly columns: readonly Column[];
}

interface Relation {
  readonly from: string;
  readonly to: string;
  readonly column: string;
  readonly nullable: boolean;
}

const HEAD = `# The schema

Tables by wing, in the order in which the migrations make them. This page is generated: \`npm run schema\` reads it from a database that
the migrations have just made. Meanings are the comments of tables and columns there, written in \`db/migrations\`.

In the diagrams, each line is a foreign key; its text is the column that refers. References to \`tenants\` by \`tenant_id\` are left
out: nearly every table has one, and every reference between rows of companies includes it, so that none crosses companies.
`;

/** Reads tables and views of the schema, with the comments on them and their columns. */
export async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    select c.relname as name, c.relkind = 'v' as "isView", obj_description(c.oid, 'pg_class') as meaning,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'nullable', not a.attnotnull,
        'meaning', col_description(c.oid, a.attnum)) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
    group by c.oid, c.relname, c.relkind order by c.relname`);
  return rows;
}

async function readRelations(client: Client): Promise<Relation[]> {
  const { rows } = await client.query<Relation>(`
    select con.conrelid::regclass::text as from, con.confrelid::regclass::text as to, a.attname as column, not a.attnotnull as nullable
    from pg_constraint con
    -- The last column refers; those before it keep the reference within the company.
    join pg_attribute a on a.attrelid = con.conrelid and a.attnum = con.conkey[cardinality(con.conkey)]
    where con.contype = 'f' and con.connamespace = 'public'::regnamespace and a.attname <> 'tenant_id'
    order by 1, 3`);
  return rows;
}

/** Finds the wing of each table and view by the migration that creates it, in that order. */
function tableWings(): Map<string, string> {
  const wings = new Map<string, string>([['schema_migrations', 'operation']]);
  for (const { name, up } of MIGRATIONS) {
    const [, wing = ''] = name.split('-');
    for (const [, made = ''] of String(up).matchAll(/\bcreate (?:table|view) (\w+)/g)) wings.set(made, wing);
  }
  return wings;
}

/** Writes the page. @throws Error if a table's wing is unknown */
export async function schemaPage(client: Client): Promise<string> {
  const [tables, relations, wings] = [await readTables(client), await readRelations(client), tableWings()];
  for (const { name } of tables) if (!wings.has(name)) throw new Error(`no migration creates ${name}`);
  const known = new Map(tables.map((table) => [table.name, table]));
  const sections = [...new Set(wings.values())]
    .filter((wing) => wing !== 'operation')
    .concat('operation')
    .map((wing) => {
      const names = [...wings].filter(([name, of]) => of === wing && known.has(name)).map(([name]) => name);
      const own = names.flatMap((name) => known.get(name) ?? []);
      return `## ${wing}\n\n${diagram(own, relations)}\n${own.map(describeTable).join('\n')}`;
    });
  return `${HEAD}\n${sections.join('\n')}`;
}

function diagram(tables: readonly Table[], relations: readonly Relation[]): string {
  const names = tables.filter(({ isView }) => !isView).map(({ name }) => name);
  const lines = relations
    .filter(({ from }) => names.includes(from))
    .map(({ from, to, column, nullable }) => `  ${to} ${nullable ? '|o' : '||'}--o{ ${from} : ${column}`);
  return `\`\`\`mermaid\nerDiagram\n${names.map((name) => `  ${name}`).join('\n')}\n${lines.join('\n')}\n\`\`\`\n`;
}

function describeTable({ name, isView, meaning, columns }: Table): string {
  // Columns of views are those of their tables.
  const rows = columns.map((column) => `| ${column.name} | ${describeType(column)} | ${column.meaning ?? ''} |`);
  const listed = isView
    ? `Columns: ${columns.map((column) => column.name).join(', ')}.\n`
    : `| Column | Type | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  return `### ${name}${isView ? ' (view)' : ''}\n\n${meaning ?? ''}\n\n${listed}`;
}

function describeType({ type, nullable }: Column): string {
  return `${type.replace('timestamp with time zone', 'timestamptz').replace('character(', 'char(')}${nullable ? ', null' : ''}`;
}
