/** Rules of accounting periods. Every write of a document locks its period `for share`, so that closing waits for it. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { lockName, shareName } from '../../../db/locks.ts';
import { FiscalYear } from '../../../db/models/ledger/accounting.ts';
import { Period } from '../../../db/models/records/master-data.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { PERIOD_STATUS } from '../../../domain/ledger/accounting/periods.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import { isAdministrator } from '../../../domain/permissions.ts';
import { counted } from '../../../domain/words.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { DRAFT_CHECKS, DRAFT_PAYROLLS } from './drafts.ts';

type Row = Record<string, unknown>;

/** Tables whose rows belong to a period by date. */
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
    throw closedError(current, 'changed');
  if (next.from > current.from || next.to < current.to) await assertNothingOutside(trx, next);
  if (next.status === PERIOD_STATUS.open && next.from < current.from) await assertAfterClosedYears(trx, next);
  if (next.status === current.status) return;
  if (next.status === PERIOD_STATUS.closed) await assertNoDrafts(trx, current);
  else {
    if (!isAdministrator(role)) {
      throw new ServiceError('forbidden', 'Only an owner or administrator can reopen a period');
    }
    await assertAfterClosedYears(trx, current);
  }
}

/** @throws ServiceError validation_failed; invalid_transition when it would reopen days of a closed year */
export async function checkNewPeriod(trx: Db, ctx: Context, values: Row): Promise<void> {
  checkDates(values);
  if (values.status !== PERIOD_STATUS.closed) await awaitClosing(trx, ctx, values as unknown as Period);
}

/** Closed periods cannot be deleted: another period could then cover their days. @throws ServiceError period_closed */
export function checkPeriodDeletion(period: Period): void {
  if (period.status === PERIOD_STATUS.closed) throw closedError(period, 'deleted');
}

function closedError({ code }: Period, act: 'changed' | 'deleted'): ServiceError {
  const message =
    act === 'changed'
      ? `The days of period ${code} cannot be changed because it is closed; reopen it first`
      : `Period ${code} cannot be deleted because it is closed; reopen it first`;
  return new ServiceError('period_closed', message);
}

/**
 * Creates the months of the fiscal year that begins in `year`, skipping those that a period covers.
 * @throws ServiceError invalid_transition when one would reopen days of a closed year
 */
export async function generatePeriods(trx: Db, ctx: Context, year: number): Promise<Period[]> {
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  const { months } = fiscalYear(fiscalYearStart, `${String(year).padStart(4, '0')}-${fiscalYearStart}`);
  const first = months[0]?.from as string;
  const last = months.at(-1)?.to as string;
  await lockPeriodGeneration(trx, ctx);
  const existing = await Period.query(trx).where('to', '>=', first).where('from', '<=', last);
  const changes = new Changes(ctx);
  for (const month of months) {
    if (existing.some((period) => period.from <= month.to && period.to >= month.from)) continue;
    await awaitClosing(trx, ctx, month);
    changes.create(Period, { ...month, status: PERIOD_STATUS.open, lockedAreas: [] });
  }
  return await changes.write(trx, Period);
}

/** Serializes generation so that each month is created only once. */
export async function lockPeriodGeneration(trx: Db, ctx: Context): Promise<void> {
  await lockName(trx, `periods:${ctx.tenantId}`);
}

/** Waits for a closing in progress, so that no period appears while it runs. */
async function awaitClosing(trx: Db, ctx: Context, period: Pick<Period, 'code' | 'from'>): Promise<void> {
  await shareName(trx, `fiscal_years:${ctx.tenantId}`);
  await assertAfterClosedYears(trx, period);
}

/** Rejects periods in or before a closed year, because its closing entries already contain those balances. */
async function assertAfterClosedYears(trx: Db, { code, from }: Pick<Period, 'code' | 'from'>): Promise<void> {
  const closedYear = await FiscalYear.query(trx)
    .where('to', '>=', from)
    .where({ status: 'closed' })
    .orderBy('year')
    .first();
  if (closedYear === undefined) return;
  const message =
    `Period ${code} cannot begin before the end of the fiscal year ${closedYear.year} because that year is closed; ` +
    `reopen the year first`;
  throw new ServiceError('invalid_transition', message);
}

async function assertNothingOutside(trx: Db, { id, from, to }: Period): Promise<void> {
  for (const [table, words] of DATED) {
    const outside: unknown = await trx(table)
      .where({ period_id: id })
      .where((either) => either.where('date', '<', from).orWhere('date', '>', to))
      .first('id');
    if (outside !== undefined)
      throw new ServiceError('in_use', `${words} of this period have dates outside the new dates`);
  }
}

/** Counts of drafts that keep a period from being closed, by the checks of its checklist. */
const DRAFTS_SQL = DRAFT_CHECKS.map(({ code, sql }) => `select '${code}' as code, count::integer from (${sql}) c`).join(
  ' union all ',
);

/** @throws ServiceError has_drafts */
export async function assertNoDrafts(trx: Db, { id, code, from, to }: Period): Promise<void> {
  const drafts = await prepared<{ code: string; count: number }>(trx, DRAFTS_SQL, { id, from, to });
  const count = drafts.reduce((total, each) => total + each.count, 0);
  if (count === 0) return;
  const payrolls = drafts.find(({ code }) => code === DRAFT_PAYROLLS)?.count ?? 0;
  const those = payrolls > 0 ? ` (${counted(payrolls, 'payroll')})` : '';
  throw new ServiceError(
    'has_drafts',
    `Period ${code} cannot be closed because it has ${counted(count, 'draft')}${those}; post or delete them first`,
  );
}
