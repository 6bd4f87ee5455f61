/** Building blocks of migrations, which ensure that no tenant table is created without its policy. */
import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';

/** The tenant that the connection is set to; a sub-select, so that it is evaluated once for each statement. */
const CURRENT_TENANT = `(select nullif(current_setting('app.tenant_id', true), '')::uuid)`;

export interface TableOptions {
  /** What the application role may do; append-only tables leave out update and delete. */
  readonly grants?: string;
  /** What the system role may do across tenants; none by default. */
  readonly systemGrants?: string;
  /** Adds version, created_at and updated_at (default true). */
  readonly versioned?: boolean;
}

/** A table of one tenant's rows: id, tenant, forced row-level security, grants. */
export function tenantTable(name: string, columns: string, options: TableOptions = {}): string {
  const versioned =
    options.versioned === false
      ? ''
      : `, version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null`;
  return `
    create table ${name} (
      id uuid primary key,
      tenant_id uuid not null references tenants (id),
      ${columns}
      ${versioned},
      constraint ${name}_tenant_id_id unique (tenant_id, id)
    );
    ${secureTenantTable(name, options)}`;
}

/** Row-level security and grants for a table that has a tenant_id. */
export function secureTenantTable(name: string, options: TableOptions = {}): string {
  const system = options.systemGrants
    ? `create policy ${name}_system on ${name} to ${SYSTEM_ROLE} using (true) with check (true);
       grant ${options.systemGrants} on ${name} to ${SYSTEM_ROLE};`
    : '';
  return `
    alter table ${name} enable row level security;
    alter table ${name} force row level security;
    create policy ${name}_tenant on ${name} to ${APP_ROLE}
      using (tenant_id = ${CURRENT_TENANT}) with check (tenant_id = ${CURRENT_TENANT});
    grant ${options.grants ?? 'select, insert, update, delete'} on ${name} to ${APP_ROLE};
    ${system}`;
}

/** A reference that cannot cross tenants; the constraint's name tells the API which member is wrong. */
export function reference(table: string, column: string, target: string, onDelete = ''): string {
  return `constraint ${table}_${column}_fkey foreign key (tenant_id, ${column}) references ${target} (tenant_id, id) ${onDelete}`;
}
