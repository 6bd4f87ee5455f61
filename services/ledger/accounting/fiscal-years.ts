/** Closes and reopens fiscal years: one operation each, in one transaction (decision 0082). */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { FiscalYear } from '../../../db/models/ledger/accounting.ts';
import { Period } from '../../../db/models/records/master-data.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, patchRow } from '../../../db/write.ts';
import { invalidMember, refused, ServiceError } from '../../../domain/errors.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { loadSettings, lockFiscalYears } from '../../platform/settings/settings.ts';
import { noPeriodMessage, openYear } from '../periods/open-year.ts';
import { assertNoDrafts } from '../periods/periods.ts';
import { AccountBook } from './account-book.ts';
import { sumYear } from './balances/sum-entries.ts';
import { writeClosing } from './closing-entries.ts';
import { checkResultAccount } from './config.ts';
import { lockUnnumbered, numberEntries, renumberYear } from './numbers.ts';
import { assertEarlierYearsClosed } from './open-day.ts';
import { enterPending } from './pending/enter.ts';
import { assertAccrued } from './pending-taxes.ts';
import { assertRegularised } from './pro-rata.ts';
import { stockVariation, VARIATION_ROLES } from './stock-value.ts';
import type { EntryDay } from './write-entry.ts';
import { writeEntry, writeReversal } from './write-entry.ts';

interface Held {
  readonly current: FiscalYear | undefined;
  readonly from: string;
  readonly to: string;
  readonly nextDay: string;
  readonly nextTo: string;
  /** Periods of the year and all earlier ones, locked. */
  readonly periods: readonly Period[];
  /** Period of the next year's first day, locked. */
  readonly nextPeriod: Period | undefined;
}

/**
 * Locks the year, and the first or all periods of the next one: transactions that post into these have committed, or
 * wait and then find the year closed or reopened.
 */
async function lockYear(trx: Db, ctx: Context, year: number, until: 'nextDay' | 'nextTo'): Promise<Held> {
  await lockFiscalYears(trx, ctx);
  const { first: from, last: to } = await findYearSpan(trx, year);
  const { first: nextDay, last: nextTo } = await findYearSpan(trx, year + 1);
  const last = until === 'nextDay' ? nextDay : nextTo;
  const locked = await Period.query(trx).where('from', '<=', last).orderBy('from').forUpdate();
  const current = await FiscalYear.query(trx).findOne({ year }).forUpdate();
  const periods = locked.filter((period) => period.from <= to);
  return {
    current,
    from,
    to,
    nextDay,
    nextTo,
    periods,
    nextPeriod: locked.find((period) => period.from <= nextDay && period.to >= nextDay),
  };
}

