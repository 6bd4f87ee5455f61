/** Plans the depreciation of an asset, month by month or year by year. */
import { dayBefore, daysAfter, endOfMonth, yearAfter } from '../../days.ts';
import { type Decimal, decimal } from '../../money.ts';
import { yearStart } from '../periods/fiscal-year.ts';
import { depreciate, type Terms } from './depreciation.ts';
import { earlier, firstDay, lastDay } from './life.ts';
import type { RunFrequency } from './types.ts';

/** An asset as it stands before what is planned. */
export interface Standing extends Terms {
  /** Cost less depreciation and impairment. */
  readonly value: Decimal;
  readonly residual: Decimal;
  /** The last day depreciated; null for none. */
  readonly depreciatedTo: string | null;
  /** Changes of its value that are dated after that day, in order. They count for the whole span that contains their day. */
  readonly changes?: readonly { readonly date: string; readonly amount: Decimal }[];
}

/** Depreciation of some days. */
export interface PlannedPart {
  readonly from: string;
  readonly to: string;
  /** The day on which it is entered: the last of the month or year. */
  readonly date: string;
  readonly amount: Decimal;
}

export interface Pace {
  readonly frequency: RunFrequency;
  /** MM-DD */
  readonly fiscalYearStart: string;
  /** Decimals of amounts. */
  readonly places: number;
}

/** The last day of the month, or of the fiscal year, of a day. */
export function spanEnd(day: string, { frequency, fiscalYearStart }: Omit<Pace, 'places'>): string {
  return frequency === 'month' ? endOfMonth(day) : dayBefore(yearAfter(yearStart(fiscalYearStart, day)));
}

/** The first day that is not depreciated yet; null when its life is over, or it is not depreciated. */
export function nextDay(terms: Terms, depreciatedTo: string | null): string | null {
  if (terms.method === 'none') return null;
  if (depreciatedTo === null) return firstDay(terms);
  return depreciatedTo >= lastDay(terms) ? null : daysAfter(depreciatedTo, 1);
}

/**
 * Plans the months or years that end on a day or before.
 * @param to null: to the end of its life
 */
export function planDepreciation(asset: Standing, to: string | null, pace: Pace): PlannedPart[] {
  const parts: PlannedPart[] = [];
  if (asset.method === 'none') return parts;
  const end = lastDay(asset);
  const changes = [...(asset.changes ?? [])];
  let value = decimal(asset.value);
  let after = asset.depreciatedTo;
  for (let from = nextDay(asset, after); from !== null; from = nextDay(asset, after)) {
    const date = spanEnd(from, pace);
    if (to !== null && date > to) break;
    while (changes[0] !== undefined && changes[0].date <= date) value = value.plus(changes.shift()?.amount ?? 0);
    const until = earlier(date, end);
    const amount = depreciate(asset, value.minus(asset.residual), { after, to: until }, pace.places);
    parts.push({ from, to: until, date, amount });
    value = value.minus(amount);
    after = until;
  }
  return parts;
}
