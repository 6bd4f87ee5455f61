import type { Db } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { CommissionRate } from '../../../db/models/trade/commissions.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { COMMISSION_BASES } from '../../../domain/trade/commissions.ts';
import { amount, choice, day, flag, label, uuid } from '../../platform/validation/schemas.ts';
import { checkValidity } from '../../platform/validation/validity.ts';
import { declareResource } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';

/** Maximum number of rates: each line that was sold is compared with all of them. */
const MAX_RATES = 500;

/** Rates of commissions: of those that fit a line, the narrowest counts. */
export const commissionRates = declareResource({
  name: 'CommissionRate',
  plural: 'CommissionRates',
  path: '/api/commission-rates',
  tag: 'Salespeople',
  model: CommissionRate,
  defaultSort: 'name',
  fields: {
    name: { schema: label(), required: true, searchable: true },
    salespersonId: {
      schema: uuid({ description: 'The only salesperson that it is for; without one, for all' }),
      reference: { table: 'salespeople' },
    },
    itemId: { schema: uuid({ description: 'The only item that it is for' }), reference: { table: 'items' } },
    categoryId: {
      schema: uuid({ description: 'Instead of itemId: the items of this category and of those below it' }),
      reference: { table: 'categories' },
    },
    minMarginPercent: {
      schema: amount({
        places: 4,
        minimum: -1000,
        maximum: 100,
        description:
          "Only lines with at least this margin, in percent of their amount; of several rates the greatest that's reached counts",
      }),
    },
    basis: {
      schema: choice(COMMISSION_BASES, { description: 'Percentage of the net amount, or of the margin of the line' }),
      default: 'amount',
    },
    percent: { schema: amount({ places: 4, minimum: 0, maximum: 100 }), required: true },
    validFrom: { schema: day({ description: 'Counts for invoices from this day on' }) },
    validTo: { schema: day({ description: 'The last day of invoices that it counts for' }) },
    active: { schema: flag(), default: true },
  },
  lock: ({ trx, ctx }) => lockName(trx, `commission_rates:${ctx.tenantId}`),
  async onCreate({ trx }, values) {
    checkRate(values);
    await assertFewRates(trx);
    return values;
  },
  async onPatch(_, values, current) {
    checkRate({ ...current, ...values });
    return values;
  },
});

function checkRate(rate: Row): void {
  checkValidity(rate);
  if (rate.itemId !== null && rate.categoryId !== null) {
    throw invalidMember('/categoryId', 'exclusive', 'cannot be given together with itemId: a rule has one of them');
  }
}

async function assertFewRates(trx: Db): Promise<void> {
  const [found] = await query<{ count: number }>(trx, 'select count(*)::integer as count from commission_rates', {});
  if (found === undefined || found.count < MAX_RATES) return;
  throw new ServiceError('validation_failed', `A company has at most ${MAX_RATES} rates; delete or widen some`, {
    errors: [
      { pointer: '', code: 'too_many', message: `cannot be added because there are already ${MAX_RATES} rates` },
    ],
  });
}
