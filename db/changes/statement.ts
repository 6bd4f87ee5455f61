/** The text of the statement that writes changes: made once for each form that they take. */
import { columnName } from '../models/columns.ts';
import type { DeclaredTable } from '../models/table.ts';
import { ALL_HELD, withNumbers } from './numbering.ts';

/** Rows of one table that are written alike. */
export interface Part {
  readonly action: 'insert' | 'update' | 'remove';
  readonly table: DeclaredTable;
  readonly members: readonly string[];
  readonly rows: object[];
}

/** A part as a form: parts of one form have the same SQL. */
export interface PartForm extends Omit<Part, 'rows'> {
  /** Whether its rows contain the number that the statement takes. */
  readonly numbered: boolean;
}

export function formOf({ action, table, members, numbered }: PartForm): string {
  return `${action} ${table.tableName} ${members.join(',')} ${numbered ? 'numbered' : ''}`;
}

/** Keeps periods from being closed until the commit. */
const HELD = `select id from periods where id = any(:held::uuid[]) and status = 'O' order by id for share`;

/**
 * The statement holds the periods, takes the number, then changes and removes rows, and inserts some only when all of these were as they had
 * been read. Rows of the part at an index are the binding `rows<index>`, as JSON; their count is `count<index>`.
 * @param numbering SQL that takes a number, where one is taken
 */
export function statementSql(forms: readonly PartForm[], numbering: string | null): string {
  const changed = forms.flatMap(({ action }, index) => (action === 'insert' ? [] : index));
  const asRead = changed.map((index) => `(select count(*) from part${index}) = :count${index}::integer`);
  const inserted = forms.flatMap(({ action }, index) => (action === 'insert' ? index : []));
  const part = (index: number) => `part${index} as (${partSql(forms[index] as PartForm, index)})`;
  const started = numbering ?? `select null::integer as number, null::text as code where ${ALL_HELD}`;
  const all = [
    `held as (${HELD})`,
    `started as (${started})`,
    ...changed.map(part),
    `checked as (select * from started where ${['true', ...asRead].join(' and ')})`,
    ...inserted.map(part),
  ];
  const counts = forms.map((_, index) => `(select count(*) from part${index})`);
  return `with ${all.join(',\n')}
    select (select count(*) from held)::integer as held, array[${counts.join(', ')}]::integer[] as written,
      (select number from started) as number, (select code from started) as code`;
}

function partSql({ action, table, members, numbered }: PartForm, index: number): string {
  const { tableName } = table;
  const rows = `:rows${index}`;
  const given = `json_populate_recordset(null::${tableName}, ${numbered ? withNumbers(rows) : `${rows}::json`}) as n`;
  const columns = members.map((member) => `"${columnName(member)}"`);
  switch (action) {
    case 'insert':
      return `insert into ${tableName} (tenant_id, ${columns.join(', ')})
        select :tenant::uuid, ${columns.map((column) => `n.${column}`).join(', ')} from checked as numbers, ${given} returning 1`;
    case 'update': {
      const set = columns.filter((column) => column !== '"id"').map((column) => `${column} = n.${column}`);
      const same = members.includes('version') ? ' and t.version = n.version - 1' : '';
      return `update ${tableName} t set ${set.join(', ')} from started as numbers, ${given} where t.id = n.id${same} returning 1`;
    }
    case 'remove': {
      const same = members.includes('version') ? ' and t.version = n.version' : '';
      return `delete from ${tableName} t using started as numbers, ${given} where t.id = n.id${same} returning 1`;
    }
  }
}
