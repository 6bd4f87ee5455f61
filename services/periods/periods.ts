/** Rules of accounting periods. Whoever writes a document holds its period `for share`, so that closing waits for it. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { FiscalYear } from '../../db/models/accounting.ts';
import { Period } from '../../db/models/master-data.ts';
import { STATE } from '../../db/queries/document-states.ts';
import { insertRow } from '../../db/write.ts';
import { PERIOD_STATUS } from '../../domain/accounting/periods.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { fiscalYear } from '../../domain/seed/fiscal-year.ts';
import { loadSettings } from '../settings/settings.ts';

type Row = Record<string, unknown>;

/** Reopening is theirs alone (decisions, section 5). */
const MAY_REOPEN = ['owner', 'admin'];

/** What stands in a period by its date. */
const DATED = [
  ['documents', 'Documents'],
  ['stock_operations', 'Stock adjustments or transfers'],
  ['journal_entries', 'Journal entries'],
  ['payments', 'Payments'],
] as const;

/** @throws ServiceError validation_failed when the period ends before it begins */
export function checkDates({ from, to }: Row): void {
  if (String(to) < String(from)) throw invalidMember('/to', 'out_of_range', 'must not be before from');
}

/**
 * @param current the period, locked for update
 * @throws ServiceError has_drafts, forbidden, in_use, period_closed, validation_failed
 */
export async function checkPeriodChange(trx: Db, role: string, values: Row, current: Period): Promise<void> {
  const next = { ...current, ...values } as Period;
  checkDates({ from: next.from, to: next.to });
  if (current.status === PERIOD_STATUS.closed && (next.from !== current.from || next.to !== current.to))
    throw closed(current);
  if (next.from > current.from || next.to < current.to) await refuseDatesOutside(trx, next);
  if (next.status === PERIOD_STATUS.open && next.from < current.from) await refuseClosedYears(trx, next);
  if (next.status === current.status) return;
  if (next.status === PERIOD_STATUS.closed) await refuseDrafts(trx, current);
  else {
    if (!MAY_REOPEN.includes(role)) {
      throw new ServiceError('forbidden', 'Only an owner or administrator reopens a period');
    }
    await refuseClosedYears(trx, current);
  }
}

/** @throws ServiceError validation_failed; invalid_transition when it would open days that a close has ended */
export async function checkNewPeriod(trx: Db, ctx: Context, values: Row): Promise<void> {
  checkDates(values);
  if (values.status !== PERIOD_STATUS.closed) await refuseClosing(trx, ctx, values as unknown as Period);
}

/** What is closed stays closed: another period could take a deleted one's days. @throws ServiceError period_closed */
export function checkPeriodDeletion(period: Period): void {
  if (period.status === PERIOD_STATUS.closed) throw closed(period);
}

function closed({ code }: Period): ServiceError {
  return new ServiceError('period_closed', `Period ${code} is closed; have it reopened first`);
}

/**
 * Makes the months of the fiscal year that begins in `year`, except where a period is already.
 * @throws ServiceError invalid_transition when one would open days that a close has ended
 */
export async function generatePeriods(trx: Db, ctx: Context, year: number): Promise<Period[]> {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const { months } = fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`);
  const first = months[0]?.from as string;
  const last = months.at(-1)?.to as string;
  await holdPeriods(trx, ctx);
  const existing = await Period.query(trx).where('to', '>=', first).where('from', '<=', last);
  const created: Period[] = [];
  for (const month of months) {
    if (existing.some((period) => period.from <= month.to && period.to >= month.from)) continue;
    await refuseClosing(trx, ctx, month);
    created.push(await insertRow(trx, ctx, Period, { ...month, status: PERIOD_STATUS.open }));
  }
  return created;
}

/** One generation at a time, so that two of them make each month once. */
export async function holdPeriods(trx: Db, ctx: Context): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`periods:${ctx.tenantId}`]);
}

/** Waits for a close that runs, so that no period comes up behind its back. */
async function refuseClosing(trx: Db, ctx: Context, period: Pick<Period, 'code' | 'from'>): Promise<void> {
  await trx.raw('select pg_advisory_xact_lock_shared(hashtextextended(?, 0))', [`fiscal_years:${ctx.tenantId}`]);
  await refuseClosedYears(trx, period);
}

/** The closing entries of a year hold what it had, and the years before: nothing is added under them. */
async function refuseClosedYears(trx: Db, { code, from }: Pick<Period, 'code' | 'from'>): Promise<void> {
  const closedYear = await FiscalYear.query(trx)
    .where('to', '>=', from)
    .where({ status: 'closed' })
    .orderBy('year')
    .first();
  if (closedYear === undefined) return;
  const message = `Period ${code} begins before the end of the fiscal year ${closedYear.year}, which is closed; reopen the year`;
  throw new ServiceError('invalid_transition', message);
}

async function refuseDatesOutside(trx: Db, { id, from, to }: Period): Promise<void> {
  for (const [table, words] of DATED) {
    const outside: unknown = await trx(table)
      .where({ period_id: id })
      .where((either) => either.where('date', '<', from).orWhere('date', '>', to))
      .first('id');
    if (outside !== undefined)
      throw new ServiceError('in_use', `${words} of this period are dated outside of the new dates`);
  }
}

/** @throws ServiceError has_drafts */
export async function refuseDrafts(trx: Db, { id, code }: Period): Promise<void> {
  const { rows } = (await trx.raw(
    `select (select count(*) from documents where period_id = ? and status = ${STATE.draft})
       + (select count(*) from journal_entries where period_id = ? and status = 'draft') as count`,
    [id, id],
  )) as { rows: { count: number }[] };
  const count = Number(rows[0]?.count);
  if (count > 0) {
    throw new ServiceError(
      'has_drafts',
      `Period ${code} has ${count} ${count === 1 ? 'draft' : 'drafts'}; post or delete them first`,
    );
  }
}
