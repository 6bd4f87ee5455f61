/** Computes the income tax percentage of an employee from contracts, family and the year's payrolls (decision 0207). */
import type { Db } from '../../../db/database.ts';
import { type Employee, EmployeeContract } from '../../../db/models/records/people.ts';
import { query } from '../../../db/sql.ts';
import { dayBefore, yearAfter } from '../../../domain/days.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { type Agreed, type ExpectedPay, expectedPay } from '../../../domain/staff/payroll/expected-pay.ts';
import { regularisedRate, type YearlyTax, yearlyTax } from '../../../domain/staff/payroll/irpf.ts';
import { findIrpfRules, type IrpfRules } from '../../../domain/staff/payroll/irpf-rules.ts';
import type { ContractTerms } from '../../../domain/staff/payroll/month.ts';
import { ratesOn } from '../../../domain/staff/payroll/rates.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { employeeContracts } from '../../records/master-data/employee-contracts.ts';
import { COUNTS } from '../../records/people/absences.ts';
import { lockEmployee } from '../../records/people/employment.ts';
import { readTaxData, type TaxData } from '../../records/people/tax-data.ts';
import type { HookScope } from '../../records/resources/declaration.ts';
import { changeOne } from '../../records/resources/rows.ts';

/** Euros paid in the year, and the tax withheld from them. */
export interface Paid extends ExpectedPay {
  readonly withheld: Decimal;
}

export interface IncomeTaxRequest {
  /** Pay from this day's month on is still expected, except for months with a posted payroll. */
  readonly date?: string | null | undefined;
  readonly year?: number | null | undefined;
  /** Paid in the year outside this service. */
  readonly before?: Paid | null;
  /** Whether to set the percentage in the current contract and those that follow in the year. */
  readonly apply: boolean;
}

export interface IncomeTax {
  readonly date: string;
  readonly year: number;
  readonly contract: EmployeeContract;
  readonly family: TaxData;
  readonly paid: Paid & { readonly months: readonly number[] };
  readonly expected: ExpectedPay & { readonly months: readonly number[] };
  /** The calculation for the whole year. */
  readonly yearly: YearlyTax;
  /** Percentage for the rest of the year. */
  readonly rate: Decimal;
  readonly applied: boolean;
}

/** Why there is no percentage: no contract from the day on, or no month without a posted payroll has any pay. */
export type Untaxed = 'no_contract' | 'nothing_to_pay';

/**
 * Computes the percentage for the rest of a year, and sets it in the current contract if requested.
 * @throws ServiceError not_found; validation_failed for a year without rules or a day without contract;
 * invalid_transition if no pay is left in the year
 */
export async function computeIncomeTax(
  scope: HookScope,
  employeeId: string,
  request: IncomeTaxRequest,
): Promise<IncomeTax> {
  const { trx, ctx } = scope;
  const { timezone } = await loadSettings(trx, 'format');
  const date = effectiveDay(request, localDay(ctx.now, timezone));
  const found = await computeTaxFrom(
    scope,
    employeeId,
    date,
    findRules(date, request.date == null ? '/year' : '/date'),
    request,
  );
  if (found === 'no_contract') throw invalidMember('/date', 'out_of_range', 'must not be after the last contract ends');
  if (found === 'nothing_to_pay') {
    const reason = 'no month without posted payroll has a contract with salary and contribution group';
    throw new ServiceError(
      'invalid_transition',
      `The percentage cannot be computed because nothing more is paid to this employee in ${date.slice(0, 4)}: ${reason}`,
    );
  }
  return found;
}

/** Computes the percentage from a day on, or the reason why there is none. @throws ServiceError not_found */
export async function computeTaxFrom(
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
  const expected = await computeExpectedPay(trx, employee, contracts, date, new Set(posted.map(({ month }) => month)));
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
  const rate = regularisedRate(yearly, paid, { isShort: pay.isShort, family }, rules);
  if (apply) for (const each of held) await changeOne(employeeContracts, scope, each, { irpfRate: toNumber(rate) });
  return { date, year, contract, family, paid, expected, yearly, rate, applied: apply };
}

/** The day from which the percentage applies. @throws ServiceError validation_failed */
function effectiveDay({ date, year }: IncomeTaxRequest, today: string): string {
  if (date != null) {
    if (year != null && Number(date.slice(0, 4)) !== year)
      throw invalidMember('/date', 'out_of_range', `must be in ${year}`);
    return date;
  }
  return year == null || today.startsWith(`${year}-`) ? today : `${String(year).padStart(4, '0')}-01-01`;
}

/** Finds the rules of a day's year. @throws ServiceError validation_failed if unknown */
export function findRules(date: string, pointer: string): IrpfRules {
  const year = Number(date.slice(0, 4));
  const rules = findIrpfRules(year);
  if (rules !== null && ratesOn(`${date.slice(0, 4)}-01-01`) !== null) return rules;
  throw invalidMember(pointer, 'out_of_range', `must be in a year whose rates are known: those of ${year} are not`);
}

/** Whether the employment, as contracts show it, lasts less than a year (RIRPF, art. 86.2). */
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
const LEAVE_SQL = `select a."from", a."to", a.days::text from absences a
  where a.employee_id = :employeeId and ${COUNTS} and a.type = 'unpaid'`;

/** Computes the pay still expected in the year, from the month of a day on. */
async function computeExpectedPay(
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
