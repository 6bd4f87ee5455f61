/** Enters the parts of deferrals whose months are over. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import type { PeriodStatus } from '../../../domain/ledger/accounting/periods.ts';
import { recognitionLines } from '../../../domain/ledger/deferrals/spread.ts';
import { type Area, type AreaLock, isOpenFor } from '../../../domain/ledger/periods/areas.ts';
import { openDay } from '../accounting/open-day.ts';
import { addEntry, type EntryDay } from '../accounting/write-entry.ts';
import { openYear } from '../periods/open-year.ts';
import { byMonth, DEFERRAL_SOURCE, lockDeferrals, markRecognised, WAITING_COLUMNS, type WaitingPart } from './add.ts';

/** The area of the books that recognitions belong to: the area of the invoice may be locked by then. */
const AREA: Area = 'general';

/** Entries that one transaction of the scheduled run makes. */
const PAGE = 500;

const DUE_SQL = `with months as (
    select distinct p.date, p.origin_id from deferral_parts p
    where p.recognised_on is null and p.date <= :to::date and p.date <> all(:except::date[]) order by 1, 2 limit :limit::integer)
  select ${WAITING_COLUMNS} from months m
  join deferral_parts p on p.date = m.date and p.origin_id = m.origin_id and p.recognised_on is null
  join deferrals d on d.id = p.deferral_id order by p.date, p.origin_id, d.id, p.id`;

const DATES_SQL = `select distinct date from deferral_parts where recognised_on is null and date <= :to::date order by 1`;
const PERIODS_SQL = `select day.date, p.id, p.code, p.status, p.locked_areas as "lockedAreas" from unnest(:dates::date[]) day(date)
  left join periods p on day.date between p."from" and p."to" order by 1`;

interface Month {
  readonly date: string;
  /** The id of its period; null where there is none. */
  readonly id: string | null;
  readonly code: string | null;
  readonly status: PeriodStatus | null;
  readonly lockedAreas: readonly AreaLock[] | null;
}

/** A month that nothing can be entered in. */
export interface BlockedMonth {
  readonly date: string;
  /** The code of its period, which is closed or locked; null where there is none. */
  readonly period: string | null;
}

export interface Recognised {
  readonly entryIds: readonly string[];
  readonly blocked: readonly BlockedMonth[];
  /** Whether more is due. */
  readonly more: boolean;
}

/**
 * Enters what is due, each month of an invoice by an entry on its last day. What was entered is not due any more.
 * @param options.to last day of the last month
 * @param options.date the day of what belongs to months whose period is closed or locked; without it they wait
 * @param options.limit most entries
 * @throws ServiceError validation_failed, period_closed, period_locked (about `date`)
 */
export async function recogniseDue(
  trx: Db,
  ctx: Context,
  { to, date, limit = PAGE }: { readonly to: string; readonly date?: string | undefined; readonly limit?: number },
): Promise<Recognised> {
  await lockDeferrals(trx, ctx);
  const dates = (await prepared<{ date: string }>(trx, DATES_SQL, { to })).map((one) => one.date);
  const months = await loadMonths(trx, ctx, dates);
  const blocked = months.filter((month) => dayIn(month) === null);
  const instead = date === undefined || blocked.length === 0 ? null : await dayForBlocked(trx, ctx, date, blocked);
  const except = instead === null ? blocked.map((month) => month.date) : [];
  const days = new Map(months.map((month) => [month.date, dayIn(month) ?? instead]));
  const parts = await prepared<WaitingPart>(trx, DUE_SQL, { to, except, limit });
  const groups = byMonth(parts);
  const changes = new Changes(ctx);
  const entryIds = groups.flatMap((same) => recognise(changes, same, days.get(same[0]?.date ?? '') as EntryDay));
  await changes.write(trx);
  const still = instead === null ? blocked : [];
  return {
    entryIds,
    blocked: still.map((month) => ({ date: month.date, period: month.code })),
    more: groups.length === limit,
  };
}

/** Recognises the parts of a month and origin. @returns the id of the entry, if they do not cancel out */
function recognise(changes: Changes, parts: readonly WaitingPart[], on: EntryDay): string[] {
  const [{ originId, description: of, date }] = parts as [WaitingPart];
  const lines = recognitionLines(parts);
  const description = `Periodificación de ${date.slice(0, 7)}: ${of}`;
  const entry = { ...on, description, sourceType: DEFERRAL_SOURCE, sourceId: originId, lines };
  const id = lines.length === 0 ? null : addEntry(changes, entry);
  markRecognised(changes, parts, on.date, id);
  return id === null ? [] : [id];
}

/** The periods of days; those of a year that may be opened are made. */
async function loadMonths(trx: Db, ctx: Context, dates: readonly string[]): Promise<Month[]> {
  const read = () => prepared<Month>(trx, PERIODS_SQL, { dates: [...dates] });
  const months = await read();
  let opened = false;
  for (const { date, id } of months) if (id === null && (await openYear(trx, ctx, date))) opened = true;
  return opened ? await read() : months;
}

function dayIn({ date, id, status, lockedAreas }: Month): EntryDay | null {
  const isOpen = status !== null && isOpenFor({ status, lockedAreas: lockedAreas ?? [] }, AREA);
  return id !== null && isOpen ? { date, periodId: id, area: AREA } : null;
}

async function dayForBlocked(trx: Db, ctx: Context, date: string, blocked: readonly Month[]): Promise<EntryDay> {
  const last = blocked.at(-1)?.date ?? date;
  if (date < last)
    throw invalidMember('/date', 'out_of_range', `must not be before ${last}, the end of a month that it enters`);
  return await openDay(trx, ctx, AREA, date, date, '/date');
}
