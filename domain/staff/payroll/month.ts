/** Computes an employee's pay of a month from contracts, pay items and unpaid leave. */
import { daysIn, formatDay } from '../../days.ts';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import { type Absent, absentWithin, overlap, type Span, shared, spanLength } from '../../records/people/spans.ts';
import { type DaysHeld, extraPay, paidDays, salaryFor, yearlyExtras } from './monthly-pay.ts';
import { type Payslip, payslip } from './payslip.ts';
import type { PayrollRates } from './rates.ts';
import type { PayrollLine, PayrollTerms } from './types.ts';

/** Terms agreed from a day on. */
export interface ContractTerms extends Span {
  readonly contractType: 'indefinite' | 'temporary' | 'training';
  readonly position: string | null;
  readonly departmentId: string | null;
  /** Hours per week. */
  readonly workingHours: Decimal;
  readonly grossAnnualSalary: Decimal | null;
  readonly payments: 12 | 14;
  readonly contributionGroup: number | null;
  readonly accidentRate: Decimal;
  readonly irpfRate: Decimal;
}

export interface MonthInput {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** Last day of the employment, if known. */
  readonly endDate: string | null;
  /** At least those of the half-year that ends with June or December, by first day. */
  readonly contracts: readonly ContractTerms[];
  /** Unpaid leave in that half-year. */
  readonly leave: readonly Absent[];
  /** Pay items of the month. */
  readonly items: readonly PayrollLine[];
}

/** Names of lines on the payslip. */
export interface LineNames {
  readonly salary: string;
  readonly extraPay: string;
}

/** Why someone cannot be paid by rules alone. */
export type Skipped = 'not_employed' | 'no_salary' | 'no_group' | 'training' | 'no_days';

/** A computed month, without the employee's identity. */
export interface MonthPay {
  /** Paid days, with two decimals. */
  readonly days: Decimal;
  readonly lines: readonly PayrollLine[];
  readonly irpfRate: Decimal;
  readonly departmentId: string | null;
  readonly terms: Omit<
    PayrollTerms,
    'employeeCode' | 'employeeName' | 'nif' | 'socialSecurityNumber' | 'iban' | 'hireDate'
  >;
}

/** Weekly hours of full-time work (ET, art. 34). */
const FULL_WEEK = 40;

/**
 * Computes the lines of a month. Consecutive contracts are paid by their days; contributions, income tax and department
 * are those of the last one.
 * @returns the reason if there is nothing to pay
 */
export function monthPay(input: MonthInput, names: LineNames): MonthPay | Skipped {
  const { year, month, leave } = input;
  const whole = { from: formatDay(year, month, 1), to: formatDay(year, month, daysIn(year, month)) };
  const held = input.contracts.filter((contract) => overlap(contract, whole) > 0);
  const last = held.at(-1);
  if (last === undefined) return 'not_employed';
  if (held.some(({ contractType }) => contractType === 'training')) return 'training';
  if (held.some(({ grossAnnualSalary }) => grossAnnualSalary === null)) return 'no_salary';
  const group = last.contributionGroup;
  if (group === null) return 'no_group';
  const calendar = held.map((contract) => daysHeld(contract, whole, leave));
  const total = {
    held: calendar.reduce((days, each) => days + each.held, 0),
    unpaid: sum(calendar.map((each) => each.unpaid)),
  };
  const days = paidDays(year, month, total, group);
  if (decimal(days).eq(0)) return 'no_days';
  const shares = distributeDays(calendar.map(worked), days);
  const salaries = held.map((contract, index) =>
    salaryFor(salaryTerms(contract, group), year, month, shares[index] ?? 0),
  );
  const extras = held.map((contract, index) =>
    decimal(yearlyExtras(salaryTerms(contract, group))).times(shares[index] ?? 0),
  );
  const extra = extraDue(input, group);
  const lines: PayrollLine[] = [
    { description: names.salary, kind: 'earning', amount: sum(salaries).toFixed() },
    ...(decimal(extra).eq(0) ? [] : [{ description: names.extraPay, kind: 'extra_pay' as const, amount: extra }]),
    ...input.items,
  ];
  const { contractType, position, departmentId, workingHours, payments, accidentRate, irpfRate } = last;
  return {
    days,
    lines,
    irpfRate,
    departmentId,
    terms: {
      position,
      contractType,
      workingHours,
      grossAnnualSalary: last.grossAnnualSalary ?? '0',
      payments,
      contributionGroup: group,
      accidentRate,
      yearlyExtras: round(sum(extras).div(days), 2),
      from: shared(held[0] ?? last, whole)?.from ?? whole.from,
      to: shared(last, whole)?.to ?? whole.to,
    },
  };
}

/** Computes the figures of a month from its lines and the data stored with them. */
export function payslipFigures(
  { days, lines, irpfRate, terms }: Pick<MonthPay, 'days' | 'lines' | 'irpfRate' | 'terms'>,
  rates: PayrollRates,
): Payslip {
  const { contractType, contributionGroup, accidentRate, workingHours } = terms;
  const share = decimal(workingHours).div(FULL_WEEK);
  const contract = contractType === 'temporary' ? 'temporary' : 'indefinite';
  const workingShare = share.gt(1) ? '1' : share.toFixed();
  const employment = { contract, group: contributionGroup, accidentRate, workingShare } as const;
  return payslip({ ...employment, days, lines, yearlyExtras: terms.yearlyExtras, irpfRate }, rates);
}

function salaryTerms({ grossAnnualSalary, payments }: ContractTerms, group: number) {
  return { grossAnnualSalary: grossAnnualSalary ?? '0', payments, group };
}

/** Counts the days under contract within a span, and the days of unpaid leave among them. */
function daysHeld(contract: Span, within: Span, leave: MonthInput['leave']): DaysHeld {
  const days = shared(contract, within);
  if (days === null) return { held: 0, unpaid: decimal(0) };
  return { held: spanLength(days), unpaid: sum(leave.map((each) => absentWithin(each, days))) };
}

function worked({ held, unpaid }: DaysHeld): Exact {
  return decimal(held).minus(unpaid);
}

/**
 * Distributes the paid days among contracts: each gets its own, the last one the remainder, since a month has 30
 * whatever the calendar.
 */
function distributeDays(worked: readonly Exact[], days: Decimal): Exact[] {
  let left = decimal(days);
  return worked.map((own, index) => {
    const share = index === worked.length - 1 || own.gt(left) ? left : own;
    left = left.minus(share);
    return share;
  });
}

/** The extra pay of the half-year: in June and December, and when an employment ends. */
function extraDue({ year, month, endDate, contracts, leave }: MonthInput, group: number): Decimal {
  const last = formatDay(year, month, daysIn(year, month));
  const leaves = endDate !== null && endDate >= formatDay(year, month, 1) && endDate <= last;
  const closing = month <= 6 ? 6 : 12;
  if (month !== closing && !leaves) return '0';
  const half = { from: formatDay(year, closing - 5, 1), to: last };
  const parts = contracts.map((contract) =>
    extraPay(salaryTerms(contract, group), year, closing, worked(daysHeld(contract, half, leave))),
  );
  return sum(parts).toFixed();
}
