/**
 * The bytes that a company stores (decision 0232): counted by triggers where they are many, measured now and then where they are rows.
 * The budget is a setting of each connection, so that it is read with the bytes.
 */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { prepared } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { inWords, type StorageUse, storageFull, storageLimit } from '../../../domain/platform/storage.ts';

const TOTAL = `
  select coalesce(nullif(current_setting('app.storage_budget', true), ''), '0')::bigint as budget,
    (coalesce((select sum(bytes) from storage_changes), 0) + coalesce((select bytes from storage_rows), 0))::bigint as used`;

export interface StorageState {
  /** In bytes; 0 = no limit. */
  readonly budget: number;
  readonly used: number;
}

/** Reads the budget and the bytes in use. */
export async function readStorage(reader: Reader): Promise<StorageState> {
  const [state] = await prepared<StorageState>(reader, TOTAL, {});
  return state ?? { budget: 0, used: 0 };
}

/** @throws ServiceError storage_full */
export async function assertRoom(reader: Reader, use: StorageUse): Promise<void> {
  const { budget, used } = await readStorage(reader);
  if (used >= storageLimit(budget, use)) throw storageFull(budget);
}

/**
 * Checks what a transaction has stored, just before it commits. Transactions of a company do so one after another, so that they do not
 * exceed the budget together.
 * @param size of the largest thing, in bytes
 * @throws ServiceError storage_full; body_too_large if it would never fit
 */
export async function assertStored(
  trx: Db,
  { tenantId }: Pick<Context, 'tenantId'>,
  size: number,
  use: StorageUse,
): Promise<void> {
  const [, { budget, used }] = await Promise.all([lockName(trx, `storage:${tenantId}`), readStorage(trx)]);
  const limit = storageLimit(budget, use);
  if (size > limit) {
    throw new ServiceError('body_too_large', `It can never fit into the ${inWords(budget)} of storage of the company`);
  }
  if (used > limit) throw storageFull(budget);
}

/**
 * Counts bytes of rows until they are measured, and has them measured.
 * @param bytes about what the rows take
 */
export async function recordRecent(trx: Db, { tenantId }: Pick<Context, 'tenantId'>, bytes: number): Promise<void> {
  await prepared(
    trx,
    `insert into storage_changes (tenant_id, kind, bytes, items) values (:tenantId::uuid, 'recent', :bytes::bigint, 1)`,
    { tenantId, bytes },
  );
}
