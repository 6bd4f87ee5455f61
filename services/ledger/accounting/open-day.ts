/** Finds dates on which entries can be posted. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Area, assertOpenFor, type PeriodState } from '../../../domain/ledger/periods/areas.ts';
import { noPeriodMessage, openYear } from '../periods/open-year.ts';
import type { EntryDay } from './write-entry.ts';

/**
 * The date, in an open period, on which an operation is done or undone: the given date, or otherwise today.
 * @param area of the entries that will be dated there
 * @param done date of the operation: the earliest date allowed, and the default if it is after today
 * @param pointer of the member with the date, for a period that is not open
 * @throws ServiceError validation_failed, period_closed, period_locked
 */
export async function openDay(
  trx: Db,
  ctx: Context,
  area: Area,
  date: string | undefined,
  done: string,
  pointer?: string,
): Promise<EntryDay> {
  const read = () =>
    query<PeriodState & { readonly date: string; readonly id: string | null }>(
      trx,
      `with day as (select coalesce(:date::date, greatest(${TODAY}, :done::date)) as value)
       select day.value as date, p.id, p.code, p.status, p.locked_areas as "lockedAreas"
       from day left join periods p on day.value between p."from" and p."to"`,
      { date: date ?? null, done, now: ctx.now.toISOString() },
    );
  let [day] = await read();
  if (day && day.date < done)
    throw invalidMember('/date', 'out_of_range', `must not be before the date of what it undoes, ${done}`);
  if (day?.id === null && (await openYear(trx, ctx, day.date))) [day] = await read();
  if (!day) throw new Error('the statement always returns one row');
  if (day.id === null) throw invalidMember('/date', 'no_period', noPeriodMessage(day.date));
  assertOpenFor(day, area, date === undefined ? undefined : pointer);
  return { date: day.date, periodId: day.id, area };
}

/**
 * Checks that all fiscal years before a day are closed. Balances carry over only by opening entries: those of an open
 * earlier year would be missing, or counted twice.
 * @param from first day of a fiscal year
 * @throws ServiceError invalid_transition
 */
export async function assertEarlierYearsClosed(trx: Db, from: string): Promise<void> {
  const [left] = await query<{ date: string }>(
    trx,
    `select max(l.date) as date
     from journal_lines l join accounts a on a.id = l.account_id
     where l.date < :from::date
     group by l.account_id, case when a.type in ('income', 'expense') then null else l.partner_id end
     having sum(l.debit - l.credit) <> 0
     limit 1`,
    { from },
  );
  if (!left) return;
  throw new ServiceError(
    'invalid_transition',
    `An earlier fiscal year is not closed and has entries until ${left.date}; close it first`,
  );
}
