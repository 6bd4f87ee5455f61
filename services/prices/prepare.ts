/** Completes and checks price lists and their prices before they are written. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { invalidMember } from '../../domain/errors.ts';
import { checkValidity } from '../validation/validity.ts';

type Row = Record<string, unknown>;

/** Fills in the company's currency. @throws ServiceError validation_failed when the list ends before it begins */
export async function prepareNewPriceList(trx: Db, ctx: Context, values: Row): Promise<Row> {
  checkValidity(values);
  if (values.currency !== null) return values;
  const company: { currency: string } = await trx('tenants').where({ id: ctx.tenantId }).first('currency');
  return { ...values, currency: company.currency };
}

/**
 * Checks a price and locks its list: overlapping prices wait for each other at the exclusion constraint, and two concurrent ones would
 * deadlock.
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
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`prices:${String(next.priceListId)}`]);
}

/** JavaScript's format of instants, for to_char. */
const INSTANT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** Deletes all prices of a list, each with its audit record, in one statement: a list may have very many. */
export async function removePrices(trx: Db, ctx: Context, priceListId: string): Promise<void> {
  await query(
    trx,
    `with removed as (delete from prices where price_list_id = :priceListId returning *)
     insert into audit_logs (id, tenant_id, entity_type, entity_id, action, user_id, actor, request_id, old_value, new_value, created_at)
     select gen_random_uuid(), tenant_id, 'Price', id, 'DELETE', :userId::uuid, :actor, :requestId,
       json_build_object('id', id, 'priceListId', price_list_id, 'itemId', item_id, 'price', trim_scale(price),
         'discountPercent', trim_scale(discount_percent), 'minQuantity', trim_scale(min_quantity), 'validFrom', valid_from, 'validTo', valid_to,
         'version', version, 'createdAt', to_char(created_at, :instant), 'updatedAt', to_char(updated_at, :instant)),
       null, :now::timestamptz
     from removed`,
    {
      priceListId,
      userId: ctx.userId,
      actor: ctx.actor,
      requestId: ctx.requestId,
      instant: INSTANT,
      now: ctx.now.toISOString(),
    },
  );
}
