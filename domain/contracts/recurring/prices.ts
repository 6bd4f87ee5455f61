/** Prices of recurring documents: raised at certain times, and charged for a part of a period. */
import { type Decimal, decimal, type Exact, round, toNumber } from '../../money.ts';

/** fixed: as agreed; current: those of the day, from price lists and items. */
export const PRICE_RULES = ['fixed', 'current'] as const;
export type PriceRule = (typeof PRICE_RULES)[number];

/** A rise or fall of fixed prices: by so many percent every so many months, counted from the first day. */
export interface PriceIndex {
  readonly percent: Decimal;
  readonly months: number;
}

const PRICE_PLACES = 6;

/** The factor by which prices have risen on a day: compounded once for each full span of months. */
export function indexFactor({ percent, months }: PriceIndex, startsOn: string, on: string): Exact {
  const times = Math.floor(fullMonths(startsOn, on) / months);
  return decimal(1).plus(decimal(percent).div(100)).pow(Math.max(0, times));
}

/** The number of full months between two days. The last day of a short month completes one that began later in a month. */
function fullMonths(from: string, to: string): number {
  const part = (day: string, begin: number, end: number) => Number(day.slice(begin, end));
  const months = (part(to, 0, 4) - part(from, 0, 4)) * 12 + part(to, 5, 7) - part(from, 5, 7);
  const last = new Date(Date.UTC(part(to, 0, 4), part(to, 5, 7), 0)).getUTCDate();
  return part(to, 8, 10) >= Math.min(part(from, 8, 10), last) ? months : months - 1;
}

/** The price of a line, with or without tax. */
export interface LinePrice {
  readonly price?: number;
  readonly priceWithTax?: number;
}

/** Multiplies the price of a line, rounded to six decimals. */
export function scaled<Line extends LinePrice>(line: Line, factor: Exact): Line {
  if (factor.eq(1)) return line;
  const times = (price: number) => toNumber(round(decimal(price).times(factor), PRICE_PLACES));
  return {
    ...line,
    ...(line.price === undefined ? {} : { price: times(line.price) }),
    ...(line.priceWithTax === undefined ? {} : { priceWithTax: times(line.priceWithTax) }),
  };
}

/** Amounts of a whole document, which rise and are charged for a part of a period like its prices. */
export interface DocumentAmounts {
  readonly discountAmount?: number;
  readonly chargeAmount?: number;
}

/** Multiplies the discount and the charge of a document. @param places decimals of its currency */
export function scaledAmounts(document: DocumentAmounts, factor: Exact, places: number): DocumentAmounts {
  if (factor.eq(1)) return {};
  const times = (amount: number) => toNumber(round(decimal(amount).times(factor), places));
  const { discountAmount, chargeAmount } = document;
  return {
    ...(discountAmount === undefined ? {} : { discountAmount: times(discountAmount) }),
    ...(chargeAmount === undefined ? {} : { chargeAmount: times(chargeAmount) }),
  };
}
