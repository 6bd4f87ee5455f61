/** Contracts of employees: each is valid from its first day until the next one, or the end of the employment. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Employee, EmployeeContract } from '../../../db/models/records/people.ts';
import { insertRow, patchRow } from '../../../db/write.ts';
import { dayBefore, daysAfter, LAST_DAY } from '../../../domain/days.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { changed } from '../resources/rows.ts';
import { checkDays, checkEmployed, lockEmployee } from './employment.ts';

type Row = Record<string, unknown>;
type Scope = { readonly trx: Db; readonly ctx: Context };

/** Terms that apply when neither the request nor an earlier contract sets them. */
export const DEFAULT_TERMS = {
  contractType: 'indefinite',
  workingHours: '40',
  payments: 14,
  accidentRate: '1.5',
  irpfRate: '0',
  vacationDays: 30,
} as const;

/** Members that a contract takes over from the previous one. */
const TAKEN_OVER = [
  'contractType',
  'departmentId',
  'position',
  'workingHours',
  'grossAnnualSalary',
  'payments',
  'contributionGroup',
  'accidentRate',
  'irpfRate',
  'vacationDays',
] as const;

/** Checks the terms of a contract. @throws ServiceError validation_failed */
function checkTerms({ payments }: Row): void {
  if (payments != null && payments !== 12 && payments !== 14) {
    throw invalidMember('/payments', 'invalid_choice', 'must be 12 or 14');
  }
}

/** Creates the first contract of a new employee, for the whole employment. @throws ServiceError validation_failed */
export async function createFirstContract({ trx, ctx }: Scope, employee: Employee, values: Row): Promise<void> {
  checkTerms(values);
  const terms = TAKEN_OVER.map((name) => [name, values[name] ?? defaultTerm(name)]);
  const { id: employeeId, hireDate: from, endDate: to } = employee;
  await insertRow(trx, ctx, EmployeeContract, { employeeId, from, to, ...Object.fromEntries(terms) });
}

/**
 * Applies a change of an employee's record to their contracts: terms change in the newest contract, and contracts begin and end with the
 * employment.
 * @param terms the terms in the request
 * @param next the other changes of the record
 * @returns further changes of the record
 * @throws ServiceError validation_failed, invalid_transition
 */
export async function syncContracts(
  { trx, ctx }: Scope,
  employee: Employee,
  terms: Row,
  next: Partial<Employee>,
): Promise<Partial<Employee>> {
  checkTerms(terms);
  const moved = 'hireDate' in next || 'endDate' in next;
  if (!moved && Object.keys(terms).length === 0) return {};
  const contracts = await EmployeeContract.query(trx).where({ employee_id: employee.id }).orderBy('from').forUpdate();
  const [oldest, newest] = [contracts[0], contracts.at(-1)];
  if (oldest === undefined || newest === undefined) throw new Error(`employee ${employee.id} has no contract`);
  const changes = new Changes(ctx);
  const { hireDate, endDate } = { ...employee, ...next };
  const begins = oldest.from === employee.hireDate ? { from: hireDate } : {};
  const ends =
    newest.to === employee.endDate || (endDate !== null && (newest.to ?? LAST_DAY) > endDate) ? { to: endDate } : {};
  const own = changed(EmployeeContract, newest, { ...ends, ...terms });
  if (oldest === newest) changes.change(EmployeeContract, newest, { ...begins, ...own });
  else {
    changes.change(EmployeeContract, oldest, begins);
    changes.change(EmployeeContract, newest, own);
  }
  assertWithin(contracts, hireDate, endDate, begins);
  const written = await changes.write(trx, EmployeeContract);
  return written.length === 0 ? {} : { termsChanges: employee.termsChanges + 1 };
}

