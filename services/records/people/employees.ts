/** Completes and checks employees. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import {
  Absence,
  type Employee,
  EmployeeContract,
  EmployeeTaxData,
  PayItem,
} from '../../../db/models/records/people.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { LAST_DAY } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
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

/** Checks a change of an employee. @throws ServiceError validation_failed */
export async function prepareChangedEmployee({ trx }: Scope, values: Row, current: Employee): Promise<Row> {
  const checked = await checkEmployee(trx, values, { ...current, ...values });
  if ('hireDate' in values || 'endDate' in values) await assertAbsencesWithin(trx, { ...current, ...values });
  return checked;
}

/**
 * Deletes the contracts, pay items and tax data of an employee who is being deleted. Employees with payrolls or absences cannot be deleted.
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

/** Asserts that all absences are within the employment. @throws ServiceError validation_failed */
async function assertAbsencesWithin(trx: Db, employee: Pick<Employee, 'id' | 'hireDate' | 'endDate'>): Promise<void> {
  const outside = (condition: string, day: string) =>
    Absence.query(trx).where({ employee_id: employee.id }).whereRaw(condition, [day]).first();
  if ((await outside('"from" < ?', employee.hireDate)) !== undefined) {
    throw invalidMember('/hireDate', 'out_of_range', 'must not be after the first absence');
  }
  if ((await outside('"to" > ?', employee.endDate ?? LAST_DAY)) !== undefined) {
    throw invalidMember('/endDate', 'out_of_range', 'must not be before the last absence ends');
  }
}
