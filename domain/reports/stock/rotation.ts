/** Stock rotation: turnover, days of stock, classes by consumption (ABC), and dead stock. */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { RATIO_PLACES } from '../engine/figures.ts';

/** Stock and sales of an item in a period. */
export interface StockUse {
  /** Quantities on hand before the first day and at the end of the last one. */
  readonly before: Decimal;
  readonly after: Decimal;
  /** Quantity delivered to customers, less returns. */
  readonly sold: Decimal;
  /** Cost of the quantity sold. */
  readonly cost: Decimal;
  /** The quantity on hand at the end of each day, added up. */
  readonly quantityDays: Decimal;
}

export type AbcClass = 'A' | 'B' | 'C';

export interface Rotation {
  readonly averageStock: Decimal;
  /** Times that the average stock was sold; 0 without stock. */
  readonly turnover: Decimal;
  /** For how many days the average stock lasts; null where nothing was sold. */
  readonly daysOfStock: Decimal | null;
  readonly class: AbcClass;
  /** Whether it was there all the time and none of it was sold. */
  readonly dead: boolean;
}

/** Cumulative parts of the whole consumption, in percent: what begins below the first is A, below the second B. */
const LIMITS = { A: 80, B: 95 } as const;

/**
 * The figures of each item, in the order of the items.
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

/** Classes by consumption, the largest first: A until 80 % of the whole is reached, B until 95 %; C the others, and what was not used. */
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
