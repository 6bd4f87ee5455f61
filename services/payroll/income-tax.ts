/** The percentage of income tax of an employee, by contracts, family, and what the year's payrolls have paid (decision 0207). */
import type { Db } from '../../db/database.ts';
import { type Employee, EmployeeContract } from '../../db/models/people.ts';
import { query } from '../../db/sql.ts';
import { dayBefore, yearAfter } from '../../domain/days.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../domain/money.ts';
import { type Agreed, type ExpectedPay, expectedPay } from '../../domain/payroll/expected-pay.ts';
import { type Family, regularised, type YearlyTax, yearlyTax } from '../../domain/payroll/irpf.ts';
import { type IrpfRules, irpfRulesOf } from '../../domain/payroll/irpf-rules.ts';
import type { ContractTerms } from '../../domain/payroll/month.ts';
import { ratesOn } from '../../domain/payroll/rates.ts';
import { todayOf } from '../../domain/tables/times.ts';
import { employeeContracts } from '../master-data/employee-contracts.ts';
import { lockEmployee } from '../people/employment.ts';
import { readTaxData } from '../people/tax-data.ts';
import type { HookScope } from '../resources/declaration.ts';
import { changeOne } from '../resources/rows.ts';
import { loadSettings } from '../settings/settings.ts';

/** Euros that were paid in the year, and withheld of them. */
export interface Paid extends ExpectedPay {
  readonly withheld: Decimal;
}

export interface IncomeTaxRequest {
  /** Pay from this day's month on is still to come, unless its payroll is posted. */
  readonly date?: string | null | undefined;
  readonly year?: number | null | undefined;
  /** Paid in the year outside of this service. */
  readonly before?: Paid | null;
  /** Whether the contract in force, and those that follow in the year, get the percentage. */
  readonly apply: boolean;
}

export interface IncomeTax {
  readonly date: string;
  readonly year: number;
  readonly contract: EmployeeContract;
  readonly family: Family;
  readonly paid: Paid & { readonly months: readonly number[] };
  readonly expected: ExpectedPay & { readonly months: readonly number[] };
  /** Of the whole year. */
  readonly yearly: YearlyTax;
  /** For the rest of the year. */
  readonly rate: Decimal;
  readonly applied: boolean;
}

/** Why there is no percentage: no contract holds from the day on, or no month without posted payroll pays anything. */
export type Untaxed = 'no_contract' | 'nothing_to_pay';

/**
 * Works the percentage out for the rest of a year, and gives it to the contract in force if that is wanted.
 * @throws ServiceError not_found; validation_failed for a year without rules or a day without contract; invalid_transition where nothing
 *   more is paid in the year
 */
export async function incomeTaxOf(scope: HookScope, employeeId: string, request: IncomeTaxRequest): Promise<IncomeTax> {
  const { trx, ctx } = scope;
  const { timezone } = await loadSettings(trx, 'format');
  const date = dayFor(request, todayOf(ctx.now, timezone));
  const found = await taxFrom(
    scope,
    employeeId,
    date,
    rulesOn(date, request.date == null ? '/year' : '/date'),
    request,
  );
  if (found === 'no_contract') throw invalidMember('/date', 'out_of_range', 'must not be after the last contract ends');
  if (found === 'nothing_to_pay') {
    const reason = 'no month without posted payroll has a contract with salary and contribution group';
    throw new ServiceError(
      'invalid_transition',
      `Nothing more is paid to this employee in ${date.slice(0, 4)}: ${reason}`,
    );
  }
  return found;
}

