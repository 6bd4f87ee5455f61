/** Stock rotation: turnover, days of stock, classes by consumption (ABC), and dead stock. */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { RATIO_PLACES } from '../engine/figures.ts';

/** Stock and sales of an item in a period. */
export interface StockUse {
  /** Quantities on hand before the first day, and at the end of the last. */
  readonly before: Decimal;
  readonly after: Decimal;
  /** Quantity delivered to customers, less returns. */
  readonly sold: Decimal;
  /** Cost of the quantity sold. */
  readonly cost: Decimal;
  /** Sum of the quantities on hand at the end of each day. */
  readonly quantityDays: Decimal;
}

export type AbcClass = 'A' | 'B' | 'C';

export interface Rotation {
  readonly averageStock: Decimal;
  /** Number of times that the average stock was sold; 0 without stock. */
  readonly turnover: Decimal;
  /** Days that the average stock lasts; null if nothing was sold. */
  readonly daysOfStock: Decimal | null;
  readonly class: AbcClass;
  /** Whether it was on hand throughout and none of it was sold. */
  readonly dead: boolean;
}

/** Cumulative percentages of the total consumption: items that begin below the first are A, below the second B. */
const LIMITS = { A: 80, B: 95 } as const;

/**
 * Computes the figures of each item, in the order of the items.
 * @param days of the period
 * @param places decimals of quantities
 */
export function computeRotation(uses: readonly StockUse[], days: number, places: number): Rotation[] {
  const classes = abcClasses(uses.map(({ cost }) => cost));
  return uses.map(({ before, after, sold, quantityDays }, index) => {
    const average = decimal(quantityDays).div(days);
    const turns = average.gt(0) ? decimal(sold).div(average) : decimal(0);
    return {
      averageStock: round(average, places),
      turnover: round(turns, RATIO_PLACES),
      daysOfStock: decimal(sold).gt(0) ? round(average.times(days).div(sold), RATIO_PLACES) : null,
      class: classes[index] as AbcClass,
      dead: decimal(before).gt(0) && decimal(after).gt(0) && decimal(sold).lte(0),
    };
  });
}

/** Classifies items by consumption, largest first: A up to 80 % of the total, B up to 95 %, C the rest and unused ones. */
export function abcClasses(consumption: readonly Decimal[]): AbcClass[] {
  const used = consumption
    .map((value, index) => ({ value: decimal(value), index }))
    .filter(({ value }) => value.gt(0))
    .sort((one, other) => other.value.cmp(one.value));
  const whole = sum(used.map(({ value }) => value));
  const classes = consumption.map((): AbcClass => 'C');
  let before = decimal(0);
  for (const { value, index } of used) {
    const percent = before.times(100).div(whole);
    classes[index] = percent.lt(LIMITS.A) ? 'A' : percent.lt(LIMITS.B) ? 'B' : 'C';
    before = before.plus(value);
  }
  return classes;
}
