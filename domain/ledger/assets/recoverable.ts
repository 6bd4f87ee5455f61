/** The value of an asset had it never been impaired: the limit of a reversal (PGC, valuation rule 2, section 2.2). */
import { dayBefore } from '../../days.ts';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import { depreciate, type Terms } from './depreciation.ts';
import type { MovementKind } from './types.ts';

/** A movement of an asset that counts, in the order in which they were entered. */
export interface PastMovement {
  readonly kind: MovementKind;
  readonly cost: Decimal;
  readonly accumulated: Decimal;
  /** Change by the disposal of a part. */
  readonly residualValue: Decimal;
  readonly fromDate: string | null;
  readonly toDate: string | null;
}

/** @param residual value that is not depreciated, as it is now @param places decimals of amounts */
export function valueWithoutImpairment(
  terms: Terms,
  residual: Decimal,
  past: readonly PastMovement[],
  places: number,
): Exact {
  let value = decimal(0);
  let cost = decimal(0);
  let kept = decimal(residual).minus(sum(past.map((one) => one.residualValue)));
  let after: string | null = null;
  for (const { kind, cost: change, accumulated, residualValue, fromDate, toDate } of past) {
    // A part that is disposed of takes its share of what the asset would be worth.
    value = kind === 'disposal' ? decimal(round(value.times(cost.plus(change)).div(cost), places)) : value.plus(change);
    cost = cost.plus(change);
    kept = kept.plus(residualValue);
    if (kind === 'takeover') value = value.minus(accumulated);
    if (kind === 'depreciation' && fromDate !== null && toDate !== null) {
      const span = { after: after === null ? null : dayBefore(fromDate), to: toDate };
      value = value.minus(depreciate(terms, value.minus(kept), span, places));
    }
    if (toDate !== null) after = toDate;
  }
  return value;
}
