/** When somebody is employed: no contract, pay item or absence lies outside. */
import type { Db } from '../../../db/database.ts';
import { Employee } from '../../../db/models/records/people.ts';
import { LAST_DAY } from '../../../domain/days.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';

type Row = Readonly<Record<string, unknown>>;

/** @throws ServiceError validation_failed where the days are the wrong way round */
export function checkDays({ from, to }: Row): void {
  if (typeof from === 'string' && typeof to === 'string' && to < from) {
    throw invalidMember('/to', 'out_of_range', 'must not be before `from`');
  }
}

/**
 * Checks that days lie within an employment.
 * @param days `to` may be open
 * @throws ServiceError validation_failed
 */
export function checkEmployed(employee: Pick<Employee, 'hireDate' | 'endDate'>, { from, to }: Row): void {
  const { hireDate, endDate } = employee;
  if (typeof from === 'string' && from < hireDate) {
    throw invalidMember('/from', 'out_of_range', `must not be before the employment begins (${hireDate})`);
  }
  const last = endDate ?? LAST_DAY;
  if (typeof from === 'string' && from > last) {
    throw invalidMember('/from', 'out_of_range', `must not be after the employment ends (${endDate})`);
  }
  if (typeof to === 'string' && to > last) {
    throw invalidMember('/to', 'out_of_range', `must not be after the employment ends (${endDate})`);
  }
}

/** An employee, locked: their contracts and absences change one after the other. @throws ServiceError not_found */
export async function lockEmployee(trx: Db, id: string): Promise<Employee> {
  const employee = await Employee.query(trx).findById(id).forUpdate();
  if (employee === undefined) throw notFound('This employee');
  return employee;
}
