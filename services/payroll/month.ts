/** The month of payrolls, and the period in which they are entered: that of its last day. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Period } from '../../db/models/master-data.ts';
import { PERIOD_STATUS } from '../../domain/accounting/periods.ts';
import { dayOf, daysIn } from '../../domain/days.ts';
import { invalidMember, periodClosed } from '../../domain/errors.ts';
import { type PayrollRates, ratesOn } from '../../domain/payroll/rates.ts';
import type { EntryDay } from '../accounting/write-entry.ts';
import { noPeriodMessage, openYear } from '../periods/open-year.ts';

export interface Month {
  readonly year: number;
  /** From 1. */
  readonly month: number;
}

export function lastDay({ year, month }: Month): string {
  return dayOf(year, month, daysIn(year, month));
}

/** The rates of a month. @throws ServiceError validation_failed where none are known */
export function ratesOf(month: Month): PayrollRates {
  const rates = ratesOn(dayOf(month.year, month.month, 1));
  if (rates === null) {
    const reason = `has no rates of social security in this release: payrolls of ${month.year} cannot be worked out`;
    throw invalidMember('/year', 'no_rates', reason);
  }
  return rates;
}

/** The day on which payrolls of a month are entered. @throws ServiceError validation_failed, period_closed */
export async function entryDay(trx: Db, ctx: Context, month: Month): Promise<EntryDay> {
  const date = lastDay(month);
  const read = () => Period.query(trx).whereRaw('?::date between "from" and "to"', [date]).first();
  let period = await read();
  if (period === undefined && (await openYear(trx, ctx, date))) period = await read();
  if (period === undefined) throw invalidMember('/month', 'no_period', noPeriodMessage(date));
  if (period.status === PERIOD_STATUS.closed) throw periodClosed(period.code);
  return { date, periodId: period.id };
}

/** As people read it: 2026-01. */
export function monthName({ year, month }: Month): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}
