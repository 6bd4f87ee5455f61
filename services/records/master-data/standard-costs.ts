import type { Db } from '../../../db/database.ts';
import { StandardCost } from '../../../db/models/records/catalogue.ts';
import { query } from '../../../db/sql.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { assertOpenFor, locksAgainst, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import { amount, day, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { assertStocked } from './item-stock.ts';

/** Standard costs by day, of items with the costing method `standard` (decision 0321). */
export const standardCosts = declareResource({
  name: 'StandardCost',
  plural: 'StandardCosts',
  path: '/api/standard-costs',
  tag: 'Items',
  model: StandardCost,
  defaultSort: '-date',
  naturalKey: ['itemId', 'date'],
  problems: ['period_closed'],
  fields: {
    itemId: { schema: uuid(), required: true, write: 'create', reference: { table: 'items' } },
    date: {
      schema: day({ description: 'It counts from this day until there is another; stock on hand is valued anew' }),
      required: true,
    },
    cost: {
      schema: amount({ minimum: 0, description: "Of one in the item's own unit, in the company's currency" }),
      required: true,
    },
  },
  async onCreate({ trx }, values) {
    await assertStocked(trx, values.itemId);
    await assertOpen(trx, [values.date]);
    return values;
  },
  async onPatch({ trx }, values, current) {
    await assertOpen(trx, [current.date, values.date ?? current.date]);
    return values;
  },
  async onDelete({ trx }, current) {
    await assertOpen(trx, [current.date]);
  },
});

/** A cost changes the value of the stock from its day on. @throws ServiceError period_closed, period_locked */
async function assertOpen(trx: Db, days: readonly unknown[]): Promise<void> {
  const periods = await query<PeriodState>(
    trx,
    `select code, status, locked_areas as "lockedAreas" from periods
     where (status = :closed or locked_areas && :locks::text[]) and "to" >= any(:days::date[]) order by "from" desc limit 1`,
    { closed: PERIOD_STATUS.closed, locks: locksAgainst('stock'), days: days.map(String) },
  );
  for (const period of periods) assertOpenFor(period, 'stock', '/date');
}
