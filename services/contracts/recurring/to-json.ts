/** Recurring documents as clients see them. */

import type { JsonRow } from '../../../db/models/base.ts';
import { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { type Period, periodAfter, periodFrom } from '../../../domain/contracts/recurring/periods.ts';
import { toPlan } from './plan.ts';

/** Number of upcoming periods shown. */
const NEXT_RUNS = 5;

/** A recurring document as listed. */
export function recurringToJson(row: RecurringDocument): JsonRow {
  const { unit, every, onDay, cron } = row;
  return { ...RecurringDocument.toJson({ ...row }), interval: { unit, count: every, day: onDay, cron } };
}

/** One recurring document, with the periods that it charges next. */
export function withNextRuns(row: RecurringDocument): JsonRow {
  const plan = toPlan(row);
  const left = row.count === null ? NEXT_RUNS : Math.min(NEXT_RUNS, row.count - row.made);
  const next: { due_on: string; from: string; to: string }[] = [];
  let period: Period | null = row.active && row.nextFrom !== null ? periodFrom(plan, row.nextFrom) : null;
  while (period !== null && next.length < left) {
    const { dueOn, from, to } = period;
    next.push({ due_on: dueOn, from, to });
    period = periodAfter(plan, period);
  }
  return { ...recurringToJson(row), next_runs: next };
}
