/** The legal sections of a payslip (Orden ESS/2098/2014): what is contributed of which base, and how the bases come about. */
import { type Decimal, decimal, round, sum } from '../money.ts';
import { type Contributions, extrasOf } from './contributions.ts';
import type { PayrollRates, Shares } from './rates.ts';
import type { PayrollBases, PayrollLine, PayrollTerms } from './types.ts';

/** A contribution as the payslip has it. */
export interface ContributionRow {
  readonly name: Exclude<keyof Contributions, 'total'>;
  /** Null where it has several, or none. */
  readonly base: Decimal | null;
  readonly rate: Decimal | null;
  readonly amount: Decimal;
}

/** What a payroll is kept as. */
export interface Kept {
  readonly days: number;
  readonly terms: PayrollTerms;
  readonly lines: readonly PayrollLine[];
  readonly bases: PayrollBases;
  readonly employeeContributions: Contributions;
  readonly employerContributions: Contributions;
}

/** How the bases come about. */
export interface BaseParts {
  /** Pay of the month in money and in kind, without overtime and extra pays. */
  readonly monthly: Decimal;
  /** The month's share of the extra pays of a year. */
  readonly extras: Decimal;
  readonly overtime: Decimal;
}

const OF_COMMON = new Set(['common', 'mei']);
const NAMES = ['common', 'mei', 'unemployment', 'training', 'accidents', 'fogasa', 'overtime', 'solidarity'] as const;

/** What one side contributes: those that it pays, in the order of the form. */
export function contributionRows(kept: Kept, side: keyof Shares, rates: PayrollRates): ContributionRow[] {
  const amounts = side === 'employee' ? kept.employeeContributions : kept.employerContributions;
  return NAMES.filter((name) => !decimal(amounts[name]).eq(0)).map((name) => ({
    name,
    base: baseOf(name, kept),
    rate: rateOf(name, side, kept.terms, rates),
    amount: amounts[name],
  }));
}

/** The pay that bases are made of, before their limits. */
export function baseParts({ days, terms, lines }: Kept): BaseParts {
  return {
    monthly: totalOf(lines, 'earning', 'in_kind'),
    extras: round(extrasOf(days, terms.yearlyExtras, terms.contributionGroup), 2),
    overtime: totalOf(lines, 'overtime', 'force_majeure'),
  };
}

/** The sum of the lines of some kinds. */
export function totalOf(lines: readonly PayrollLine[], ...kinds: PayrollLine['kind'][]): Decimal {
  return sum(lines.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount)).toFixed();
}

function baseOf(name: ContributionRow['name'], { bases, lines }: Kept): Decimal | null {
  if (name === 'solidarity') return null;
  if (name === 'overtime') return totalOf(lines, 'overtime', 'force_majeure');
  return OF_COMMON.has(name) ? bases.common : bases.professional;
}

/** Overtime and the solidarity contribution have several percentages. */
function rateOf(
  name: ContributionRow['name'],
  side: keyof Shares,
  { contractType, accidentRate }: PayrollTerms,
  rates: PayrollRates,
): Decimal | null {
  switch (name) {
    case 'accidents':
      return accidentRate;
    case 'unemployment':
      return rates.unemployment[contractType === 'temporary' ? 'temporary' : 'indefinite'][side];
    case 'overtime':
    case 'solidarity':
      return null;
    default:
      return rates[name][side];
  }
}
