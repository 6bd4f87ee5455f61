/** An employee's pay of a month: what contracts, pay items and unpaid leave make of it. */
import { dayOf, daysIn } from '../days.ts';
import { type Decimal, decimal, round, sum } from '../money.ts';
import { type ClosedSpan, lengthOf, overlap, type Span, shared } from '../people/spans.ts';
import { type CalendarDays, extraPay, paidDays, salaryOf, yearlyExtras } from './monthly-pay.ts';
import { type Payslip, payslip } from './payslip.ts';
import type { PayrollRates } from './rates.ts';
import type { PayrollLine, PayrollTerms } from './types.ts';

/** What was agreed from a day on. */
export interface ContractTerms extends Span {
  readonly contractType: 'indefinite' | 'temporary' | 'training';
  readonly position: string | null;
  readonly departmentId: string | null;
  /** A week. */
  readonly workingHours: Decimal;
  readonly grossAnnualSalary: Decimal | null;
  readonly payments: 12 | 14;
  readonly contributionGroup: number | null;
  readonly accidentRate: Decimal;
  readonly irpfRate: Decimal;
}

export interface MonthInput {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  /** The last day of the employment, if known. */
  readonly endDate: string | null;
  /** Those of the half of the year that ends with June or December, at least, by their first day. */
  readonly contracts: readonly ContractTerms[];
  /** Unpaid leave in that time. */
  readonly leave: readonly ClosedSpan[];
  /** Pay items that hold in the month. */
  readonly items: readonly PayrollLine[];
}

/** What lines are called on the payslip. */
export interface LineNames {
  readonly salary: string;
  readonly extraPay: string;
}

/** Why nobody can be paid by rules alone. */
export type Skipped = 'not_employed' | 'no_salary' | 'no_group' | 'training' | 'no_days';

/** A month worked out but for who it is about. */
export interface MonthPay {
  readonly days: number;
  readonly lines: readonly PayrollLine[];
  readonly irpfRate: Decimal;
  readonly departmentId: string | null;
  readonly terms: Omit<
    PayrollTerms,
    'employeeCode' | 'employeeName' | 'nif' | 'socialSecurityNumber' | 'iban' | 'hireDate'
  >;
}

/** Hours a week of full-time work (ET, art. 34). */
const FULL_WEEK = 40;

/**
 * Works out the lines of a month. Contracts that follow each other within it are paid by their days; contributions, income tax and
 * department are those of the last one.
 * @returns why there is nothing to pay, where that is so
 */
export function monthPay(input: MonthInput, names: LineNames): MonthPay | Skipped {
  const { year, month, leave } = input;
  const whole = { from: dayOf(year, month, 1), to: dayOf(year, month, daysIn(year, month)) };
  const held = input.contracts.filter((contract) => overlap(contract, whole) > 0);
  const last = held.at(-1);
  if (last === undefined) return 'not_employed';
  if (held.some(({ contractType }) => contractType === 'training')) return 'training';
  if (held.some(({ grossAnnualSalary }) => grossAnnualSalary === null)) return 'no_salary';
  const group = last.contributionGroup;
  if (group === null) return 'no_group';
  const calendar = held.map((contract) => calendarDays(contract, whole, leave));
  const total = {
    held: count(calendar.map((each) => each.held)),
    unpaid: count(calendar.map((each) => each.unpaid)),
  };
  const days = paidDays(year, month, total, group);
  if (days === 0) return 'no_days';
  const shares = sharesOf(calendar.map(worked), days);
  const salaries = held.map((contract, index) =>
    salaryOf(salaryTerms(contract, group), year, month, shares[index] ?? 0),
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

/** The figures of a month, from its lines and what was kept with them. */
export function figuresOf(
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

/** Days under contract within a span, and those of unpaid leave among them. */
function calendarDays(contract: Span, within: Span, leave: MonthInput['leave']): CalendarDays {
  const days = shared(contract, within);
  if (days === null) return { held: 0, unpaid: 0 };
  return { held: lengthOf(days), unpaid: count(leave.map((each) => overlap(each, days))) };
}

function worked({ held, unpaid }: CalendarDays): number {
  return held - unpaid;
}

/** The paid days of each contract: its own, of the last one what is left, as a month has 30 whatever the calendar says. */
function sharesOf(worked: readonly number[], days: number): number[] {
  let left = days;
  return worked.map((own, index) => {
    const share = index === worked.length - 1 ? left : Math.min(own, left);
    left -= share;
    return share;
  });
}

/** The extra pay of the half of the year: in June and December, and when an employment ends. */
function extraDue({ year, month, endDate, contracts, leave }: MonthInput, group: number): Decimal {
  const last = dayOf(year, month, daysIn(year, month));
  const leaves = endDate !== null && endDate >= dayOf(year, month, 1) && endDate <= last;
  const closing = month <= 6 ? 6 : 12;
  if (month !== closing && !leaves) return '0';
  const half = { from: dayOf(year, closing - 5, 1), to: last };
  const parts = contracts.map((contract) =>
    extraPay(salaryTerms(contract, group), year, closing, worked(calendarDays(contract, half, leave))),
  );
  return sum(parts).toFixed();
}

function count(days: readonly number[]): number {
  return days.reduce((total, each) => total + each, 0);
}
