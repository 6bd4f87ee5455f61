/** Computes the vacation of an employee in a year. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Decimal } from '../../../domain/money.ts';
import { type VacationBalance, vacationBalance } from '../../../domain/records/people/vacation.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { COUNTS } from './absences.ts';

interface VacationRow {
  readonly contracts: readonly { readonly from: string; readonly to: string | null; readonly vacationDays: number }[];
  readonly vacations: readonly { readonly from: string; readonly to: string; readonly days: Decimal }[];
}

/** SQL of the contracts and vacations that overlap a year. */
const SQL = `
  select
    (select coalesce(json_agg(json_build_object('from', c."from", 'to', c."to", 'vacationDays', c.vacation_days)), '[]')
     from employee_contracts c
     where c.employee_id = e.id and c."from" <= :last::date and coalesce(c."to", :last::date) >= :first::date) as contracts,
    (select coalesce(json_agg(json_build_object('from', a."from", 'to', a."to", 'days', a.days::text)), '[]')
     from absences a
     where a.employee_id = e.id and ${COUNTS} and a.type = 'vacation' and a."from" <= :last::date and a."to" >= :first::date) as vacations
  from employees e where e.id = :id`;

/**
 * Computes an employee's vacation entitlement for a year and the days remaining today, in the company's time zone.
 * @param wanted the year; defaults to the current one
 * @throws ServiceError not_found
 */
export async function loadVacation(
  reader: Reader,
  ctx: Context,
  id: string,
  wanted?: number,
): Promise<VacationBalance & { readonly year: number }> {
  const { timezone } = await loadSettings(reader, 'format');
  const today = localDay(ctx.now, timezone);
  const year = wanted ?? Number(today.slice(0, 4));
  const span = { first: `${year}-01-01`, last: `${year}-12-31` };
  const [found] = await prepared<VacationRow>(reader, SQL, { id, ...span });
  if (found === undefined) throw notFound('This employee');
  return { year, ...vacationBalance(year, today, found.contracts, found.vacations) };
}
