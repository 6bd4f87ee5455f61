/** Completes and checks absences. The database ensures that they do not overlap. */
import type { Db } from '../../../db/database.ts';
import type { Absence } from '../../../db/models/records/people.ts';
import { daysBetween } from '../../../domain/days.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { HookScope } from '../resources/declaration.ts';
import { checkDays, checkEmployed, lockEmployee } from './employment.ts';

type Row = Record<string, unknown>;

/**
 * The condition on absences, as `a`, that count: pay, vacation and reports read no others (decision 0252).
 */
export const COUNTS = `a.status = 'approved'`;

/** Completes and checks a new absence, or the request for one. @throws ServiceError validation_failed */
export async function prepareNewAbsence({ trx, ctx }: HookScope, values: Row): Promise<Row> {
  if (values.status === 'refused') throw invalidMember('/status', 'invalid_choice', 'must be approved or requested');
  const requestedBy = values.status === 'requested' ? ctx.userId : null;
  return { ...(await prepareAbsence(trx, String(values.employeeId), values)), requestedBy };
}

/**
 * Completes and checks an absence. If its dates change, its days are counted again, unless the request gives their number.
 * @throws ServiceError validation_failed; invalid_transition if it was refused
 */
export async function prepareAbsence(trx: Db, employeeId: string, values: Row, current?: Absence): Promise<Row> {
  if (current?.status === 'refused') {
    throw new ServiceError('invalid_transition', 'It cannot change because it was refused; request it again');
  }
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
