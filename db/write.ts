/** Audited changes of single rows: each with its audit record and events, in one statement. */
import { ServiceError } from '../domain/errors.ts';
import { Changes, type Events } from './changes/changes.ts';
import type { DomainEvent } from './changes/trail.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { TenantModel, TenantModelClass } from './models/base.ts';

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
  const changes = new Changes(ctx);
  changes.create(model, values, events);
  const [row] = await changes.write(trx, model);
  return row as M;
}

/**
 * Changes a row that the caller has read. What equals the present value is left out; nothing is written when nothing changes.
 * @param current the row as read
 * @param values members to change, in camelCase
 * @returns the row after the change, its version raised by one
 * @throws ConcurrentChange when somebody else changed it since it was read: the transaction is repeated on the new state
 */
export async function patchRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  current: M,
  values: Partial<M> & Row,
  events: Events<M> = [],
): Promise<M> {
  const changes = new Changes(ctx);
  changes.change(model, current, values, { events });
  const [row] = await changes.write(trx, model);
  return row ?? current;
}

/** Deletes a row that the caller has read. @throws ConcurrentChange; ServiceError in_use */
export async function removeRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  current: M,
  events: readonly DomainEvent[] = [],
): Promise<void> {
  await new Changes(ctx).delete(model, current, events).write(trx);
}

/** Rows that are deleted at once. */
const BATCH = 1000;

/**
 * Deletes all rows where columns have certain values, each with its audit record: they may be very many.
 * @throws ConcurrentChange; ServiceError in_use
 */
export async function removeRowsWhere(
  trx: Db,
  ctx: Context,
  model: TenantModelClass,
  where: Readonly<Record<string, string>>,
): Promise<void> {
  for (;;) {
    const rows = await model.query(trx).where(where).orderBy('id').limit(BATCH);
    const changes = new Changes(ctx);
    for (const row of rows) changes.delete(model, row);
    await changes.write(trx);
    if (rows.length < BATCH) return;
  }
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
