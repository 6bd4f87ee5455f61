/**
 * Sets off the investment in a company against its equity, by full consolidation (NOFCAC, RD 1159/2010, arts. 21 to 27): the group's share
 * of the equity at the acquisition goes against what was paid, what was earned since is reserves of the group, and the rest belongs to the
 * minorities.
 */
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';

export interface Equity {
  /** Share that the group owns, in percent. */
  readonly ownershipPercent: Decimal;
  /** Equity of the company without the result of the year; credits are positive. */
  readonly equity: Decimal;
  /** Result of the year; profits are positive. */
  readonly result: Decimal;
  /** Balance of the account of the investment, debits positive; null if there is none. */
  readonly investment: Decimal | null;
  /** All its equity when it was acquired; null if the group has founded it. */
  readonly acquiredEquity: Decimal | null;
}

/** All but goodwill are credits. */
export interface SetOff {
  readonly goodwill: Decimal;
  readonly reserves: Decimal;
  /** The minorities' share of equity and result. */
  readonly minorities: Decimal;
  /** Their share of the result alone. */
  readonly minorityResult: Decimal;
}

/**
 * Divides the equity: goodwill = investment − share of the acquired equity, if above zero; below, it adds to the reserves. What it leaves
 * agrees: investment + reserves + minorities = equity + goodwill + minorities' result.
 * @param places decimals of amounts
 */
export function setOff(
  { ownershipPercent, equity, result, investment, acquiredEquity }: Equity,
  places: number,
): SetOff {
  const share = decimal(ownershipPercent).div(100);
  const minorityResult = shareOfOthers(ownershipPercent, result, places);
  const minorityEquity = shareOfOthers(ownershipPercent, equity, places);
  const paid = decimal(investment ?? '0');
  const acquired = acquiredEquity === null ? paid : decimal(round(share.times(acquiredEquity), places));
  const goodwill = positive(paid.minus(acquired));
  return {
    goodwill: goodwill.toFixed(),
    reserves: decimal(equity).minus(minorityEquity).plus(goodwill).minus(paid).toFixed(),
    minorities: sum([minorityEquity, minorityResult]).toFixed(),
    minorityResult,
  };
}

/** The part of an amount that the group does not own. @param ownershipPercent its share */
export function shareOfOthers(ownershipPercent: Decimal, amount: Decimal, places: number): Decimal {
  return round(decimal(100).minus(ownershipPercent).div(100).times(amount), places);
}

function positive(value: Exact): Exact {
  return value.gt(0) ? value : decimal(0);
}
