/** Moves goods by a plan, and values the movements. */
import type { Db } from '../../../db/database.ts';
import type { Commitment } from '../../../domain/trade/stock/levels.ts';
import type { Move, Movement } from '../../../domain/trade/stock/movement.ts';
import type { StockPlan } from '../../../domain/trade/stock/plan.ts';
import type { MovedGoods } from './add-goods.ts';
import { type Standings, valueMovements } from './cost.ts';
import { assertDaysHold } from './days.ts';
import { addPlaces } from './levels.ts';

/**
 * Plans moves and values the movements.
 * @param date of the movements
 * @param standings of their stocks, if they have been read
 * @throws ServiceError insufficient_stock, batch_expired
 */
export async function moveAndValue(
  trx: Db,
  plan: StockPlan,
  moves: readonly Move[],
  commitments: readonly Commitment[],
  date: string,
  standings: Standings | null = null,
): Promise<MovedGoods> {
  if (plan.needsPlaces(moves)) await addPlaces(trx, plan);
  return await valued(trx, plan, plan.move(moves, commitments, date), date, standings);
}

/**
 * Values planned movements.
 * @param standings of their stocks, if they have been read
 * @throws ServiceError insufficient_stock if the stock would be below zero on a later day
 */
export async function valued(
  trx: Db,
  plan: StockPlan,
  movements: readonly Movement[],
  date: string,
  standings: Standings | null = null,
): Promise<MovedGoods> {
  const costs = await valueMovements(trx, movements, date, standings);
  await assertDaysHold(trx, { movements, costs, date });
  return { movements, costs, date, levels: plan.changes() };
}
