import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { query } from '../../../db/sql.ts';
import { ServiceError } from '../../../domain/errors.ts';

/**
 * Locks a barcode for the transaction and checks that it is not that of another item or unit, so that a scan is unambiguous.
 * @param owner the item or unit with the barcode; null for a new one
 * @throws ServiceError duplicate
 */
export async function checkBarcode(trx: Db, ctx: Context, barcode: unknown, owner: string | null): Promise<void> {
  if (typeof barcode !== 'string') return;
  await lockName(trx, `barcode:${ctx.tenantId}:${barcode}`);
  const taken = await query<{ id: string }>(
    trx,
    `select id from items where barcode = :barcode and id is distinct from :owner::uuid
     union all select id from item_units where barcode = :barcode and id is distinct from :owner::uuid
     union all select id from item_barcodes where barcode = :barcode and id is distinct from :owner::uuid limit 1`,
    { barcode, owner },
  );
  if (taken.length > 0) {
    throw new ServiceError('duplicate', 'The same barcode already exists', {
      errors: [{ pointer: '/barcode', code: 'duplicate', message: 'is taken' }],
    });
  }
}
