/** Documents that were not made in time, for example because the service was down: which of them are made later. */
import { type Period, type PeriodPlan, periodAfter } from './periods.ts';

/** all: each of them; last: the latest; none: only one that is due today. */
export const MISSED_RULES = ['all', 'last', 'none'] as const;
export type MissedRule = (typeof MISSED_RULES)[number];

/** The periods that have become due. */
export interface Due {
  /** Left out, oldest first. */
  readonly skipped: readonly Period[];
  /** The next one to be made; null if all are left out. */
  readonly made: Period | null;
  /** The one after it; null after the last. */
  readonly next: Period | null;
}

/**
 * Decides what is done about the periods that are due by a day, of which only one is made at a time.
 * @param left how many documents may still be made; null for any number
 */
export function dueBy(plan: PeriodPlan, first: Period, today: string, missed: MissedRule, left: number | null): Due {
  const skipped: Period[] = [];
  for (let period: Period | null = first; period !== null; period = periodAfter(plan, period)) {
    const next = periodAfter(plan, period);
    const isLate = period.dueOn < today;
    const isLatest = next === null || next.dueOn > today;
    const isMade = !isLate || missed === 'all' || (missed === 'last' && isLatest);
    if (period.dueOn > today) return { skipped, made: null, next: period };
    if (isMade) return { skipped, made: period, next: left === 1 ? null : next };
    skipped.push(period);
  }
  return { skipped, made: null, next: null };
}

/** The number of periods due by a day, counted up to a limit. */
export function countDue(plan: PeriodPlan, first: Period | null, today: string, most: number): number {
  let count = 0;
  for (let period = first; period !== null && period.dueOn <= today && count < most; count++) {
    period = periodAfter(plan, period);
  }
  return count;
}
