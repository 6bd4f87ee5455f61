/**
 * The audited write for the few rows that belong to no tenant (companies and users). The row is written as the system role,
 * audit record and events in the tenant on whose behalf it happens; all in the caller's transaction.
 */
import type { Context } from './context.ts';
import { type Db, switchScope } from './database.ts';
import { ConcurrentChange } from './errors.ts';
import { newId } from './ids.ts';
import type { JsonRow, TenantModel, TenantModelClass } from './models/base.ts';
import { auditStatement, type DomainEvent, eventStatement } from './trail.ts';

type Row = Record<string, unknown>;

/**
 * Runs part of a tenant's transaction as the system role and comes back to the tenant. When `work` throws, the
 * transaction is over: the caller must let it roll back.
 */
export async function asSystem<T>(
  trx: Db,
  scope: { readonly tenantId: string },
  work: () => PromiseLike<T>,
): Promise<T> {
  await switchScope(trx, 'system');
  const result = await work();
  await switchScope(trx, scope);
  return result;
}

/**
 * Inserts a global row with its audit record and events. The transaction is in the scope of `ctx.tenantId` afterwards.
 * @throws ServiceError duplicate — translated when the transaction ends
 */
export async function insertGlobalRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  values: Partial<M> & Row,
  events: (inserted: M) => readonly DomainEvent[] = () => [],
): Promise<M> {
  const now = ctx.now.toISOString();
  const row = { id: newId(), version: 1, ...values, createdAt: now, updatedAt: now } as unknown as M & Row;
  const anyModel: TenantModelClass = model;
  const inserted = await asSystem(trx, ctx, () => anyModel.query(trx).insert(row).returning('*'));
  const shown = model.toJson({ ...(inserted as unknown as Row) });
  await record(
    trx,
    ctx,
    { type: model.entityType, id: row.id },
    'CREATE',
    null,
    shown,
    events(inserted as unknown as M),
  );
  return inserted as unknown as M;
}

/**
 * Changes a global row that the caller has read; nothing is written when nothing changes.
 * @param note what the audit record shows besides, for changes that are not in the row (never the secret itself)
 * @throws ConcurrentChange when somebody else changed it since it was read
 */
export async function patchGlobalRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  current: M,
  changes: Partial<M> & Row,
  note: Row = {},
): Promise<M> {
  const before = current as unknown as Row;
  const changed = Object.entries(changes).filter(([member, value]) => value !== undefined && before[member] !== value);
  if (changed.length === 0 && Object.keys(note).length === 0) return current;
  const next = { ...Object.fromEntries(changed), version: current.version + 1, updatedAt: ctx.now.toISOString() };
  const anyModel: TenantModelClass = model;
  const [updated] = await asSystem(trx, ctx, () =>
    anyModel.query(trx).patch(next).where({ id: current.id, version: current.version }).returning('*'),
  );
  if (updated === undefined) throw new ConcurrentChange();
  const entity = { type: model.entityType, id: current.id };
  const shown = { ...model.toJson({ ...(updated as unknown as Row) }), ...note };
  await record(trx, ctx, entity, 'UPDATE', model.toJson({ ...before }), shown, []);
  return updated as unknown as M;
}

async function record(
  trx: Db,
  ctx: Context,
  entity: { readonly type: string; readonly id: string },
  action: 'CREATE' | 'UPDATE',
  oldValue: JsonRow | null,
  newValue: JsonRow,
  events: readonly DomainEvent[],
): Promise<void> {
  const statements = [
    auditStatement(ctx, entity, action, oldValue, newValue),
    ...events.map((event) => eventStatement(ctx, entity, event)),
  ];
  for (const { sql, bindings } of statements) await trx.raw(sql, bindings as never);
}
