/** Checks price rules before they are written: each says what it is for and what it sets, and no two things at once. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import type { PriceRule } from '../../../db/models/records/prices.ts';
import { query } from '../../../db/sql.ts';
import { type FieldError, invalidMember, validationFailed } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import { checkValidity } from '../../platform/validation/validity.ts';
import type { Row } from '../resources/field.ts';

/** Maximum number of rules without an item: each document compares every such rule with each of its lines. */
export const MAX_WIDE_RULES = 500;

/** Makes those who add rules without an item wait for each other, so that they count right. */
export async function lockWideRules(trx: Db, { tenantId }: Context): Promise<void> {
  await lockName(trx, `price_rules:${tenantId}`);
}

/** @param id of the rule; null for a new one. @throws ServiceError validation_failed */
export async function checkPriceRule(trx: Db, values: Row, id: string | null): Promise<void> {
  checkValidity(values);
  const rule = values as unknown as PriceRule;
  const faults = [
    ...checkScope(rule, ['itemId', 'categoryId'] as const),
    ...checkScope(rule, ['partnerId', 'partnerGroupId', 'priceListId'] as const),
    ...checkBasis(rule),
    ...checkCombines(rule),
  ];
  if (faults.length > 0) throw validationFailed(faults);
  if (rule.itemId !== null) return;
  const [found] = await query<{ count: number }>(
    trx,
    'select count(*)::integer as count from price_rules where item_id is null and id is distinct from :id::uuid',
    { id },
  );
  if (found !== undefined && found.count >= MAX_WIDE_RULES) {
    const message = `is required because there are already ${MAX_WIDE_RULES} rules without an item`;
    throw invalidMember('/itemId', 'too_many', message);
  }
}

function checkScope<M extends keyof PriceRule>(rule: PriceRule, members: readonly M[]): FieldError[] {
  const given = members.filter((member) => rule[member] !== null);
  return given.slice(1).map((member) => ({
    pointer: `/${String(member)}`,
    code: 'exclusive',
    message: `cannot be given together with ${String(given[0])}: a rule has one of them`,
  }));
}

function checkBasis({ basis, price, basisPriceListId, includesTax }: PriceRule): FieldError[] {
  const fault = (member: string, code: string, message: string) => [{ pointer: `/${member}`, code, message }];
  return [
    ...(basis === 'fixed' && price === null ? fault('price', 'required', 'is required with the basis fixed') : []),
    ...(basis !== 'fixed' && price !== null
      ? fault('price', 'not_allowed', 'is allowed only with the basis fixed')
      : []),
    ...(basis !== 'fixed' && includesTax
      ? fault('includesTax', 'not_allowed', 'is allowed only with the basis fixed')
      : []),
    ...(basis === 'price_list' && basisPriceListId === null
      ? fault('basisPriceListId', 'required', 'is required with the basis price_list')
      : []),
    ...(basis !== 'price_list' && basisPriceListId !== null
      ? fault('basisPriceListId', 'not_allowed', 'is allowed only with the basis price_list')
      : []),
  ];
}

/** A rule that combines sets no price. One that sets nothing at all is an exception from others. */
function checkCombines(rule: PriceRule): FieldError[] {
  const { basis, adjustmentPercent, adjustmentAmount, rounding, combines } = rule;
  const setsPrice =
    basis !== 'item' || !decimal(adjustmentPercent).eq(0) || !decimal(adjustmentAmount).eq(0) || rounding !== null;
  if (!combines || !setsPrice) return [];
  const message = 'must be false because the rule sets a price; a rule that combines has a discountPercent alone';
  return [{ pointer: '/combines', code: 'not_allowed', message }];
}
