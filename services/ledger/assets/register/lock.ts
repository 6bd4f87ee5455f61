import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { lockName } from '../../../../db/locks.ts';

/** Makes changes of a company's assets wait for each other: a day is depreciated once, and a line becomes assets once. */
export async function lockAssets(trx: Db, { tenantId }: Pick<Context, 'tenantId'>): Promise<void> {
  await lockName(trx, `assets:${tenantId}`);
}
