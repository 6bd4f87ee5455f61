/** Warns of vacation beyond the days that are left (decision 0252). */
import type { Absence } from '../../../db/models/records/people.ts';
import type { FieldError } from '../../../domain/errors.ts';
import { decimal, round } from '../../../domain/money.ts';
import { absentWithin } from '../../../domain/records/people/spans.ts';
import type { HookScope } from '../resources/declaration.ts';
import { loadVacation } from './vacation.ts';

/**
 * Warns for the years in which an absence begins and ends. Other requests do not count, since they may be refused.
 * @param absence as it was written
 */
export async function vacationWarnings({ trx, ctx }: HookScope, absence: Absence): Promise<FieldError[]> {
  const { type, status, from, to, days, employeeId } = absence;
  if (type !== 'vacation' || status === 'refused') return [];
  const years = [...new Set([from, to].map((day) => Number(day.slice(0, 4))))];
  const warnings: FieldError[] = [];
  for (const year of years) {
    const { remaining } = await loadVacation(trx, ctx, employeeId, year);
    const pad = String(year).padStart(4, '0');
    const asked = absentWithin({ from, to, days }, { from: `${pad}-01-01`, to: `${pad}-12-31` });
    const left = decimal(remaining).plus(status === 'approved' ? asked : 0);
    if (asked.lte(left)) continue;
    const message = `takes ${round(asked, 1)} days of vacation in ${year}, of which ${round(left, 1)} are left`;
    warnings.push({ pointer: '/days', code: 'vacation_exceeded', message });
  }
  return warnings;
}
