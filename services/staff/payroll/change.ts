/** Changes single payrolls: drafts can be changed and deleted, posted payrolls can only be cancelled. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import { assertVersion, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound, refused, ServiceError } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import { storedDays } from '../../../domain/staff/payroll/monthly-pay.ts';
import { sumLines } from '../../../domain/staff/payroll/sections.ts';
import { EARNED_KINDS, FREE_KINDS, type LineKind, type PayrollLine } from '../../../domain/staff/payroll/types.ts';
import { reverseManualEntry } from '../../bank/manual-entries/undo.ts';
import { numberEntries } from '../../ledger/accounting/numbers.ts';
import { openDay } from '../../ledger/accounting/open-day.ts';
import { addPosting, payrollAccounts } from './entry.ts';
import { entryDay, findRates, lastDay, PAYROLL_AREA } from './month.ts';
import type { PayrollChange } from './schemas.ts';
import { computeFigures } from './work-out.ts';

/**
 * Recomputes a draft with other lines or another income tax percentage.
 * @throws ServiceError not_found, stale_version, invalid_transition; validation_failed if deductions would exceed the
 * pay
 */
export async function changePayroll(
  trx: Db,
  ctx: Context,
  id: string,
  { lines, irpfRate }: PayrollChange,
  ifMatch: number | null,
): Promise<Payroll> {
  const current = await lockPayroll(trx, id, ifMatch);
  if (lines === undefined && irpfRate === undefined) return current;
  assertDraft(current, 'changed');
  const next = {
    days: storedDays(current),
    terms: current.terms,
    lines: lines?.map((line) => ({ ...line, amount: decimal(line.amount).toFixed() })) ?? current.lines,
    irpfRate: irpfRate === undefined ? current.irpfRate : decimal(irpfRate).toFixed(),
  };
  const below = negativeKind(next.lines);
  if (below !== undefined) {
    throw invalidMember(
      '/lines',
      'kind_below_zero',
      `must not sum up to less than zero in a kind of payments: ${below}`,
    );
  }
  const worked = computeFigures(next, findRates(current));
  if (!decimal(worked.gross).gt(0)) {
    throw invalidMember('/lines', 'nothing_earned', `must earn something: the gross would be ${worked.gross}`);
  }
  if (decimal(worked.net).lt(0)) {
    throw invalidMember('/lines', 'net_below_zero', `must leave something to pay: the net would be ${worked.net}`);
  }
  return await patchRow(trx, ctx, Payroll, current, worked);
}

/** The first kind of payments with a negative sum: contributions would be negative, or money owed to the company. */
function negativeKind(lines: readonly PayrollLine[]): LineKind | undefined {
  return [...EARNED_KINDS, ...FREE_KINDS].find((kind) => decimal(sumLines(lines, kind)).lt(0));
}

/** Deletes a draft. @throws ServiceError not_found, stale_version, invalid_transition */
export async function deletePayroll(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const current = await lockPayroll(trx, id, ifMatch);
  assertDraft(current, 'deleted');
  await removeRow(trx, ctx, Payroll, current);
}

/**
 * Posts a draft, with an entry on the last day of the month.
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed, validation_failed
 */
export async function postPayroll(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<Payroll> {
  const current = await lockPayroll(trx, id, ifMatch);
  assertDraft(current, 'posted');
  const day = await entryDay(trx, ctx, current);
  const accounts = await payrollAccounts(trx, ctx);
  const changes = new Changes(ctx);
  const row = changes.change(Payroll, current, addPosting(changes, current, { accounts, day }));
  await changes.write(trx);
  await numberEntries(trx, ctx);
  return row;
}

/**
 * Cancels a payroll, and reverses the entry of a posted one. Its month can then be generated again.
 * @param date of the reversal
 * @throws ServiceError not_found, stale_version, invalid_transition, period_closed; in_use when it is paid
 */
export async function cancelPayroll(
  trx: Db,
  ctx: Context,
  id: string,
  date: string | undefined,
  ifMatch: number | null,
): Promise<Payroll> {
  const current = await lockPayroll(trx, id, ifMatch);
  if (current.status === 'X') throw refused('It is already cancelled');
  const cancelled = { status: 'X' as const, cancelledAt: ctx.now.toISOString() };
  if (current.entryId === null) return await patchRow(trx, ctx, Payroll, current, cancelled);
  if (current.paymentId !== null) {
    throw new ServiceError(
      'in_use',
      'It cannot be cancelled because it is paid; delete the payment, or have it returned, first',
    );
  }
  const on = await openDay(trx, ctx, PAYROLL_AREA, date, lastDay(current), '/date');
  const reversalId = await reverseManualEntry(trx, ctx, current.entryId, on);
  const row = await patchRow(trx, ctx, Payroll, current, { ...cancelled, reversalId });
  await numberEntries(trx, ctx);
  return row;
}

/** Locks a payroll. @throws ServiceError not_found, stale_version */
async function lockPayroll(trx: Db, id: string, ifMatch: number | null): Promise<Payroll> {
  const found = await Payroll.query(trx).findById(id).forUpdate();
  if (found === undefined) throw notFound('This payroll');
  assertVersion(found, ifMatch);
  return found;
}

function assertDraft({ status }: Payroll, done: string): void {
  if (status === 'O')
    throw refused(`It cannot be ${done} because it is posted; cancel it, and generate its month again`);
  if (status === 'X') throw refused(`It cannot be ${done} because it is cancelled`);
}
