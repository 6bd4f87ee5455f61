/** Checks that contracts, pay items and absences are within the employment. */
import type { Db } from '../../../db/database.ts';
import { Employee } from '../../../db/models/records/people.ts';
import { LAST_DAY } from '../../../domain/days.ts';
import { invalidMember, notFound } from '../../../domain/errors.ts';

type Row = Readonly<Record<string, unknown>>;

/** Asserts that a period does not end before it begins. @throws ServiceError validation_failed */
export function checkDays({ from, to }: Row): void {
  if (typeof from === 'string' && typeof to === 'string' && to < from) {
    throw invalidMember('/to', 'out_of_range', 'must not be before `from`');
  }
}

/**
 * Asserts that a period is within an employment.
 * @param days the period; `to` may be open
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

/** Locks an employee, which serializes changes of their contracts and absences. @throws ServiceError not_found */
export async function lockEmployee(trx: Db, id: string): Promise<Employee> {
  const employee = await Employee.query(trx).findById(id).forUpdate();
  if (employee === undefined) throw notFound('This employee');
  return employee;
}
