/** The periods that a recurring document charges, one after another, and the day on which each of them is due. */
import { dayBefore, daysAfter, daysBetween } from '../../days.ts';
import { decimal, type Exact } from '../../money.ts';
import { dayFollowing, dayPreceding, firstDay, type Interval } from './interval.ts';

/** start: a document is made on the first day of its period; end: on the last. */
export const BILLING_TIMES = ['start', 'end'] as const;
export type BillingTime = (typeof BILLING_TIMES)[number];

export interface PeriodPlan {
  readonly interval: Interval;
  readonly startsOn: string;
  /** The last day that is charged; null for none. */
  readonly endsOn: string | null;
  readonly billedAt: BillingTime;
  /** Whether periods cut short by the first or last day are charged by their days, and a first one is charged at all. */
  readonly prorate: boolean;
}

export interface Period {
  readonly from: string;
  readonly to: string;
  /** The day on which its document is due. */
  readonly dueOn: string;
}

/** The first period; null if the plan ends before it. */
export function firstPeriod(plan: PeriodPlan): Period | null {
  const first = firstDay(plan.interval, plan.startsOn);
  return periodFrom(plan, plan.prorate ? plan.startsOn : first);
}

/** The period after another; null after the last. */
export function periodAfter(plan: PeriodPlan, { to }: Pick<Period, 'to'>): Period | null {
  return periodFrom(plan, daysAfter(to, 1));
}

/** The period that begins on a day; null if the plan has ended by then. */
export function periodFrom({ interval, startsOn, endsOn, billedAt }: PeriodPlan, from: string): Period | null {
  if (endsOn !== null && from > endsOn) return null;
  const whole = dayBefore(nextBoundary(interval, startsOn, from));
  const to = endsOn !== null && endsOn < whole ? endsOn : whole;
  return { from, to, dueOn: billedAt === 'start' ? from : to };
}

/**
 * The part of a whole period that some of its days are.
 * @param from the first day, within the period that begins or ends there
 * @returns 1 for a whole period, and for an interval without regular periods
 */
export function shareOfPeriod({ interval, startsOn }: Pick<PeriodPlan, 'interval' | 'startsOn'>, days: Days): Exact {
  if ('cron' in interval) return decimal(1);
  const end = boundaryAfter(interval, startsOn, days.from);
  const begin = dayPreceding(interval, end);
  return decimal(daysBetween(days.from, days.to) + 1).div(daysBetween(begin, end));
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The first boundary after a day that is a boundary itself, or lies before the first one. */
function nextBoundary(interval: Interval, startsOn: string, from: string): string {
  const first = firstDay(interval, startsOn);
  return from < first ? first : dayFollowing(interval, from);
}

/** The first boundary after any day. */
function boundaryAfter(interval: Interval, startsOn: string, day: string): string {
  let boundary = firstDay(interval, startsOn);
  while (boundary <= day) boundary = dayFollowing(interval, boundary);
  return boundary;
}
