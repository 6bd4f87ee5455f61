/**
 * The legal sections of a payslip (Orden ESS/2098/2014): contributions with their bases, and the calculation of the
 * bases.
 */
import { type Decimal, decimal, round, sum } from '../../money.ts';
import { type Contributions, extrasShare } from './contributions.ts';
import type { PayrollRates, Shares } from './rates.ts';
import type { PayrollBases, PayrollLine, PayrollTerms } from './types.ts';

/** A contribution as shown on the payslip. */
export interface ContributionRow {
  readonly name: Exclude<keyof Contributions, 'total'>;
  /** Null if it has several bases, or none. */
  readonly base: Decimal | null;
  readonly rate: Decimal | null;
  readonly amount: Decimal;
}

/** The stored data of a payroll. */
export interface Kept {
  readonly days: Decimal;
  readonly terms: PayrollTerms;
  readonly lines: readonly PayrollLine[];
  readonly bases: PayrollBases;
  readonly employeeContributions: Contributions;
  readonly employerContributions: Contributions;
}

/** Components of the bases. */
export interface BaseParts {
  /** Pay of the month in money and in kind, without overtime and extra pays. */
  readonly monthly: Decimal;
  /** The month's share of the yearly extra pays. */
  readonly extras: Decimal;
  readonly overtime: Decimal;
}

const ON_COMMON_BASE = new Set(['common', 'mei']);
const NAMES = ['common', 'mei', 'unemployment', 'training', 'accidents', 'fogasa', 'overtime', 'solidarity'] as const;

/** Lists the contributions that one side pays, in the order of the form. */
export function contributionRows(kept: Kept, side: keyof Shares, rates: PayrollRates): ContributionRow[] {
  const amounts = side === 'employee' ? kept.employeeContributions : kept.employerContributions;
  return NAMES.filter((name) => !decimal(amounts[name]).eq(0)).map((name) => ({
    name,
    base: contributionBase(name, kept),
    rate: contributionRate(name, side, kept.terms, rates),
    amount: amounts[name],
  }));
}

/** Computes the pay on which bases depend, before limits. */
export function baseParts({ days, terms, lines }: Kept): BaseParts {
  return {
    monthly: sumLines(lines, 'earning', 'in_kind'),
    extras: round(extrasShare(days, terms.yearlyExtras, terms.contributionGroup), 2),
    overtime: sumLines(lines, 'overtime', 'force_majeure'),
  };
}

/** Sums the lines of some kinds. */
export function sumLines(lines: readonly PayrollLine[], ...kinds: PayrollLine['kind'][]): Decimal {
  return sum(lines.filter(({ kind }) => kinds.includes(kind)).map(({ amount }) => amount)).toFixed();
}

function contributionBase(name: ContributionRow['name'], { bases, lines }: Kept): Decimal | null {
  if (name === 'solidarity') return null;
  if (name === 'overtime') return sumLines(lines, 'overtime', 'force_majeure');
  return ON_COMMON_BASE.has(name) ? bases.common : bases.professional;
}

/** Finds the percentage; null for overtime and solidarity, which have several. */
function contributionRate(
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