/** Finds the first and last day of a fiscal year. */
async function findYearSpan(trx: Db, year: number): Promise<{ readonly first: string; readonly last: string }> {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const { months } = fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`);
  return { first: months[0]?.from as string, last: months.at(-1)?.to as string };
}

const NOTHING_PENDING = { pendingEntryId: null, pendingReversalId: null };

/**
 * Closes a fiscal year: enters the value of the stock and uninvoiced amounts (reversed in the next year), transfers
 * income and expense to the result (129), closes all accounts and opens them in the next year, numbers the entries in
 * order, and closes the periods, including earlier ones still open.
 * @throws ServiceError invalid_transition (already closed, or an earlier year is not), period_closed (the last, or the
 * next year's first), has_drafts, validation_failed (no period, or one that reaches beyond the year, an account that
 * cannot be used), stale_version
 */
export async function closeYear(
  trx: Db,
  ctx: Context,
  year: number,
  { adjustStock = true, ifMatch }: { readonly adjustStock?: boolean | undefined; readonly ifMatch: number | null },
) {
  // The opening entry may be the first in the next year. Open years before locking them, in the same order as
  // everywhere else.
  await openYear(trx, ctx, (await findYearSpan(trx, year + 1)).first);
  const held = await lockYear(trx, ctx, year, 'nextDay');
  const { current, from, to, nextDay, periods } = held;
  if (ifMatch !== null) assertVersion({ version: current?.version ?? 0 }, ifMatch);
  if (current?.status === 'closed') throw refused(`The fiscal year ${year} is already closed`);
  await assertEarlierYearsClosed(trx, from);
  await assertRegularised(trx, { from, to });
  await assertAccrued(trx, to);
  const last = openPeriod(
    periods.find((period) => period.from <= to && period.to >= to),
    to,
  );
  if (last.to > to) {
    throw invalidMember('/year', 'outside_period', `period ${last.code} reaches beyond the end of the year, ${to}`);
  }
  const next = openPeriod(held.nextPeriod, nextDay);
  for (const period of periods) if (period.status === PERIOD_STATUS.open) await assertNoDrafts(trx, period);

  await lockUnnumbered(trx, year);
  const book = await AccountBook.loadLocked(trx, { roles: [...VARIATION_ROLES, 'yearResult'] });
  const resultAccountId = book.role('yearResult');
  book.faults.throwIfAny();
  await checkResultAccount(trx, resultAccountId, '');
  const variation = adjustStock ? await stockVariation(trx, book, { from, to }) : null;
  const first = closingDay(nextDay, next);
  const pending = adjustStock ? await enterPending(trx, ctx, closingDay(to, last), async () => first) : undefined;
  const source = { sourceType: 'fiscal_year', sourceId: null, ...closingDay(to, last) };
  const stockEntryId =
    variation &&
    (await writeEntry(trx, ctx, { ...source, description: `Variación de existencias ${year}`, lines: variation }));
  const entries = await writeClosing(trx, ctx, {
    year,
    from,
    to,
    nextDay,
    periodId: last.id,
    nextPeriodId: next.id,
    resultAccountId,
  });
  await numberEntries(trx, ctx);
  await sumYear(trx, ctx, year);
  await renumberYear(trx, year);
  const closing = periods.filter((period) => period.status === PERIOD_STATUS.open && period.to <= to);
  const changes = new Changes(ctx);
  for (const period of closing) changes.change(Period, period, { status: PERIOD_STATUS.closed });
  const values = {
    year,
    from,
    to,
    status: 'closed' as const,
    stockEntryId,
    ...(pending ?? NOTHING_PENDING),
    ...entries,
    closedPeriods: closing.map(({ id }) => id),
  };
  if (current) changes.change(FiscalYear, current, values);
  else changes.create(FiscalYear, values);
  const [row] = await changes.write(trx, FiscalYear);
  return FiscalYear.toJson({ ...row });
}

/**
 * Reopens a year: reverses its closing entries on their own dates, and reopens the periods that closing it had closed.
 * @throws ServiceError invalid_transition (it is not closed, or the next one is), in_use (since the close, the next
 * year has got entries on accounts that it opened with), period_closed (the next year's first), stale_version
 */
export async function reopenYear(trx: Db, ctx: Context, year: number, ifMatch: number | null) {
  const held = await lockYear(trx, ctx, year, 'nextTo');
  const { current, nextDay } = held;
  if (current?.status !== 'closed') throw refused(`The fiscal year ${year} is not closed`);
  assertVersion(current, ifMatch);
  const after = await FiscalYear.query(trx).findOne({ year: year + 1, status: 'closed' });
  if (after !== undefined) throw refused(`The fiscal year ${year + 1} is closed; reopen that first`);
  const next = openPeriod(held.nextPeriod, nextDay);
  await assertOpeningUnused(trx, current, held.nextTo);
  const reopened = new Changes(ctx);
  for (const period of held.periods) {
    if (current.closedPeriods.includes(period.id)) reopened.change(Period, period, { status: PERIOD_STATUS.open });
  }
  await reopened.write(trx);
  const last = held.periods.find((period) => period.from <= current.to && period.to >= current.to) as Period;
  const [closed, opened] = [closingDay(current.to, last), closingDay(nextDay, next)];
  const made = [
    [current.openingId, opened],
    [current.closingId, closed],
    [current.regularisationId, closed],
    [current.stockEntryId, closed],
    [current.pendingReversalId, opened],
    [current.pendingEntryId, closed],
  ] as const;
  for (const [id, on] of made) if (id !== null) await writeReversal(trx, ctx, id, on);
  await numberEntries(trx, ctx);
  const none = { stockEntryId: null, ...NOTHING_PENDING, regularisationId: null, closingId: null, openingId: null };
  const row = await patchRow(trx, ctx, FiscalYear, current, {
    ...none,
    status: 'open',
    result: null,
    closedPeriods: [],
  });
  return FiscalYear.toJson({ ...row });
}

async function assertOpeningUnused(trx: Db, { openingId, to }: FiscalYear, until: string): Promise<void> {
  const [used] = await query<{ code: string; count: number }>(
    trx,
    `select a.code, count(distinct l.entry_id)::integer as count
     from journal_entries o join journal_entries e on e.seq > o.seq and e.id <> o.id
     join journal_lines l on l.entry_id = e.id and l.date > :to::date and l.date <= :until::date
     join accounts a on a.id = l.account_id
     where o.id = :opening::uuid and l.account_id in (select account_id from journal_lines where entry_id = :opening::uuid)
     group by a.code order by 2 desc limit 1`,
    { opening: openingId, to, until },
  );
  if (!used) return;
  throw new ServiceError(
    'in_use',
    `Since it was closed, the next year has ${used.count} ${used.count === 1 ? 'entry' : 'entries'} on account ${used.code}`,
  );
}

/** A day of the entries that close and open years, which locks of areas do not refuse. */
function closingDay(date: string, { id: periodId }: Period): EntryDay {
  return { date, periodId, area: 'closing' };
}

function openPeriod(period: Period | undefined, day: string): Period {
  if (period === undefined) {
    throw invalidMember('/year', 'no_period', noPeriodMessage(day));
  }
  if (period.status === PERIOD_STATUS.closed)
    throw new ServiceError('period_closed', `Period ${period.code} is closed; reopen it first`);
  return period;
}
