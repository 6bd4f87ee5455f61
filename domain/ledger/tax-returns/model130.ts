/**
 * Computes model 130, the income tax instalment of sole traders by direct assessment (RIRPF, art. 110), from 1 January
 * to the end of the quarter.
 */
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';

/** Income, expense and withholdings from 1 January to the end of a quarter. */
export interface YearToDate {
  readonly income: Decimal;
  readonly expense: Decimal;
  /** Tax withheld by customers. */
  readonly withheld: Decimal;
}

type Result = Pick<YearToDate, 'income' | 'expense'>;

export interface Settings130 {
  /** Whether the simplified assessment applies, with a flat deduction for expenses hard to prove. */
  readonly simplified: boolean;
  /** Net income of the year before; null if unknown, which reduces nothing. */
  readonly priorYearNetIncome: Decimal | null;
  readonly homeLoan: boolean;
}

export interface Return130 {
  readonly boxes: BoxValues;
  /** I: to pay, B: to deduct in later quarters of the year, N: nothing. */
  readonly type: 'I' | 'B' | 'N';
  /** Box 19. */
  readonly result: Decimal;
}

/** Expenses hard to prove: percentage of the net income, up to a yearly limit; 7 % in 2023 only. */
const HARD_TO_PROVE = { rate: (year: number) => (year === 2023 ? '0.07' : '0.05'), most: '2000' } as const;
const RATE = '0.2';
const FARM_RATE = '0.02';
/** Home loans: 2 % of the net income, up to a quarterly limit. */
const HOME_LOAN = { rate: '0.02', most: '660.14' } as const;

/** Quarterly reductions of the tax, by the previous year's net income (art. 110.3.c). */
const REDUCTIONS = [
  ['9000', '100'],
  ['10000', '75'],
  ['11000', '50'],
  ['12000', '25'],
] as const satisfies readonly (readonly [Decimal, Decimal])[];

const STATED = ['06', '08', '10', '16', '18'];
const FOUND = ['01', '02', '05', '13', '15'];
const DERIVED = ['03', '04', '07', '09', '11', '12', '14', '17', '19'];
export const BOXES_130 = [...FOUND, ...STATED, ...DERIVED].sort();
export const STATABLE_130: ReadonlySet<string> = new Set([...FOUND, ...STATED]);

/**
 * Computes the return of a quarter.
 * @param quarter 1 to 4
 * @param earlier returns of the year's earlier quarters, in order
 */
export function model130(
  { year, quarter }: { readonly year: number; readonly quarter: number },
  found: YearToDate,
  settings: Settings130,
  earlier: readonly Pick<Return130, 'boxes'>[],
  overrides: Overrides = {},
): Return130 {
  const boxes = new Boxes();
  const earlierBoxes = (box: string) => earlier.map(({ boxes: values }) => decimal(values[box] ?? '0'));
  boxes.set('01', found.income);
  boxes.set('02', deductible(year, found, settings));
  boxes.set('05', sum(earlierBoxes('07').map(positive)).minus(sum(earlierBoxes('16'))));
  boxes.set('06', found.withheld);
  boxes.set('13', reduction(settings.priorYearNetIncome));
  const { '15': applied, '16': homeLoan, ...stated } = overrides;
  boxes.override(stated);
  boxes.roundToCents();
  boxes.set('03', boxes.get('01').minus(boxes.get('02')));
  boxes.set('04', round(positive(boxes.get('03')).times(RATE), 2));
  boxes.set('07', boxes.get('04').minus(boxes.get('05')).minus(boxes.get('06')));
  boxes.set('09', round(boxes.get('08').times(FARM_RATE), 2));
  boxes.set('11', boxes.get('09').minus(boxes.get('10')));
  boxes.set('12', positive(boxes.sum(['07', '11'])));
  boxes.set('14', boxes.get('12').minus(boxes.get('13')));
  // Negative results of earlier quarters that no later quarter has deducted yet.
  const open = sum(earlierBoxes('19').map((result) => positive(result.neg()))).minus(sum(earlierBoxes('15')));
  boxes.set('15', applied ?? least(open, positive(boxes.get('14'))));
  const rest = positive(boxes.get('14').minus(boxes.get('15')));
  boxes.set('16', homeLoan ?? (settings.homeLoan ? least(homeLoanDeduction(boxes.get('03')), rest) : 0));
  boxes.set('17', boxes.get('14').minus(boxes.get('15')).minus(boxes.get('16')));
  boxes.set('19', boxes.get('17').minus(boxes.get('18')));
  const result = boxes.get('19');
  const type = result.gt(0) ? 'I' : result.lt(0) && quarter < 4 ? 'B' : 'N';
  return { boxes: boxes.values(BOXES_130), type, result: result.toFixed() };
}

/** The net income of a whole year: box 03 of its last quarter. */
export function netIncome(year: number, found: Result, settings: Pick<Settings130, 'simplified'>): Decimal {
  return decimal(found.income)
    .minus(deductible(year, found, settings))
    .toFixed();
}

function deductible(year: number, found: Result, { simplified }: Pick<Settings130, 'simplified'>): Decimal {
  return sum([found.expense, simplified ? hardToProve(year, found) : '0']).toFixed();
}

function hardToProve(year: number, { income, expense }: Result): Decimal {
  const share = positive(decimal(income).minus(expense)).times(HARD_TO_PROVE.rate(year));
  return round(least(share, decimal(HARD_TO_PROVE.most)), 2);
}

function reduction(net: Decimal | null): Decimal {
  if (net === null) return '0';
  return REDUCTIONS.find(([most]) => decimal(net).lte(most))?.[1] ?? '0';
}

function homeLoanDeduction(net: Exact): Exact {
  return least(decimal(round(positive(net).times(HOME_LOAN.rate), 2)), decimal(HOME_LOAN.most));
}

function positive(value: Exact): Exact {
  return value.lt(0) ? decimal(0) : value;
}

function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b;
}
