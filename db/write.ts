/**
 * The audited write: every create, update and delete of a tenant's data goes through here. One statement writes the row,
 * its audit record and its event, so that none of the three can exist without the others.
 */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../domain/errors.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import { ConcurrentChange } from './errors.ts';
import { newId } from './ids.ts';
import type { JsonRow, TenantModel, TenantModelClass } from './models/base.ts';
import { columnName } from './models/columns.ts';
import { type Action, auditStatement, type DomainEvent, eventStatement, type Statement } from './trail.ts';

type Row = Record<string, unknown>;

/**
 * Inserts a row, completed with id, tenant, version and times.
 * @param values members in camelCase; objects for JSON columns are passed as they are; with a version where it goes on from another row's
 * @param events what happened, if anybody may want to know
 * @returns the complete row
 * @throws ServiceError duplicate, validation_failed (bad reference or range) — translated when the transaction ends
 */
export async function insertRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  values: Partial<M> & Row,
  events: readonly DomainEvent[] = [],
): Promise<M> {
  const now = ctx.now.toISOString();
  const row = {
    id: newId(),
    version: 1,
    ...values,
    tenantId: ctx.tenantId,
    createdAt: now,
    updatedAt: now,
  } as unknown as M & Row;
  const columns = Object.keys(row).filter((member) => row[member] !== undefined);
  const statement: Statement = {
    sql: `insert into ${model.tableName} (${columns.map(quoted).join(', ')}) values (${columns.map(() => '?').join(', ')}) returning *`,
    bindings: columns.map((member) => toBinding(row[member])),
  };
  const result = await run(trx, ctx, model, statement, 'CREATE', row.id, null, model.toJson(row), events);
  return fromDatabase(model, result[0] as Row);
}

/**
 * Changes a row that the caller has read. What equals the present value is left out; nothing is written when nothing changes.
 * @param current the row as read
 * @param changes members to change, in camelCase
 * @returns the row after the change, its version raised by one
 * @throws ConcurrentChange when somebody else changed it since it was read: the transaction is repeated on the new state
 */
export async function patchRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  current: M,
  changes: Partial<M> & Row,
  events: readonly DomainEvent[] | ((next: M) => readonly DomainEvent[]) = [],
): Promise<M> {
  const before = current as unknown as Row;
  const members = Object.keys(changes).filter(
    // Not as texts: PostgreSQL keeps the members of JSON in an order of its own.
    (member) => changes[member] !== undefined && !isDeepStrictEqual(before[member], changes[member]),
  );
  if (members.length === 0) return current;
  const next = {
    ...before,
    ...Object.fromEntries(members.map((member) => [member, changes[member]])),
    version: current.version + 1,
    updatedAt: ctx.now.toISOString(),
  } as unknown as M & Row;
  const written = [...members, 'version', 'updatedAt'];
  const statement: Statement = {
    sql: `update ${model.tableName} set ${written.map((member) => `${quoted(member)} = ?`).join(', ')} where id = ? and version = ? returning *`,
    bindings: [...written.map((member) => toBinding(next[member])), current.id, current.version],
  };
  const happened = typeof events === 'function' ? events(next) : events;
  const rows = await run(
    trx,
    ctx,
    model,
    statement,
    'UPDATE',
    current.id,
    model.toJson(before),
    model.toJson(next),
    happened,
  );
  if (rows.length === 0) throw new ConcurrentChange();
  return fromDatabase(model, rows[0] as Row);
}

/** Deletes a row that the caller has read. @throws ConcurrentChange; ServiceError in_use */
export async function removeRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  current: M,
  events: readonly DomainEvent[] = [],
): Promise<void> {
  const statement: Statement = {
    sql: `delete from ${model.tableName} where id = ? and version = ? returning id`,
    bindings: [current.id, current.version],
  };
  const old = model.toJson(current as unknown as Row);
  const rows = await run(trx, ctx, model, statement, 'DELETE', current.id, old, null, events);
  if (rows.length === 0) throw new ConcurrentChange();
}

/** Runs one writing statement together with its audit record and events, in one round trip. */
async function run(
  trx: Db,
  ctx: Context,
  model: { readonly entityType: string },
  write: Statement,
  action: Action,
  id: string,
  oldValue: JsonRow | null,
  newValue: JsonRow | null,
  events: readonly DomainEvent[],
): Promise<unknown[]> {
  const entity = { type: model.entityType, id };
  const audit = auditStatement(ctx, entity, action, oldValue, newValue);
  const outbox = events.map((event) => eventStatement(ctx, entity, event));
  // Audit and events select from the written row, so that a write that met no row leaves nothing behind.
  const parts = [
    `written as (${write.sql})`,
    `audited as (${audit.sql} from written)`,
    ...outbox.map((event, index) => `event_${index} as (${event.sql} from written)`),
  ];
  const result = (await trx.raw(`with ${parts.join(', ')} select * from written`, [
    ...write.bindings,
    ...audit.bindings,
    ...outbox.flatMap((event) => event.bindings),
  ] as never)) as { rows: unknown[] };
  return result.rows;
}

/** The 412 for a row that is no longer what the caller saw. */
export function staleVersion(): ServiceError {
  return new ServiceError(
    'stale_version',
    'It was changed in the meantime; read it again and repeat the change on the new version',
  );
}

/** @throws ServiceError stale_version when the caller saw (If-Match) another version than the present one */
export function assertVersion(row: { readonly version: number }, ifMatch: number | null): void {
  if (ifMatch !== null && ifMatch !== row.version) throw staleVersion();
}

function fromDatabase<M extends TenantModel>(model: TenantModelClass<M>, row: Row): M {
  return (model as unknown as { fromDatabaseJson(json: Row): M }).fromDatabaseJson(row);
}

function quoted(member: string): string {
  return `"${columnName(member)}"`;
}

function toBinding(value: unknown): unknown {
  if (value instanceof Uint8Array || value instanceof Date || isPlainList(value)) return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
}

/** Lists of texts and numbers are arrays of the database; lists of objects stand in JSON columns. */
function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && !value.some((entry) => typeof entry === 'object' && entry !== null);
}
