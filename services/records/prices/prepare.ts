/** Completes and checks price lists and their prices before they are written. */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Tenant } from '../../../db/models/access/access.ts';
import { Price } from '../../../db/models/records/prices.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { checkValidity } from '../../platform/validation/validity.ts';

type Row = Record<string, unknown>;

/** Fills in the company's currency. @throws ServiceError validation_failed if the list ends before it begins */
export async function prepareNewPriceList(trx: Db, ctx: Context, values: Row): Promise<Row> {
  checkValidity(values);
  if (values.currency !== null) return values;
  const { currency } = await Tenant.query(trx).findById(ctx.tenantId).throwIfNotFound();
  return { ...values, currency };
}

/**
 * Checks a price and locks its list. Without the lock, two concurrent overlapping prices would deadlock at the exclusion constraint.
 * @throws ServiceError validation_failed
 */
export async function checkPrice(trx: Db, next: Row): Promise<void> {
  checkValidity(next);
  if (next.price === null && next.discountPercent === null) {
    throw invalidMember('/price', 'required', 'send a price or a discountPercent');
  }
  if (next.price !== null && next.discountPercent !== null) {
    throw invalidMember(
      '/discountPercent',
      'exclusive',
      'send either a price or a discountPercent, and null for the other',
    );
  }
  await lockName(trx, `prices:${String(next.priceListId)}`);
}

/** Deletes all prices of a list, each with its audit record. */
export async function removePrices(trx: Db, ctx: Context, priceListId: string): Promise<void> {
  await removeRowsWhere(trx, ctx, Price, { price_list_id: priceListId });
}
