/** What payrolls are made of, as they are kept. */
import type { Decimal } from '../money.ts';
import type { Bases } from './contributions.ts';

/** Draft, open (posted), cancelled. */
export const PAYROLL_STATUSES = ['D', 'O', 'X'] as const;

export type PayrollStatus = (typeof PAYROLL_STATUSES)[number];

/** What is earned, in money and in kind. */
export const EARNED_KINDS = ['earning', 'overtime', 'force_majeure', 'extra_pay', 'in_kind'] as const;

/** What a line is: earned in money or in kind, or taken from the pay. */
export const LINE_KINDS = [...EARNED_KINDS, 'deduction'] as const;

export type LineKind = (typeof LINE_KINDS)[number];

/** The most that one line, pay item or salary can be: what they sum up to must fit into an entry. */
export const MOST_PAY = 1_000_000_000;

export interface PayrollLine {
  readonly description: string;
  readonly kind: LineKind;
  readonly amount: Decimal;
}

export type PayrollBases = Bases & { readonly irpf: Decimal };

/** The employee and the contract as they were when the payroll was worked out. */
export interface PayrollTerms {
  readonly employeeCode: string;
  readonly employeeName: string;
  readonly nif: string | null;
  readonly socialSecurityNumber: string | null;
  readonly iban: string | null;
  readonly hireDate: string;
  readonly position: string | null;
  readonly contractType: 'indefinite' | 'temporary' | 'training';
  /** A week. */
  readonly workingHours: Decimal;
  readonly grossAnnualSalary: Decimal;
  readonly payments: 12 | 14;
  readonly contributionGroup: number;
  readonly accidentRate: Decimal;
  /** The extra pays of a year, whose contributions are spread over its months. */
  readonly yearlyExtras: Decimal;
  /** The first and last day under contract in the month. */
  readonly from: string;
  readonly to: string;
}
