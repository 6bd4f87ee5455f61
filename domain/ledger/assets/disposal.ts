/** The part of a fixed asset that is disposed of. */
import { type Decimal, decimal, round } from '../../money.ts';

/** Values that a part of an asset has its share of. */
export interface DisposedValues {
  readonly cost: Decimal;
  readonly accumulated: Decimal;
  readonly impairment: Decimal;
  readonly residualValue: Decimal;
  /** On which, with the residual value, the constant percentage rests. */
  readonly initialCost: Decimal;
}

/**
 * The values of a part, by its share of the cost.
 * @param cost of the part, above zero and below that of the whole
 * @param places decimals of amounts
 */
export function disposedPart(whole: DisposedValues, cost: Decimal, places: number): DisposedValues {
  const share = (amount: Decimal) => round(decimal(amount).times(cost).div(whole.cost), places);
  return {
    cost,
    accumulated: share(whole.accumulated),
    impairment: share(whole.impairment),
    residualValue: share(whole.residualValue),
    initialCost: share(whole.initialCost),
  };
}
