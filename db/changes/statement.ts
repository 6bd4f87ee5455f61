/** Builds the SQL of a statement that writes changes, once per form. */
import { PERIOD_STATUS } from '../../domain/ledger/accounting/periods.ts';
import { columnName } from '../models/columns.ts';
import type { DeclaredTable } from '../models/table.ts';
import { ALL_HELD, withNumbers } from './numbering.ts';

/** Rows of one table that are written in the same way. */
export interface Part {
  readonly action: 'insert' | 'update' | 'remove';
  readonly table: DeclaredTable;
  readonly members: readonly string[];
  /** Values by column; for updates the id, the version that was read, and `set`. */
  readonly rows: Readonly<Record<string, unknown>>[];
  /** Inserts only rows that do not exist yet by these members and the tenant. */
  readonly missingBy?: readonly string[];
  /** Inserts only records about (`entityId`) rows that were missing in this table. */
  readonly madeIn?: DeclaredTable;
  /** Inserts only events that active rules of the company have as triggers. */
  readonly forRules?: boolean;
}

/** The form of a part: parts of one form have the same SQL. */
export interface PartForm extends Omit<Part, 'rows'> {
  /** Whether its rows contain the number that the statement takes. */
  readonly numbered: boolean;
  /** Whether it has a single row. */
  readonly single: boolean;
}

/** The form of a whole statement. */
export interface StatementForm {
  readonly parts: readonly PartForm[];
  /** Whether it holds periods. */
  readonly holds: boolean;
  /** SQL that takes a number; null if none is taken. */
  readonly numbering: string | null;
  /** Index of the part whose rows are returned. */
  readonly returned: number;
}

/** Identifies the form of a part. */
export function formKey({ action, table, members, missingBy, madeIn, forRules }: Omit<Part, 'rows'>): string {
  // Updates of a table have the same form, whichever columns they change.
  const named = action === 'update' ? '' : members.join(',');
  return `${action} ${table.tableName} ${named} ${missingBy?.join(',') ?? ''} ${madeIn?.tableName ?? ''} ${forRules ?? ''}`;
}

export function isVersioned({ columns }: DeclaredTable): boolean {
  return 'version' in columns;
}

/** Keeps periods from being closed, or locked for the areas of what is written, until the commit. */
const HELD = `select id from periods p where id = any(:held::uuid[]) and status = '${PERIOD_STATUS.open}'
    and (locked_areas = '{}' or not exists (select from unnest(:refused::uuid[], :locks::text[]) as r(period_id, lock)
      where r.period_id = p.id and r.lock = any(p.locked_areas)))
    order by id for share`;

/** Whether an active rule has the event `n` as its trigger. */
const IS_TRIGGER = `exists (select from automations a
  where a.tenant_id = :tenant::uuid and a.status = 'active' and a.trigger ->> 'type' = n.event)`;

const NONE_HELD = 'select null::uuid as id where false';

/**
 * The statement holds the periods, takes the number, then updates and deletes rows; it inserts rows only if all of these were still as
 * read. The rows of a part are the binding `rows<index>`, as JSON, their count is `count<index>`. Each row of the result contains
 * what was done as `_done`, and a row of the returned part.
 */
export function statementSql({ parts, holds, numbering, returned }: StatementForm): string {
  const changed = parts.flatMap(({ action }, index) => (action === 'insert' ? [] : index));
  const inserted = parts.flatMap(({ action }, index) => (action === 'insert' ? index : []));
  const asRead = changed.map((index) => `(select count(*) from part${index}) = :count${index}::integer`);
  const part = (index: number) => {
    const form = parts[index] as PartForm;
    const made = parts.flatMap(({ table, missingBy }, at) => (missingBy && table === form.madeIn ? at : []));
    const back = index === returned ? 't.*' : form.missingBy ? 't.id' : '1';
    return `part${index} as (${partSql(form, index, made)} returning ${back})`;
  };
  const started = numbering ?? `select null::integer as number, null::text as code${holds ? ` where ${ALL_HELD}` : ''}`;
  const all = [
    `held as (${holds ? HELD : NONE_HELD})`,
    `started as (${started})`,
    ...changed.map(part),
    `checked as (select * from started where ${['true', ...asRead].join(' and ')})`,
    ...inserted.map(part),
  ];
  const counts = parts.map((_, index) => `(select count(*) from part${index})`);
  return `with ${all.join(',\n')}
    select json_build_object('held', (select count(*) from held), 'written', json_build_array(${counts.join(', ')}),
      'number', (select number from started), 'code', (select code from started)) as _done${
        returned < 0 ? '' : `, written.* from (select) as one left join part${returned} as written on true`
      }`;
}

/** SQL of one part. @param made indexes of the parts that insert the subjects of its rows */
function partSql(form: PartForm, index: number, made: readonly number[]): string {
  const { action, table, members, numbered, missingBy, forRules } = form;
  const { tableName } = table;
  const rows = numbered ? withNumbers(`:rows${index}`) : `:rows${index}::json`;
  const column = (member: string) => `"${columnName(member)}"`;
  const columns = members.map(column);
  const same = isVersioned(table) ? 't.id = n.id and t.version = n.version' : 't.id = n.id';
  switch (action) {
    case 'insert': {
      const [tenant, value] = table.isGlobal ? ['', ''] : ['tenant_id, ', ':tenant::uuid, '];
      const only = made.map((at) => `select id from part${at}`).join(' union all ');
      return `insert into ${tableName} as t (${tenant}${columns.join(', ')})
        select ${value}${columns.map((name) => `n.${name}`).join(', ')}
        from checked as numbers, json_populate_recordset(null::${tableName}, ${rows}) as n
        ${only === '' ? '' : `where n.entity_id in (${only})`}
        ${forRules === true ? `where ${IS_TRIGGER}` : ''}
        ${missingBy === undefined ? '' : `on conflict (${tenant}${missingBy.map(column).join(', ')}) do nothing`}`;
    }
    case 'update':
      // Absent columns stay. A row changed by others while this waits for its lock has another xmin: it is not the one that was read.
      return `update ${tableName} as t set ${columns.map((name) => `${name} = r.${name}`).join(', ')}
        from started as numbers, ${rowsToMeet(form, index, rows)}, ${tableName} as o, json_populate_record(o, n.set) as r
        where o.id = n.id and ${same} and t.xmin = o.xmin${among('o', form, index)}${among('t', form, index)}`;
    case 'remove':
      return `delete from ${tableName} as t using started as numbers, ${rowsToMeet(form, index, rows)}
        where ${same}${among('t', form, index)}`;
  }
}

/**
 * The rows to update or delete. A single row is given by plain values, so that the planner always finds it by its id.
 */
function rowsToMeet({ single }: PartForm, index: number, rows: string): string {
  if (!single) return `json_to_recordset(${rows}) as n(id uuid, version integer, set json)`;
  return `lateral (select :id${index}::uuid as id, :version${index}::integer as version, ${rows} -> 0 -> 'set' as set) as n`;
}

/**
 * Finds the rows by an index. The planner estimates the JSON at a hundred rows, and would scan a table that is still small.
 */
function among(alias: string, { single }: PartForm, index: number): string {
  return single ? '' : ` and ${alias}.id = any(:ids${index}::uuid[])`;
}