/** The same from a day on, or why there is no percentage. @throws ServiceError not_found */
export async function taxFrom(
  scope: HookScope,
  employeeId: string,
  date: string,
  rules: IrpfRules,
  { before, apply }: Pick<IncomeTaxRequest, 'before' | 'apply'>,
): Promise<IncomeTax | Untaxed> {
  const { trx } = scope;
  const year = Number(date.slice(0, 4));
  const employee = await lockEmployee(trx, employeeId);
  const contracts = await EmployeeContract.query(trx).where({ employee_id: employeeId }).orderBy('from');
  const held = contracts.filter(({ from, to }) => from <= `${year}-12-31` && (to ?? date) >= date);
  const [contract] = held;
  if (contract === undefined) return 'no_contract';
  const { family } = await readTaxData(trx, employeeId);
  const posted = await readPosted(trx, employeeId, year);
  const expected = await expect(trx, employee, contracts, date, new Set(posted.map(({ month }) => month)));
  if (decimal(expected.gross).lte(0)) return 'nothing_to_pay';
  const total = (of: keyof Paid) => sum([...posted.map((each) => each[of]), before?.[of] ?? '0']).toFixed();
  const paid = {
    months: posted.map(({ month }) => month),
    gross: total('gross'),
    contributions: total('contributions'),
    withheld: total('withheld'),
  };
  const pay = {
    gross: decimal(paid.gross).plus(expected.gross).toFixed(),
    contributions: decimal(paid.contributions).plus(expected.contributions).toFixed(),
    isShort: isShort(contract, employee.hireDate, employee.endDate ?? contracts.at(-1)?.to ?? null),
  };
  const yearly = yearlyTax(pay, family, rules);
  const rate = regularised(yearly, paid, pay.isShort, rules);
  if (apply) for (const each of held) await changeOne(employeeContracts, scope, each, { irpfRate: toNumber(rate) });
  return { date, year, contract, family, paid, expected, yearly, rate, applied: apply };
}

/** @throws ServiceError validation_failed */
function dayFor({ date, year }: IncomeTaxRequest, today: string): string {
  if (date != null) {
    if (year != null && Number(date.slice(0, 4)) !== year)
      throw invalidMember('/date', 'out_of_range', `must be in ${year}`);
    return date;
  }
  return year == null || today.startsWith(`${year}-`) ? today : `${String(year).padStart(4, '0')}-01-01`;
}

/** The rules of a day's year. @throws ServiceError validation_failed where they are not known */
export function rulesOn(date: string, pointer: string): IrpfRules {
  const year = Number(date.slice(0, 4));
  const rules = irpfRulesOf(year);
  if (rules !== null && ratesOn(`${date.slice(0, 4)}-01-01`) !== null) return rules;
  throw invalidMember(pointer, 'out_of_range', `must be in a year whose rates are known: those of ${year} are not`);
}

/** Whether the employment is for less than a year from its first day, as far as contracts tell (RIRPF, art. 86.2). */
function isShort({ contractType }: EmployeeContract, hireDate: string, endDate: string | null): boolean {
  return contractType !== 'indefinite' && endDate !== null && endDate < dayBefore(yearAfter(hireDate));
}

interface Posted extends Paid {
  readonly month: number;
}

const POSTED_SQL = `select month, gross::text, employee_contribution::text as contributions, irpf::text as withheld
  from payrolls where employee_id = :employeeId and year = :year and status = 'O' order by month`;

async function readPosted(trx: Db, employeeId: string, year: number): Promise<Posted[]> {
  return await query<Posted>(trx, POSTED_SQL, { employeeId, year });
}

const ITEMS_SQL = `select description, kind, amount::text, "from", "to" from pay_items where employee_id = :employeeId`;
const LEAVE_SQL = `select "from", "to" from absences where employee_id = :employeeId and type = 'unpaid'`;

/** What is still to be paid in the year of a day, from its month on. */
async function expect(
  trx: Db,
  { id: employeeId, endDate }: Employee,
  contracts: readonly EmployeeContract[],
  date: string,
  posted: ReadonlySet<number>,
): Promise<IncomeTax['expected']> {
  const items = await query<Agreed['items'][number]>(trx, ITEMS_SQL, { employeeId });
  const leave = await query<Agreed['leave'][number]>(trx, LEAVE_SQL, { employeeId });
  const [year, first] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  const months = Array.from({ length: 13 - first }, (_, index) => first + index).filter((month) => !posted.has(month));
  const agreed: Agreed = { endDate, contracts: contracts as readonly ContractTerms[], leave, items };
  return { months, ...expectedPay(agreed, year, months) };
}
