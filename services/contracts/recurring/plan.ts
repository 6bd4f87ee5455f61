/** Converts between recurring documents as they are stored and the rules of the domain. */
import type { Reader } from '../../../db/database.ts';
import type { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { prepared } from '../../../db/sql.ts';
import type { Interval, RegularInterval } from '../../../domain/contracts/recurring/interval.ts';
import type { Period, PeriodPlan } from '../../../domain/contracts/recurring/periods.ts';
import { type Cron, parseCron } from '../../../domain/platform/schedules/cron.ts';
import { startOfDay } from '../../../domain/records/tables/times.ts';

type Stored = Pick<
  RecurringDocument,
  'unit' | 'every' | 'onDay' | 'cron' | 'startsOn' | 'endsOn' | 'billedAt' | 'prorate'
>;

/** The periods of a stored recurring document. */
export function toPlan(row: Stored): PeriodPlan {
  const { startsOn, endsOn, billedAt, prorate } = row;
  return { interval: toInterval(row), startsOn, endsOn, billedAt, prorate };
}

function toInterval({ unit, every, onDay, cron }: Stored): Interval {
  if (unit === null) return { cron: storedCron(String(cron)) };
  return { unit, count: every ?? 1, day: onDay ?? 1 } satisfies RegularInterval;
}

function storedCron(text: string): Cron {
  const cron = parseCron(text);
  if ('fault' in cron) throw new Error(`a recurring document has the expression ${text}`);
  return cron;
}

/** Members that say what is due next. @param timezone of the company, whose midnight counts */
export function nextMembers(period: Period | null, timezone: string) {
  if (period === null) return { nextFrom: null, nextOn: null, nextAt: null };
  return { nextFrom: period.from, nextOn: period.dueOn, nextAt: startOfDay(period.dueOn, timezone) };
}

/** The last period that is settled, whether a document was made for it or not; null before the first. */
export async function lastPeriod(reader: Reader, recurringId: string): Promise<Pick<Period, 'from' | 'to'> | null> {
  const [last] = await prepared<Pick<Period, 'from' | 'to'>>(
    reader,
    `select period_from::text as "from", period_to::text as "to" from recurring_runs
     where recurring_id = :recurringId::uuid order by period_from desc limit 1`,
    { recurringId },
  );
  return last ?? null;
}
