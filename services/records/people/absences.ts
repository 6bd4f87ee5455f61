/** Completes and checks absences. The database ensures that they do not overlap. */
import type { Db } from '../../../db/database.ts';
import type { Absence } from '../../../db/models/records/people.ts';
import { daysBetween } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { checkDays, checkEmployed, lockEmployee } from './employment.ts';

type Row = Record<string, unknown>;

/**
 * Completes and checks an absence. If its dates change, its days are counted again, unless the request gives their number.
 * @throws ServiceError validation_failed
 */
export async function prepareAbsence(trx: Db, employeeId: string, values: Row, current?: Absence): Promise<Row> {
  const employee = await lockEmployee(trx, employeeId);
  const next = { from: values.from ?? current?.from, to: values.to ?? current?.to };
  checkDays(next);
  checkEmployed(employee, values);
  const length = daysBetween(String(next.from), String(next.to)) + 1;
  const moved = next.from !== current?.from || next.to !== current?.to;
  const days = (values.days ?? (moved ? length : current?.days)) as Decimal | number;
  if (decimal(days).gt(length)) {
    throw invalidMember('/days', 'out_of_range', `must not be more than the ${length} days from the first to the last`);
  }
  return { ...values, days: String(days) };
}
