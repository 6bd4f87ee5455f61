/** Works payrolls out: rows as they are kept, from what employees agreed and did. */
import type { Payroll } from '../../db/models/people.ts';
import { decimal } from '../../domain/money.ts';
import { figuresOf, type LineNames, type MonthPay, monthPay, type Skipped } from '../../domain/payroll/month.ts';
import type { PayrollRates } from '../../domain/payroll/rates.ts';
import type { PayrollTerms } from '../../domain/payroll/types.ts';
import type { Candidate } from './candidates.ts';
import type { Month } from './month.ts';

/** What is written of a payroll. */
export type PayrollFigures = Pick<
  Payroll,
  | 'lines'
  | 'days'
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

/** Why there is no draft; `nothing_earned`: the gross is nothing, `net_below_zero`: more is taken than earned. */
export type Reason = Skipped | 'nothing_earned' | 'net_below_zero';

/** The figures of lines and of what was kept with them. Those below zero are the caller's to refuse. */
export function figures(
  of: Pick<MonthPay, 'days' | 'lines' | 'irpfRate' | 'terms'>,
  rates: PayrollRates,
): PayrollFigures {
  const { gross, bases, employeeContributions, employerContributions, irpf, deductions, net } = figuresOf(of, rates);
  return {
    lines: of.lines,
    days: of.days,
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

/** The draft of an employee's month, or why there is none. */
export function draftOf(
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
  const worked = figures({ ...pay, terms }, rates);
  if (!decimal(worked.gross).gt(0)) return 'nothing_earned';
  if (decimal(worked.net).lt(0)) return 'net_below_zero';
  return { employeeId: candidate.id, year, month, status: 'D', departmentId: pay.departmentId, terms, ...worked };
}
