/** The month of payrolls, and the period of its last day, in which they are entered. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Period } from '../../../db/models/records/master-data.ts';
import { daysIn, formatDay } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { assertOpenFor } from '../../../domain/ledger/periods/areas.ts';
import { type PayrollRates, ratesOn } from '../../../domain/staff/payroll/rates.ts';
import type { EntryDay } from '../../ledger/accounting/write-entry.ts';
import { noPeriodMessage, openYear } from '../../ledger/periods/open-year.ts';

/** The area of the books that payrolls belong to; their payments belong to the bank's. */
export const PAYROLL_AREA = 'payroll';

export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

export function lastDay({ year, month }: Month): string {
  return formatDay(year, month, daysIn(year, month));
}

/** Finds the rates of a month. @throws ServiceError validation_failed if none are known */
export function findRates(month: Month): PayrollRates {
  const rates = ratesOn(formatDay(month.year, month.month, 1));
  if (rates === null) {
    const reason = `has no rates of social security in this release: payrolls of ${month.year} cannot be worked out`;
    throw invalidMember('/year', 'no_rates', reason);
  }
  return rates;
}

/** The day on which a month's payrolls are entered. @throws ServiceError validation_failed, period_closed, period_locked */
export async function entryDay(trx: Db, ctx: Context, month: Month): Promise<EntryDay> {
  const date = lastDay(month);
  const read = () => Period.query(trx).whereRaw('?::date between "from" and "to"', [date]).first();
  let period = await read();
  if (period === undefined && (await openYear(trx, ctx, date))) period = await read();
  if (period === undefined) throw invalidMember('/month', 'no_period', noPeriodMessage(date));
  assertOpenFor(period, PAYROLL_AREA, '/month');
  return { date, periodId: period.id, area: PAYROLL_AREA };
}

/** The name of a month, such as 2026-01. */
export function monthName({ year, month }: Month): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}
