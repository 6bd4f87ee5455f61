/** Cancels a landed cost: the goods cost again what they did without it. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { LandedCost } from '../../../db/models/trade/landed-costs.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { lockForCosts } from '../lifecycle/goods/invoiced-costs.ts';
import { changeCosts } from '../stock/revalue.ts';
import { landedCause, lockLandedCosts } from './add.ts';

export interface CancelOptions {
  readonly ifMatch: number | null;
  /** Day of the reversing movements; defaults to today, or the landed cost's own day if that is later. */
  readonly date?: string;
}

/** @throws ServiceError not_found, stale_version, invalid_transition, period_closed */
export async function cancelLandedCost(trx: Db, ctx: Context, id: string, options: CancelOptions): Promise<void> {
  await lockLandedCosts(trx, ctx);
  const current = await LandedCost.query(trx).findById(id);
  if (current === undefined) throw notFound('This landed cost');
  assertVersion(current, options.ifMatch);
  if (current.status === 'cancelled')
    throw new ServiceError('invalid_transition', `${current.code} cannot be cancelled because it is cancelled already`);
  const day = await openDay(trx, ctx, 'stock', options.date, current.date, '/date');
  const made = await query<{ adjustsId: string; value: Decimal; fifoValue: Decimal }>(
    trx,
    `select l.adjusts_id as "adjustsId", l.given_value as value, l.given_fifo_value as "fifoValue"
     from stock_movements m join stock_layers l on l.id = m.id and l.adjusts_id is not null and l.follows_id is null
     where m.landed_cost_id = :id::uuid order by m.seq`,
    { id },
  );
  const costs = made.map(({ adjustsId, value, fifoValue }) => ({
    adjustsId,
    followsId: null,
    date: day.date,
    value: decimal(value).neg().toFixed(),
    fifoValue: decimal(fifoValue).neg().toFixed(),
    cause: landedCause(id),
  }));
  const changes = new Changes(ctx).hold(day.area, day.periodId);
  changes.change(LandedCost, current, { status: 'cancelled', cancelledAt: ctx.now.toISOString() });
  changes.follow(changeCosts, await lockForCosts(trx, ctx, costs, []));
  await changes.write(trx);
}
