/** Regularises deductions on investment goods as the pro rata changes, and when they are sold (LIVA, arts. 107 to 110; decision 0346). */
import { type Decimal, decimal, round } from '../../money.ts';
import { type EntryLine, entryLine, type LineTax } from './entries.ts';

/** Goods that cost less are no investment goods (LIVA, art. 108.Two.5), in EUR without tax. */
export const LEAST_VALUE = '3005.06';

/** A regularisation is left out if the percentages differ by no more (LIVA, art. 107.One). */
const TOLERANCE = 10;

export interface InvestmentGood {
  /** Year in which it was bought, which counts as the first. */
  readonly acquired: number;
  /** Number of years of regularisation: 10 of land and buildings, 5 of all others. */
  readonly years: 5 | 10;
  /** Tax borne on it that the pro rata applies to. */
  readonly tax: Decimal;
  /** Definitive percentage by which it was deducted. */
  readonly percent: Decimal;
}

/** The last year in which it is regularised. */
export function lastYear({ acquired, years }: InvestmentGood): number {
  return acquired + years - 1;
}

/** The yearly difference of deductions by a year's definitive percentage (LIVA, art. 109). @returns positive for additional deduction */
export function yearlyDifference(good: InvestmentGood, year: number, percent: Decimal, places: number): Decimal {
  const points = decimal(percent).minus(good.percent);
  if (year <= good.acquired || year > lastYear(good) || points.abs().lte(TOLERANCE)) return '0';
  return round(decimal(good.tax).times(points).times('0.01').div(good.years), places);
}

/**
 * The difference for the rest of the years when it is sold (LIVA, art. 110): a taxed sale deducts wholly, though no more than its own tax;
 * any other deducts nothing.
 * @param outputTax charged on the sale; null if it gives no right to deduct
 */
export function disposalDifference(
  good: InvestmentGood,
  year: number,
  outputTax: Decimal | null,
  places: number,
): Decimal {
  const left = lastYear(good) - year + 1;
  const points = decimal(outputTax === null ? 0 : 100).minus(good.percent);
  const difference = decimal(good.tax).times(points).times('0.01').times(left).div(good.years);
  return round(outputTax !== null && difference.gt(outputTax) ? outputTax : difference.toFixed(), places);
}

/** The entry of a difference, which box 43 of model 303 declares. */
export function regularisationLines(
  difference: Decimal,
  { input, other }: { readonly input: string; readonly other: string },
): EntryLine[] {
  const none = { rectifying: false, groupId: null, rate: '0', base: '0', subject: '0' } as const;
  const tax: LineTax = { kind: 'input', operation: 'domestic', use: 'investment', ...none, amount: difference };
  return [entryLine('debit', input, difference, { tax }), entryLine('credit', other, difference)];
}
