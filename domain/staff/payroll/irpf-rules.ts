/**
 * Yearly rules of income tax on wages (RIRPF, art. 80 to 87; the agency's algorithm for the year): amounts and
 * percentages. A new year is a new entry, which reuses unchanged values.
 */
import type { Decimal } from '../../money.ts';

/** Income up to a limit; `null` for none. */
interface Step {
  readonly upTo: Decimal | null;
}

/** Reduces the amount by `rate` of the income above `above`. */
interface ReductionStep {
  readonly upTo: Decimal;
  readonly amount: Decimal;
  readonly above: Decimal;
  readonly rate: Decimal;
}

/** 1: alone with children; 2: married, with a spouse of low income; 3: all others. */
export const FAMILY_SITUATIONS = [1, 2, 3] as const;

export type FamilySituation = (typeof FAMILY_SITUATIONS)[number];

/** Degrees of disability, in percent, from which the tax is less. */
export const DISABILITIES = [0, 33, 65] as const;
export type Disability = (typeof DISABILITIES)[number];

/**
 * The rule by which tax is withheld: the general one, also with the minimum of special employment relations (RIRPF, art. 86.2), or a fixed
 * percentage (art. 80.1): administrators, those of companies with a turnover below 100,000, authors and speakers.
 */
export const WITHHOLDINGS = ['ordinary', 'special_relation', 'administrator', 'small_administrator', 'author'] as const;
export type Withholding = (typeof WITHHOLDINGS)[number];

/**
 * Subkeys of model 190 by which pay under each rule can be declared. Administrators: 01 and 02 with social security like employees, 03 and
 * 04 without; authors: 02 of courses and lectures, 03 of works.
 */
export const PAY_SUBKEYS = {
  ordinary: [],
  special_relation: [],
  administrator: ['01', '04'],
  small_administrator: ['02', '03'],
  author: ['02', '03'],
} as const satisfies Readonly<Record<Withholding, readonly string[]>>;
export type PaySubkey = (typeof PAY_SUBKEYS)[Withholding][number];

export interface IrpfRules {
  readonly year: number;
  /** Expenses that apply to everyone (LIRPF, art. 19.2.f). */
  readonly expenses: Decimal;
  /** Further expenses of those who moved house for the work (LIRPF, art. 19.2.f; RIRPF, art. 11). */
  readonly expensesOfMoving: Decimal;
  /** Further expenses of workers with a disability; `helped` if they need help, and from 65 % on (LIRPF, art. 19.2.f). */
  readonly disabledWorker: { readonly from33: Decimal; readonly helped: Decimal };
  /** Reductions for low income (LIRPF, art. 20); none above the last step. */
  readonly reduction: readonly ReductionStep[];
  /** Applies above `children` children (RIRPF, art. 83.3.d). */
  readonly manyChildren: { readonly children: number; readonly amount: Decimal };
  /** Percentages for the parts of a base (RIRPF, art. 85). */
  readonly scale: readonly (Step & { readonly rate: Decimal })[];
  readonly minimum: {
    readonly personal: Decimal;
    /** Added from an age on, to lower ages; for ascendants too, the first also if they are disabled (LIRPF, art. 57 and 59). */
    readonly ages: readonly { readonly over: number; readonly amount: Decimal }[];
    /** Amounts for the first child, the second and so on; the last one applies to all further children. */
    readonly children: readonly [Decimal, ...Decimal[]];
    readonly underThree: Decimal;
    /** Added for a disabled person; `help` is added if they need it, and from 65 % on (LIRPF, art. 60). */
    readonly disability: { readonly from33: Decimal; readonly from65: Decimal; readonly help: Decimal };
  };
  /** Pay below which nothing is withheld (art. 81), by situation: without children, with one, with more. */
  readonly exempt: Readonly<Record<FamilySituation, readonly [Decimal, Decimal, Decimal]>>;
  /** Up to this pay, the tax is at most a percentage of the amount above the exempt pay (art. 85.3). */
  readonly cap: { readonly upTo: Decimal; readonly rate: Decimal };
  /** Minimum percentage for contracts shorter than a year (art. 86.2). */
  readonly leastOfShort: Decimal;
  /** Minimum percentage of special employment relations (art. 86.2). */
  readonly leastOfSpecial: Decimal;
  /** Fixed percentages (art. 80.1). */
  readonly fixed: Readonly<Partial<Record<Withholding, Decimal>>>;
  /** Percentage that is withheld of what it would be elsewhere (art. 80.2, 86.2). */
  readonly ofCeutaAndMelilla: Decimal;
  /** Maximum percentage after a regularisation (art. 87.5). */
  readonly most: Decimal;
}

const SINCE_2025 = {
  expenses: '2000',
  expensesOfMoving: '2000',
  disabledWorker: { from33: '3500', helped: '7750' },
  reduction: [
    { upTo: '14852', amount: '7302', above: '14852', rate: '0' },
    { upTo: '17673.52', amount: '7302', above: '14852', rate: '1.75' },
    { upTo: '19747.50', amount: '2364.34', above: '17673.52', rate: '1.14' },
  ],
  manyChildren: { children: 2, amount: '600' },
  scale: [
    { upTo: '12450', rate: '19' },
    { upTo: '20200', rate: '24' },
    { upTo: '35200', rate: '30' },
    { upTo: '60000', rate: '37' },
    { upTo: '300000', rate: '45' },
    { upTo: null, rate: '47' },
  ],
  minimum: {
    personal: '5550',
    ages: [
      { over: 65, amount: '1150' },
      { over: 75, amount: '1400' },
    ],
    children: ['2400', '2700', '4000', '4500'],
    underThree: '2800',
    disability: { from33: '3000', from65: '9000', help: '3000' },
  },
  exempt: {
    // Situation 1 requires a child, so the first amount is never used.
    1: ['15876', '17644', '18694'],
    2: ['17197', '18130', '19262'],
    3: ['15876', '16342', '16867'],
  },
  cap: { upTo: '35200', rate: '43' },
  leastOfShort: '2',
  leastOfSpecial: '15',
  fixed: { administrator: '35', small_administrator: '19', author: '15' },
  ofCeutaAndMelilla: '40',
  most: '47',
} as const satisfies Omit<IrpfRules, 'year'>;

const RULES: readonly IrpfRules[] = [
  { ...SINCE_2025, year: 2025 },
  { ...SINCE_2025, year: 2026 },
];

/** Finds the rules of a year, or null if unknown. */
export function findIrpfRules(year: number): IrpfRules | null {
  return RULES.find((rules) => rules.year === year) ?? null;
}