/** Asserts that an employment does not begin or end within its contracts. @throws ServiceError validation_failed */
function assertWithin(
  contracts: readonly EmployeeContract[],
  hireDate: string,
  endDate: string | null,
  begins: { readonly from?: string },
): void {
  const [oldest, newest] = [contracts[0], contracts.at(-1)];
  if (oldest === undefined || newest === undefined) return;
  const from = begins.from ?? oldest.from;
  if (hireDate > from || (oldest.to !== null && from > oldest.to)) {
    throw invalidMember('/hireDate', 'out_of_range', 'must not be after contracts begin: change them first');
  }
  if (endDate !== null && endDate < newest.from) {
    throw invalidMember('/endDate', 'out_of_range', `must not be before the newest contract begins (${newest.from})`);
  }
}

/**
 * Completes a new contract with the terms of the previous one, and ends that one the day before the new one begins.
 * @throws ServiceError validation_failed
 */
export async function prepareNewContract({ trx, ctx }: Scope, values: Row): Promise<Row> {
  const employee = await lockEmployee(trx, String(values.employeeId));
  checkDays(values);
  checkEmployed(employee, values);
  checkTerms(values);
  const from = String(values.from);
  const before = await EmployeeContract.query(trx)
    .where({ employee_id: employee.id })
    .where('from', '<', from)
    .orderBy('from', 'desc')
    .first()
    .forUpdate();
  if (before !== undefined && (before.to === null || before.to >= from)) {
    await patchRow(trx, ctx, EmployeeContract, before, { to: dayBefore(from) });
  }
  await noteChange({ trx, ctx }, employee);
  const taken = TAKEN_OVER.map((name) => [name, values[name] ?? before?.[name] ?? defaultTerm(name)]);
  return { ...values, to: values.to ?? employee.endDate, ...Object.fromEntries(taken) };
}

function defaultTerm(name: string): unknown {
  return (DEFAULT_TERMS as Row)[name] ?? null;
}

/** Checks a change of a contract. @throws ServiceError validation_failed */
export async function prepareChangedContract(
  { trx, ctx }: Scope,
  values: Row,
  current: EmployeeContract,
): Promise<Row> {
  const employee = await lockEmployee(trx, current.employeeId);
  const next = { ...current, ...values };
  checkDays(next);
  checkEmployed(employee, values);
  checkTerms(values);
  if (next.from !== current.from) await moveEarlier({ trx, ctx }, current, next.from);
  await noteChange({ trx, ctx }, employee);
  return values;
}

/** Moves the end of the contract that ends the day before this one begins. @throws ServiceError overlap */
async function moveEarlier({ trx, ctx }: Scope, { employeeId, from }: EmployeeContract, begins: string): Promise<void> {
  const before = await EmployeeContract.query(trx)
    .findOne({ employee_id: employeeId, to: dayBefore(from) })
    .forUpdate();
  if (before === undefined) return;
  if (begins <= before.from) throw new ServiceError('overlap', 'It cannot begin before the contract that it follows');
  await patchRow(trx, ctx, EmployeeContract, before, { to: dayBefore(begins) });
}

/**
 * Prepares the removal of a contract: the previous one is extended to its end.
 * @throws ServiceError invalid_transition if it is the only one
 */
export async function prepareRemoval({ trx, ctx }: Scope, current: EmployeeContract): Promise<void> {
  const employee = await lockEmployee(trx, current.employeeId);
  const others = await EmployeeContract.query(trx).where({ employee_id: employee.id }).whereNot({ id: current.id });
  if (others.length === 0) {
    throw new ServiceError('invalid_transition', 'It is the only contract of this employee; change it instead');
  }
  const before = others.find(({ to }) => to !== null && daysAfter(to, 1) === current.from);
  if (before !== undefined) await patchRow(trx, ctx, EmployeeContract, before, { to: current.to });
  await noteChange({ trx, ctx }, employee);
}

/** Gives the employee's record, which shows the newest contract, a new version. */
async function noteChange({ trx, ctx }: Scope, employee: Employee): Promise<void> {
  await patchRow(trx, ctx, Employee, employee, { termsChanges: employee.termsChanges + 1 });
}
