/** Audited changes of single rows: each writes its audit record and events in the same statement. */
import { ServiceError } from '../domain/errors.ts';
import { Changes, type Events } from './changes/changes.ts';
import type { DomainEvent } from './changes/trail.ts';
import type { Context } from './context.ts';
import type { Db } from './database.ts';
import type { TenantModel, TenantModelClass } from './models/base.ts';

type Row = Record<string, unknown>;

/**
 * Inserts a row, completed with id, tenant, version and times.
 * @param values members in camelCase, with plain objects for JSON columns; may contain a version that continues another row's
 * @param events events to emit
 * @returns the complete row
 * @throws ServiceError duplicate, validation_failed (bad reference or range) — translated when the transaction ends
 */
export async function insertRow<M extends TenantModel>(
  trx: Db,
  ctx: Context,
  model: TenantModelClass<M>,
  values: Partial<M> & Row,
  events: Events<M> = [],
): Promise<M> {
  const changes = new Changes(ctx);
  changes.create(model, values, events);
  const [row] = await changes.write(trx, model);
  return row as M;
}

/**
 * Updates a row that the caller has read. Equal values are left out; nothing is written if nothing changes.
 * @param current the row as read
 * @param values members to change, in camelCase
 * @returns the row after the change, its version raised by one
 * @throws ConcurrentChange if somebody else changed it since it was read: the transaction is retried on the new state
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

/** Rows deleted per statement. */
const BATCH = 1000;

/**
 * Deletes all rows with certain column values, each with its audit record, in batches.
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

/** The error for a row that has changed since the caller read it. */
export function staleVersion(): ServiceError {
  return new ServiceError(
    'stale_version',
    'It has changed in the meantime; read it again and repeat the change on the new version',
  );
}

/** @throws ServiceError stale_version if the caller's version (If-Match) is not the current one */
export function assertVersion(row: { readonly version: number }, ifMatch: number | null): void {
  if (ifMatch !== null && ifMatch !== row.version) throw staleVersion();
}
