/** Building blocks of migrations: tables with their meaning, row-level security by tenant, references, and triggers of records. */
import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';

/** The tenant that the connection is set to; a sub-select, so that it is evaluated once for each statement. */
export const CURRENT_TENANT = `(select nullif(current_setting('app.tenant_id', true), '')::uuid)`;

/** Columns of rows that change: clients name the version that they have read. */
export const VERSIONED = `
    version integer not null default 1, -- Raised with each change; a client names the version that it changes
    created_at timestamptz not null, -- When the row was created
    updated_at timestamptz not null -- When the row was last changed`;

const IDENTITY = `
    id uuid primary key, -- Identifier, UUID version 7: ids sort by the time of creation
    tenant_id uuid not null references tenants (id) -- Company that the row belongs to`;

export interface TableOptions {
  /** Privileges of the application role; append-only tables leave out update and delete. */
  readonly grants?: string;
  /** Privileges of the system role across tenants; none by default. */
  readonly systemGrants?: string;
  /** Adds version, created_at and updated_at (default true). */
  readonly versioned?: boolean;
}

/**
 * A table of one tenant's rows: id, tenant, forced row-level security, grants.
 * @param meaning becomes the table's comment
 * @param columns columns and constraints; the comments of columns become theirs, see `describe`
 */
export function tenantTable(name: string, meaning: string, columns: string, options: TableOptions = {}): string {
  const versioned = options.versioned === false ? '' : separated(VERSIONED);
  const body = `${separated(IDENTITY)}${separated(columns)}${versioned}
    constraint ${name}_tenant_id_id unique (tenant_id, id)`;
  return `${table(name, meaning, body)}
  ${secureTenantTable(name, options)}`;
}

/** Adds a comma to the last column or constraint, before a comment that ends its line. */
function separated(columns: string): string {
  return columns.trimEnd().replace(/( -- .*)?$/, ',$1');
}

/** A table with its comments. It has neither policies nor grants. @param storage storage parameters */
export function table(name: string, meaning: string, columns: string, storage = ''): string {
  return `
  create table ${name} (${columns.trimEnd()}
  )${storage && ` ${storage}`};
  ${describe(name, meaning, columns)}`;
}

/**
 * Comments on a table and its columns. A comment at the end of a column's line is that column's; lines of comments before a column
 * are the column's, too. Comments before a constraint remain in the source alone.
 */
export function describe(name: string, meaning: string, columns: string): string {
  const comments = [`comment on table ${name} is ${literal(meaning)};`];
  let before: string[] = [];
  for (const line of columns.split('\n').map((each) => each.trim())) {
    const [code = '', ...words] = line.split(/(?:^| )-- /);
    if (words.length > 0) before.push(words.join(' -- '));
    if (code === '') continue;
    const column = /^"?(\w+)"? \w/.exec(code)?.[1];
    if (column !== undefined && column !== 'constraint' && before.length > 0) {
      comments.push(`comment on column ${name}."${column}" is ${literal(before.join(' '))};`);
    }
    before = [];
  }
  return comments.join('\n  ');
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Row-level security and grants for a table that has a tenant_id. */
export function secureTenantTable(name: string, options: TableOptions = {}): string {
  const system = options.systemGrants
    ? `create policy ${name}_system on ${name} to ${SYSTEM_ROLE} using (true) with check (true);
  grant ${options.systemGrants} on ${name} to ${SYSTEM_ROLE};`
    : '';
  return `${forceRowSecurity(name)}
  create policy ${name}_tenant on ${name} to ${APP_ROLE}
    using (tenant_id = ${CURRENT_TENANT}) with check (tenant_id = ${CURRENT_TENANT});
  grant ${options.grants ?? 'select, insert, update, delete'} on ${name} to ${APP_ROLE};
  ${system}`;
}

/** Hides all rows that no policy shows, from the owner of the table as well. */
export function forceRowSecurity(name: string): string {
  return `alter table ${name} enable row level security;
  alter table ${name} force row level security;`;
}

/** A reference that cannot cross tenants; the constraint's name tells the API which member is wrong. */
export function reference(name: string, column: string, target: string, onDelete = ''): string {
  const end = onDelete && ` ${onDelete}`;
  return `constraint ${name}_${column}_fkey foreign key (tenant_id, ${column}) references ${target} (tenant_id, id)${end}`;
}

/** Triggers that keep the index of custom values. They do not run for records without any. @param fields table_name of the fields */
export function customFields(name: string, fields: string): string {
  const run = `execute function index_custom_values('${fields}')`;
  return `create trigger ${name}_custom_new after insert on ${name}
    for each row when (new.custom <> '{}') ${run};
  create trigger ${name}_custom_changed after update of custom on ${name}
    for each row when (old.custom is distinct from new.custom) ${run};
  create trigger ${name}_custom_gone after delete on ${name}
    for each row when (old.custom <> '{}') ${run};`;
}

/** A trigger that deletes the comments and attachments of a record with it. */
export function annotated(name: string): string {
  return `create trigger ${name}_subject_gone after delete on ${name} referencing old table as gone
    for each statement execute function remove_what_is_about();`;
}
