/** Stored data of payrolls. */
import type { Decimal } from '../../money.ts';
import type { Bases } from './contributions.ts';

/** Draft, open (posted), cancelled. */
export const PAYROLL_STATUSES = ['D', 'O', 'X'] as const;

export type PayrollStatus = (typeof PAYROLL_STATUSES)[number];

/** Kinds of earnings, in money and in kind. */
export const EARNED_KINDS = ['earning', 'overtime', 'force_majeure', 'extra_pay', 'in_kind'] as const;

/**
 * Kinds that are paid without contributions and income tax: expenses of the employee that the company pays back, and severance, both up to
 * what the law leaves free (LGSS art. 147.2, LIRPF art. 7.e and RIRPF art. 9). What is above is an earning.
 */
export const FREE_KINDS = ['expenses', 'severance'] as const;

/** Kinds of lines: earnings, what is paid besides, and deductions. */
export const LINE_KINDS = [...EARNED_KINDS, ...FREE_KINDS, 'deduction'] as const;

export type LineKind = (typeof LINE_KINDS)[number];

/** Maximum of one line, pay item or salary: their sum must fit into an entry. */
export const MAX_PAY = 1_000_000_000;

export interface PayrollLine {
  readonly description: string;
  readonly kind: LineKind;
  readonly amount: Decimal;
}

export type PayrollBases = Bases & { readonly irpf: Decimal };

/** The employee and the contract as of the computation. */
export interface PayrollTerms {
  readonly employeeCode: string;
  readonly employeeName: string;
  readonly nif: string | null;
  readonly socialSecurityNumber: string | null;
  readonly iban: string | null;
  readonly hireDate: string;
  readonly position: string | null;
  readonly contractType: 'indefinite' | 'temporary' | 'training';
  /** Hours per week. */
  readonly workingHours: Decimal;
  readonly grossAnnualSalary: Decimal;
  readonly payments: 12 | 14;
  readonly contributionGroup: number;
  readonly accidentRate: Decimal;
  /** Extra pays of a year, whose contributions are spread over its months. */
  readonly yearlyExtras: Decimal;
  /** First and last day under contract in the month. */
  readonly from: string;
  readonly to: string;
}
