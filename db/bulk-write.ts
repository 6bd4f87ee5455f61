/** Many rows and their audit records in one statement, for what would take thousands of round trips one by one. */
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import { ConcurrentChange } from './errors.ts';
import { newId } from './ids.ts';
import type { TenantModel, TenantModelClass } from './models/base.ts';
import { columnName } from './models/columns.ts';
import { query } from './sql.ts';

type Row = Record<string, unknown>;

/**
 * Inserts the rows that are not there yet, each with its audit record; the others are left as they are. Concurrent calls
 * wait for each other where they would insert the same.
 * @param rows members in camelCase; all name the same ones
 * @param key members of a unique constraint of the table, besides the tenant
 * @returns how many were inserted
 */
export async function insertMissingRows<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  rows: readonly (Partial<M> & Row)[],
  key: readonly (keyof M & string)[],
): Promise<number> {
  const now = ctx.now.toISOString();
  const complete = rows.map(
    (row): Row => ({ id: newId(), ...row, tenantId: ctx.tenantId, version: 1, createdAt: now, updatedAt: now }),
  );
  const columns = Object.keys(complete[0] ?? {})
    .map(column)
    .join(', ');
  if (columns === '') return 0;
  const audits = complete.map((row) => ({ audit_id: newId(), row_id: row.id, value: model.toJson(row) }));
  const [written] = await query<{ count: number }>(
    trx,
    `with written as (
       insert into ${model.tableName} (${columns})
       select ${columns} from json_populate_recordset(null::${model.tableName}, :rows::json)
       on conflict (${['tenantId', ...key].map(column).join(', ')}) do nothing
       returning id
     ), audited as (
       insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, new_value, created_at)
       select audit.audit_id, :tenantId::uuid, :entityType, written.id, 'CREATE', :userId::uuid, :actor, :requestId, audit.value, :now::timestamptz
       from written
       join json_to_recordset(:audits::json) as audit (audit_id uuid, row_id uuid, value json) on audit.row_id = written.id
     )
     select count(*)::integer as count from written`,
    {
      rows: JSON.stringify(complete.map((row) => mapKeys(row))),
      audits: JSON.stringify(audits),
      ...auditBindings(ctx, model),
    },
  );
  return written?.count ?? 0;
}

/**
 * Changes the same members of rows that the caller has read, each with its audit record.
 * @param rows the present row, and the members with their new values, in camelCase
 * @throws ConcurrentChange when one has changed
 */
export async function patchRows<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  rows: readonly { readonly current: M; readonly values: Partial<M> & Row }[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const updatedAt = ctx.now.toISOString();
  const members = [...Object.keys(first.values), 'version', 'updatedAt'];
  const next = rows.map(
    ({ current, values }): Row => ({ ...current, ...values, version: current.version + 1, updatedAt }),
  );
  const audits = rows.map(({ current }, index) => {
    const [old_value, new_value] = [current as unknown as Row, next[index] as Row].map((row) => model.toJson(row));
    return { audit_id: newId(), row_id: current.id, old_value, new_value };
  });
  const [written] = await query<{ count: number }>(
    trx,
    `with given as (
       select * from json_populate_recordset(null::${model.tableName}, :rows::json)
     ), written as (
       update ${model.tableName} set ${members.map((member) => `${column(member)} = given.${column(member)}`).join(', ')}
       from given where ${model.tableName}.id = given.id and ${model.tableName}.version = given.version - 1 returning given.id
     ), audited as (
       insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
       select audit.audit_id, :tenantId::uuid, :entityType, written.id, 'UPDATE', :userId::uuid, :actor, :requestId, audit.old_value, audit.new_value,
         :now::timestamptz
       from written join json_to_recordset(:audits::json) as audit (audit_id uuid, row_id uuid, old_value json, new_value json)
         on audit.row_id = written.id
     )
     select count(*)::integer as count from written`,
    {
      rows: JSON.stringify(
        next.map((row) => mapKeys(Object.fromEntries(['id', ...members].map((member) => [member, row[member]])))),
      ),
      audits: JSON.stringify(audits),
      ...auditBindings(ctx, model),
    },
  );
  if (written?.count !== rows.length) throw new ConcurrentChange();
}

/**
 * Deletes rows that the caller has read and locked, each with its audit record.
 * @throws ConcurrentChange when one has changed; ServiceError in_use — translated when the transaction ends
 */
export async function removeRows<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  rows: readonly M[],
): Promise<void> {
  if (rows.length === 0) return;
  const audits = rows.map((row) => {
    return { audit_id: newId(), row_id: row.id, version: row.version, value: model.toJson(row as unknown as Row) };
  });
  const [removed] = await query<{ count: number }>(
    trx,
    `with given as (
       select * from json_to_recordset(:audits::json) as audit (audit_id uuid, row_id uuid, version integer, value json)
     ), removed as (
       delete from ${model.tableName} using given where id = given.row_id and ${model.tableName}.version = given.version returning id
     ), audited as (
       insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, created_at)
       select given.audit_id, :tenantId::uuid, :entityType, removed.id, 'DELETE', :userId::uuid, :actor, :requestId, given.value, :now::timestamptz
       from removed join given on given.row_id = removed.id
     )
     select count(*)::integer as count from removed`,
    {
      audits: JSON.stringify(audits),
      ...auditBindings(ctx, model),
    },
  );
  if (removed?.count !== rows.length) throw new ConcurrentChange();
}

/** Who writes what, as the audit records have it. */
function auditBindings(ctx: Context, { entityType }: { readonly entityType: string }) {
  const { tenantId, userId, actor, requestId, now } = ctx;
  return { tenantId, entityType, userId, actor, requestId, now: now.toISOString() };
}

function mapKeys(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([member, value]) => [columnName(member), value]));
}

function column(member: string): string {
  return `"${columnName(member)}"`;
}
