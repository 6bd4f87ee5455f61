/** Completes and checks employees. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import {
  Absence,
  type Employee,
  EmployeeContract,
  EmployeeTaxData,
  PayItem,
  TimeRecord,
} from '../../../db/models/records/people.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { prepared } from '../../../db/sql.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { endOfMonth, formatDay, LAST_DAY } from '../../../domain/days.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { normalizeSocialSecurityNumber, normalizeTaxId } from '../../../domain/identifiers.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { checkBankDetails } from '../resources/bank-details.ts';

type Row = Record<string, unknown>;
type Scope = { readonly trx: Db; readonly ctx: Context };

const CODE = { prefix: 'EMP', digits: 4 };

/** Completes and checks a new employee. @throws ServiceError validation_failed */
export async function prepareNewEmployee({ trx, ctx }: Scope, values: Row): Promise<Row> {
  const checked = await checkEmployee(trx, values, values);
  return { ...checked, code: values.code ?? (await nextCode(trx, ctx.tenantId, 'employees', CODE)), termsChanges: 0 };
}

/** Checks a change of an employee. @throws ServiceError validation_failed; in_use if it would change what payrolls have paid */
export async function prepareChangedEmployee({ trx }: Scope, values: Row, current: Employee): Promise<Row> {
  const checked = await checkEmployee(trx, values, { ...current, ...values });
  if ('hireDate' in values || 'endDate' in values) {
    const next = { ...current, ...values };
    await assertAbsencesWithin(trx, next);
    await assertTimeRecordsWithin(trx, next);
    await assertPayrollsHold(trx, current, next);
  }
  return checked;
}

/**
 * Deletes the contracts, pay items and tax data of an employee who is being deleted. Employees with payrolls, absences or time records
 * cannot be deleted.
 */
export async function removeWithTerms({ trx, ctx }: Scope, { id }: Employee): Promise<void> {
  await removeRowsWhere(trx, ctx, PayItem, { employee_id: id });
  await removeRowsWhere(trx, ctx, EmployeeTaxData, { employee_id: id });
  await removeRowsWhere(trx, ctx, EmployeeContract, { employee_id: id });
}

async function checkEmployee(trx: Db, values: Row, { hireDate, endDate }: Row): Promise<Row> {
  if (typeof endDate === 'string' && endDate < String(hireDate)) {
    throw invalidMember('/endDate', 'out_of_range', 'must not be before hireDate');
  }
  const checked = checkBankDetails(values);
  if (typeof values.nif === 'string') {
    const { country } = await loadSettings(trx, 'company');
    checked.nif = normalizeTaxId(country, values.nif);
    if (checked.nif === null) throw invalidMember('/nif', 'invalid_format', `must be a valid tax id of ${country}`);
  }
  if (typeof values.socialSecurityNumber === 'string') {
    checked.socialSecurityNumber = normalizeSocialSecurityNumber(values.socialSecurityNumber);
    if (checked.socialSecurityNumber === null) {
      const rule = 'must be a Spanish social security number: 12 digits, of which the last two are the check digits';
      throw invalidMember('/socialSecurityNumber', 'invalid_format', rule);
    }
  }
  return checked;
}

/**
 * Asserts that all absences that count are within the employment; requests are checked when they are approved.
 * @throws ServiceError validation_failed
 */
async function assertAbsencesWithin(trx: Db, employee: Pick<Employee, 'id' | 'hireDate' | 'endDate'>): Promise<void> {
  const outside = (condition: string, day: string) =>
    Absence.query(trx).where({ employee_id: employee.id, status: 'approved' }).whereRaw(condition, [day]).first();
  if ((await outside('"from" < ?', employee.hireDate)) !== undefined) {
    throw invalidMember('/hireDate', 'out_of_range', 'must not be after the first absence');
  }
  if ((await outside('"to" > ?', employee.endDate ?? LAST_DAY)) !== undefined) {
    throw invalidMember('/endDate', 'out_of_range', 'must not be before the last absence ends');
  }
}

/** Asserts that all time records that count begin within the employment. @throws ServiceError validation_failed */
async function assertTimeRecordsWithin(
  trx: Db,
  employee: Pick<Employee, 'id' | 'hireDate' | 'endDate'>,
): Promise<void> {
  const outside = (condition: string, day: string) =>
    TimeRecord.query(trx).where({ employee_id: employee.id, cancelled_at: null }).whereRaw(condition, [day]).first();
  if ((await outside('day < ?', employee.hireDate)) !== undefined) {
    throw invalidMember('/hireDate', 'out_of_range', 'must not be after the first time record');
  }
  if ((await outside('day > ?', employee.endDate ?? LAST_DAY)) !== undefined) {
    throw invalidMember('/endDate', 'out_of_range', 'must not be before the last time record');
  }
}

type Employment = Pick<Employee, 'hireDate' | 'endDate'>;

/**
 * Asserts that months with payrolls keep their days of employment, and that the last pay stays the last: what the employment ends with is
 * paid with its last month. Generating a month locks its employees, so none comes in between.
 * @throws ServiceError in_use naming the first month
 */
async function assertPayrollsHold(trx: Db, current: Employee, next: Employment): Promise<void> {
  const months = await prepared<{ year: number; month: number }>(
    trx,
    `select year, month from payrolls where employee_id = :id and status <> 'X' order by year, month`,
    { id: current.id },
  );
  const changed = months.find(({ year, month }) => {
    const first = formatDay(year, month, 1);
    return employedIn(current, first) !== employedIn(next, first);
  });
  if (changed === undefined) return;
  const name = formatDay(changed.year, changed.month, 1).slice(0, 7);
  const member = current.hireDate === next.hireDate ? 'endDate' : 'hireDate';
  throw new ServiceError(
    'in_use',
    `The employment cannot change in ${name} because that month has a payroll; cancel or delete it first, and generate it again`,
    { errors: [{ pointer: `/${member}`, code: 'in_use', message: `must leave the days of ${name} as they are` }] },
  );
}

/** The days of employment in the month that begins on a day, and whether it ends there. */
function employedIn({ hireDate, endDate }: Employment, first: string): string {
  const last = endOfMonth(first);
  const from = hireDate > first ? hireDate : first;
  const to = endDate !== null && endDate < last ? endDate : last;
  const ends = endDate !== null && endDate >= first && endDate <= last;
  return to < from ? 'none' : `${from} ${to} ${ends}`;
}
