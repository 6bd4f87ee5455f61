/** Computes payroll rows from contracts, pay items and leave. */
import type { Payroll } from '../../../db/models/records/people.ts';
import { decimal, toNumber } from '../../../domain/money.ts';
import {
  type LineNames,
  type MonthPay,
  monthPay,
  payslipFigures,
  type Skipped,
} from '../../../domain/staff/payroll/month.ts';
import type { PayrollRates } from '../../../domain/staff/payroll/rates.ts';
import type { PayrollTerms } from '../../../domain/staff/payroll/types.ts';
import type { Candidate } from './candidates.ts';
import type { Month } from './month.ts';

/** Columns of a payroll that are computed. */
export type PayrollFigures = Pick<
  Payroll,
  | 'lines'
  | 'days'
  | 'paidDays'
  | 'gross'
  | 'bases'
  | 'employeeContributions'
  | 'employerContributions'
  | 'employeeContribution'
  | 'employerContribution'
  | 'irpfRate'
  | 'irpf'
  | 'deductions'
  | 'net'
>;

export type NewPayroll = PayrollFigures &
  Pick<Payroll, 'employeeId' | 'year' | 'month' | 'status' | 'departmentId' | 'terms'>;

/** Why there is no draft; `nothing_earned`: the gross is zero; `net_below_zero`: deductions exceed earnings. */
export type Reason = Skipped | 'nothing_earned' | 'net_below_zero';

/** Computes the figures of lines and of the data stored with them. Callers must refuse negative results. */
export function computeFigures(
  of: Pick<MonthPay, 'days' | 'lines' | 'irpfRate' | 'terms'>,
  rates: PayrollRates,
): PayrollFigures {
  const { gross, bases, employeeContributions, employerContributions, irpf, deductions, net } = payslipFigures(
    of,
    rates,
  );
  return {
    lines: of.lines,
    days: Math.ceil(toNumber(of.days)),
    paidDays: of.days,
    gross,
    bases,
    employeeContributions,
    employerContributions,
    employeeContribution: employeeContributions.total,
    employerContribution: employerContributions.total,
    irpfRate: of.irpfRate,
    irpf,
    deductions,
    net,
  };
}

/** Computes the draft of an employee's month, or the reason why there is none. */
export function computeDraft(
  candidate: Candidate,
  { year, month }: Month,
  rates: PayrollRates,
  names: LineNames,
): NewPayroll | Reason {
  const pay = monthPay({ ...candidate, year, month }, names);
  if (typeof pay === 'string') return pay;
  const { code, name, nif, socialSecurityNumber, iban, hireDate } = candidate;
  const terms: PayrollTerms = {
    employeeCode: code,
    employeeName: name,
    nif,
    socialSecurityNumber,
    iban,
    hireDate,
    ...pay.terms,
  };
  const worked = computeFigures({ ...pay, terms }, rates);
  if (!decimal(worked.gross).gt(0)) return 'nothing_earned';
  if (decimal(worked.net).lt(0)) return 'net_below_zero';
  return { employeeId: candidate.id, year, month, status: 'D', departmentId: pay.departmentId, terms, ...worked };
}
