/**
 * Writes the file of model 369 for the tax agency, Union scheme (design DR369e21): services, goods and corrections on pages of their
 * own, each with places for 28 rows, which are blank if there are fewer. Payment is stated at the agency.
 */
import { type Decimal, decimal } from '../../money.ts';
import { type Design, taggedFile, type Values, writeRecord } from './fixed-width.ts';
import type { Correction369, Declared369 } from './model369.ts';
import type { TaxPeriod } from './periods.ts';

export interface File369 {
  readonly period: TaxPeriod;
  readonly rows: readonly Declared369[];
  readonly corrections: readonly Correction369[];
  /** Amount to pay. */
  readonly result: Decimal;
  readonly company: { readonly name: string; readonly taxId: string };
}

const ROWS_OF_A_PAGE = 28;
const RESERVED = ' '.repeat(17);

const HEAD = {
  scheme: [1, 5, 'text'],
  category: [6, 1, 'text'],
  payment: [7, 1, 'text'],
  paid: [30, 17, 'marked'],
  further: [47, 1, 'text'],
  country: [48, 2, 'text'],
  taxId: [50, 15, 'text'],
  name: [65, 125, 'text'],
  year: [190, 4, 'digits'],
  quarterly: [194, 1, 'text'],
  quarter: [195, 2, 'digits'],
  inactive: [213, 1, 'digits'],
} as const satisfies Design;

const SALE = {
  country: [1, 2, 'text'],
  rate: [3, 5, 'cents'],
  rateKind: [8, 1, 'text'],
  base: [9, 17, 'marked'],
  amount: [26, 17, 'marked'],
} as const satisfies Design;

const CORRECTION = {
  country: [1, 2, 'text'],
  year: [3, 4, 'digits'],
  quarterly: [7, 1, 'text'],
  quarter: [8, 2, 'digits'],
  amount: [10, 17, 'marked'],
} as const satisfies Design;

/** Lengths of heads and rows, fixed by the design. */
const HEAD_LENGTH = 213;
const SALE_LENGTH = 42;
const CORRECTION_LENGTH = 26;

/** Writes the file. */
export function file369(given: File369): string {
  const { rows, corrections, period } = given;
  const sales = (goods: boolean) => rows.filter((row) => row.goods === goods).map(saleRow);
  const pages = [
    page('00', ' '.repeat(93)),
    ...fillPages('04', sales(false), SALE_LENGTH, (further) => head(given, further)),
    ...fillPages('05', sales(true), SALE_LENGTH, further),
    ...(corrections.length === 0 ? [] : fillPages('08', corrections.map(correctionRow), CORRECTION_LENGTH, further)),
    page('09', ' '.repeat(5786)),
  ];
  return taggedFile('369', period, pages.join(''));
}

/** The states' own codes, which are those of countries but for Greece. */
function stateCode(country: string): string {
  return country === 'GR' ? 'EL' : country;
}

function head({ period, rows, corrections, result, company }: File369, isFurther: boolean): string {
  const values: Values<typeof HEAD> = {
    scheme: 'MOSS',
    category: 'D',
    // O: declared without payment, N: nothing to pay.
    payment: decimal(result).gt(0) ? 'O' : 'N',
    paid: 0,
    further: further(isFurther),
    country: 'ES',
    taxId: company.taxId,
    name: company.name,
    year: period.year,
    quarterly: 'T',
    quarter: quarter(period),
    inactive: rows.length + corrections.length === 0 ? 1 : 0,
  };
  return writeRecord(HEAD, HEAD_LENGTH, values);
}

/** Marks pages that continue one. */
function further(isFurther: boolean): string {
  return isFurther ? 'C' : ' ';
}

function saleRow({ country, rate, rateKind, base, amount }: Declared369): string {
  const kind = rateKind === 'standard' ? 'S' : 'R';
  return writeRecord(SALE, SALE_LENGTH, { country: stateCode(country), rate, rateKind: kind, base, amount });
}

function correctionRow({ country, amount, ...period }: Correction369): string {
  const corrected = { year: period.year, quarterly: 'T', quarter: quarter(period) };
  return writeRecord(CORRECTION, CORRECTION_LENGTH, { country: stateCode(country), ...corrected, amount });
}

function quarter({ period }: Pick<TaxPeriod, 'period'>): number {
  return Number(period[0]);
}

/** Divides rows over pages; there is one even without rows. */
function fillPages(
  number: string,
  rows: readonly string[],
  width: number,
  begin: (further: boolean) => string,
): string[] {
  const count = Math.max(1, Math.ceil(rows.length / ROWS_OF_A_PAGE));
  return Array.from({ length: count }, (_, index) => {
    const own = rows.slice(index * ROWS_OF_A_PAGE, (index + 1) * ROWS_OF_A_PAGE).join('');
    return page(number, begin(index > 0) + own.padEnd(ROWS_OF_A_PAGE * width) + RESERVED);
  });
}

function page(number: string, content: string): string {
  return `<T369${number}>${content}</T369${number}>`;
}
