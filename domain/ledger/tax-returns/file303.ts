/**
 * Writes the file of model 303 for the tax agency: fixed-width records (design DR303e26, for periods from February or
 * the second quarter of 2026 on). Amounts have 15 digits and 2 decimals, without a point; negative ones begin with N.
 */
import { decimal } from '../../money.ts';
import type { BoxValues } from './boxes.ts';
import { taggedFile, writeMarked, writeText } from './fixed-width.ts';
import { PERCENTS_303 } from './model303.ts';
import { isLast, periodSpan, type TaxPeriod } from './periods.ts';
import { RECEIPT_DIGITS, RECTIFICATION_REASONS, type Rectification } from './rectifying.ts';

export interface File303 {
  readonly period: TaxPeriod;
  readonly boxes: BoxValues;
  readonly type: 'I' | 'C' | 'D' | 'N';
  readonly company: { readonly name: string; readonly taxId: string };
  /** Whether the company is in the register of monthly refunds. */
  readonly monthlyRefunds: boolean;
  /** null if the return is the first one of its period. */
  readonly rectification: Rectification | null;
  /** The Spanish IBAN to which is refunded; null if nothing is (`needsAccount`). */
  readonly account: string | null;
}

/** First day of the first quarter, and of the first month, that use the design. */
const SINCE = { quarter: '2026-04-01', month: '2026-02-01' } as const;

/** Whether a period uses the design. */
export function hasFile303(period: TaxPeriod): boolean {
  return periodSpan(period).from >= (isQuarter(period) ? SINCE.quarter : SINCE.month);
}

const FIRST_PAGE = [
  ...['150 151 152 165 166 167 01 02 03 153 154 155 04 05 06 07 08 09 10 11 12 13 14 15'],
  ...['156 157 158 168 169 170 16 17 18 19 20 21 22 23 24 25 26 27'],
  ...['28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46'],
].flatMap((boxes) => boxes.split(' '));

const THIRD_PAGE = '59 60 120 122 123 124 62 63 74 75 76 64 65 66 77 110 78 87 68 108 69 70 109 112 71'.split(' ');

/** Lengths of pages, fixed by the design. */
export const PAGE_LENGTHS = { '01000': 1581, '03000': 1017, DID00: 823 } as const;

/** Whether something is refunded: the result, or what was paid unduly (box 111). */
export function needsAccount(type: File303['type'], boxes: BoxValues): boolean {
  return type === 'D' || !decimal(boxes['111'] ?? '0').eq(0);
}

/** Builds the file in ISO-8859-1 characters. The page of the bank account (DID00) is only for refunds. */
export function file303(given: File303): string {
  const pages = [page('01000', firstPage(given)), page('03000', thirdPage(given))];
  const accounts = given.account === null ? [] : [page('DID00', accountPage(given.account))];
  return taggedFile('303', given.period, [...pages, ...accounts].join(''));
}

/** BIC (Spanish accounts need none), IBAN, name and address of the bank and its country, and the mark of a Spanish account. */
function accountPage(iban: string): string {
  return [' '.repeat(11), iban.padEnd(34), ' '.repeat(70 + 35 + 30 + 2), '1'].join('');
}

/** Builds a page, padding its contents with blanks. */
function page(number: keyof typeof PAGE_LENGTHS, content: string): string {
  const end = `</T303${number}>`;
  return `<T303${number}>${content}`.padEnd(PAGE_LENGTHS[number] - end.length) + end;
}

function firstPage({ period, boxes, type, company, monthlyRefunds }: File303): string {
  const identity = [
    ' ',
    type,
    writeText(company.taxId, 9),
    writeText(company.name, 80),
    String(period.year),
    period.period,
  ];
  return [...identity, ...answers(period, monthlyRefunds), ...FIRST_PAGE.map((box) => field(box, boxes))].join('');
}

/**
 * Answers the form's questions: foral taxation only, monthly refunds (1 or 2), simplified scheme (3: no), joint return,
 * cash scheme, buyer from it, option for the special pro rata and its end, insolvency with its date and kind, voluntary
 * SII, without model 390, with operations, fuels. 2 and 0 mean no.
 */
function answers(period: TaxPeriod, monthlyRefunds: boolean): string[] {
  const withoutAnnual = isLast(period) ? '2' : '0';
  const fuels = isQuarter(period) ? '0' : '2';
  return [
    '2',
    monthlyRefunds ? '1' : '2',
    '3',
    '2',
    '2',
    '2',
    '2',
    '2',
    '2',
    ' '.repeat(8),
    ' ',
    '2',
    withoutAnnual,
    '0',
    fuels,
  ];
}

/** Ends with the marks of a rectifying return: its receipt number, no change of a direct debit, the refund, and the reason. */
function thirdPage({ boxes, type, rectification }: File303): string {
  const nothing = type === 'N' && ['27', '45'].every((box) => decimal(boxes[box] ?? '0').eq(0));
  const mark = (is: boolean) => (is ? 'X' : ' ');
  const { receiptNumber = '', reason = null } = rectification ?? {};
  const reasons = RECTIFICATION_REASONS.map((each) => mark(reason === each));
  const number = receiptNumber.padEnd(RECEIPT_DIGITS);
  const rectifies = [mark(rectification !== null), number, ' ', field('111', boxes), ...reasons];
  return [...THIRD_PAGE.map((box) => field(box, boxes)), mark(nothing), ...rectifies].join('');
}

function field(box: string, boxes: BoxValues): string {
  const value = boxes[box] ?? '0';
  return PERCENTS_303.has(box) ? writeMarked(value, 5) : writeMarked(value, 17);
}

function isQuarter({ period }: TaxPeriod): boolean {
  return period.endsWith('T');
}
