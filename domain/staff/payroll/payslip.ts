/** Computes the figures of a payslip (Orden ESS/2098/2014): earnings, deductions, and employer contributions. */
import { type Decimal, type DecimalInput, decimal, sum } from '../../money.ts';
import {
  type Bases,
  type Contributions,
  computeBases,
  computeContributions,
  type Employment,
  percent,
} from './contributions.ts';
import type { PayrollRates } from './rates.ts';
import { EARNED_KINDS, FREE_KINDS, type LineKind } from './types.ts';

/** A line. Only income tax is withheld from extra pays, since their contributions are spread over the year. */
export interface PayLine {
  readonly kind: LineKind;
  readonly amount: Decimal;
}

export interface PayslipInput extends Employment {
  readonly days: DecimalInput;
  readonly lines: readonly PayLine[];
  readonly yearlyExtras: Decimal;
  /** Income tax percentage to withhold. */
  readonly irpfRate: Decimal;
}

export interface Payslip {
  /** Total earnings, in money and in kind, without what is free of contributions and tax. */
  readonly gross: Decimal;
  readonly bases: Bases & { readonly irpf: Decimal };
  readonly employeeContributions: Contributions;
  readonly employerContributions: Contributions;
  readonly irpf: Decimal;
  /** Contributions, income tax, goods already received, advances and so on. */
  readonly deductions: Decimal;
  /** Gross and what is free of contributions and tax, less deductions; negative if these exceed it. */
  readonly net: Decimal;
}

/** Computes a payslip. All amounts are euros with two decimals. @throws RangeError for an unknown contribution group */
export function payslip(input: PayslipInput, rates: PayrollRates): Payslip {
  const total = (...kinds: PayLine['kind'][]) =>
    sum(input.lines.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount)).toFixed();
  const gross = total(...EARNED_KINDS);
  const pay = {
    days: input.days,
    ordinary: total('earning', 'in_kind'),
    overtime: total('overtime'),
    forceMajeure: total('force_majeure'),
    yearlyExtras: input.yearlyExtras,
  };
  const employee = computeContributions('employee', pay, input, rates);
  const irpf = percent(gross, input.irpfRate);
  const deductions = sum([employee.total, irpf, total('in_kind', 'deduction')]).toFixed();
  return {
    gross,
    bases: { ...computeBases(pay, input, rates), irpf: gross },
    employeeContributions: employee,
    employerContributions: computeContributions('employer', pay, input, rates),
    irpf,
    deductions,
    net: decimal(gross)
      .plus(total(...FREE_KINDS))
      .minus(deductions)
      .toFixed(),
  };
}
