/**
 * Computes model 303, the VAT return of a month or quarter (Orden EHA/3786/2008, form design of 2025 and 2026), from
 * the ledger's taxes.
 */
import { type Decimal, type DecimalInput, decimal, type Exact, round } from '../../money.ts';
import { Boxes } from './boxes.ts';
import type { CreditInput, CreditReturn } from './credits.ts';
import { periodSpan, type TaxPeriod } from './periods.ts';
import { isImportInvoice, isProRata, isSelfAssessed, isUntaxedMargin, type TaxTotal } from './totals.ts';

/** Boxes of a line of the form: base, percentage and quota. */
export interface RateLine {
  readonly rates: readonly Decimal[];
  readonly base: string;
  readonly rate: string;
  readonly quota: string;
}

export const OUTPUT_RATES: readonly RateLine[] = [
  { rates: ['0'], base: '150', rate: '151', quota: '152' },
  { rates: ['2'], base: '165', rate: '166', quota: '167' },
  { rates: ['4'], base: '01', rate: '02', quota: '03' },
  { rates: ['5', '7.5'], base: '153', rate: '154', quota: '155' },
  { rates: ['10'], base: '04', rate: '05', quota: '06' },
  { rates: ['21'], base: '07', rate: '08', quota: '09' },
];

/** The 0.5 % surcharge has had boxes of its own since the last quarter of 2024. */
export const SURCHARGE_RATES: readonly RateLine[] = [
  { rates: ['1.75'], base: '156', rate: '157', quota: '158' },
  { rates: ['0.5', '0.26'], base: '168', rate: '169', quota: '170' },
  { rates: ['0', '0.62', '1'], base: '16', rate: '17', quota: '18' },
  { rates: ['1.4'], base: '19', rate: '20', quota: '21' },
  { rates: ['5.2'], base: '22', rate: '23', quota: '24' },
];

/** Boxes that contain percentages. */
export const PERCENTS_303: ReadonlySet<string> = new Set([
  ...[...OUTPUT_RATES, ...SURCHARGE_RATES].map(({ rate }) => rate),
  '65',
]);

const OUTPUT_QUOTAS = [...OUTPUT_RATES, ...SURCHARGE_RATES].map(({ quota }) => quota).concat('11', '13', '15', '26');
const INPUT_QUOTAS = ['29', '31', '33', '35', '37', '39', '41', '42', '43', '44'];

/** Boxes unknown to the ledger; zero unless a person states them. */
const STATED = ['58', '68', '70', '76', '108', '109', '111', '112', '124'];
const FOUND = [
  ...[...OUTPUT_RATES, ...SURCHARGE_RATES].flatMap(({ base, quota }) => [base, quota]),
  ...['10', '11', '12', '13', '14', '15', '25', '26'],
  ...['28', '29', '30', '31', '32', '33', '34', '35', '36', '37', '38', '39', '40', '41', '42', '43', '44'],
  ...['59', '60', '62', '63', '65', '74', '75', '77', '78', '110', '120', '122', '123'],
];
const DERIVED = [...OUTPUT_RATES, ...SURCHARGE_RATES]
  .map(({ rate }) => rate)
  .concat('27', '45', '46', '64', '66', '69', '71', '87');

/** All boxes, and those that a person may state, which excludes calculated ones. */
export const BOXES_303 = [...FOUND, ...STATED, ...DERIVED];
export const STATABLE_303: ReadonlySet<string> = new Set([...FOUND, ...STATED]);

export interface Input303 extends CreditInput {
  /** Percentage of the turnover taxed by the state: box 65. */
  readonly stateShare: Decimal;
}

/** Computes a return, of which what is carried over is box 110, what was paid before box 70, and the result box 71. */
export function model303(input: Input303): CreditReturn {
  const { period, totals, carried, refund, rectifies = false, stateShare, overrides = {} } = input;
  const boxes = new Boxes();
  setRates(boxes, period);
  const unmapped = totals.filter((total) => !enter303(boxes, total));
  boxes.set('65', stateShare);
  boxes.set('110', carried);
  const { '78': applied, ...stated } = overrides;
  boxes.override(stated);
  boxes.roundToCents();
  boxes.set('27', boxes.sum(OUTPUT_QUOTAS));
  boxes.set('45', boxes.sum(INPUT_QUOTAS));
  boxes.set('46', boxes.get('27').minus(boxes.get('45')));
  boxes.set('64', boxes.sum(['46', '58', '76']));
  boxes.set('66', round(boxes.get('64').times(boxes.get('65')).times('0.01'), 2));
  const due = boxes.sum(['66', '77', '68', '108']);
  boxes.set('78', applied ?? appliedCredit(boxes.get('110'), due, refund));
  boxes.set('87', boxes.get('110').minus(boxes.get('78')));
  boxes.set('69', due.minus(boxes.get('78')));
  boxes.set('71', boxes.sum(['69', '109']).minus(boxes.sum(['70', '112'])));
  const result = boxes.get('71');
  if (rectifies && overrides['111'] === undefined) boxes.set('111', undue(result, boxes.get('70')));
  // Undue payments are refunded in any period, and never compensated.
  const credit = result.abs().minus(rectifies ? boxes.get('111') : 0);
  const type = result.gt(0) ? 'I' : result.eq(0) ? 'N' : refund || credit.eq(0) ? 'D' : 'C';
  const left = boxes.get('87').plus(type === 'C' ? credit : 0);
  return { boxes: boxes.values(BOXES_303), type, result: result.toFixed(), left: left.toFixed(), unmapped };
}

/** The part of a negative result that was paid by earlier returns of the period (box 111). */
function undue(result: Exact, paid: Exact): DecimalInput {
  if (result.gte(0) || paid.lte(0)) return 0;
  return paid.lt(result.abs()) ? paid : result.abs();
}

/** The part of earlier credit to apply: at most the amount due, or all of it if the remainder is refunded. */
function appliedCredit(carried: Exact, due: Exact, refunded: boolean): DecimalInput {
  if (refunded) return carried;
  if (due.lte(0)) return 0;
  return due.lt(carried) ? due : carried;
}

/** Sets the percentages that the period's form prints. */
function setRates(boxes: Boxes, period: TaxPeriod): void {
  const { from, to } = periodSpan(period);
  const lastOf2024 = to > '2024-09-30' && from < '2025-01-01';
  for (const { rates, rate } of [...OUTPUT_RATES, ...SURCHARGE_RATES]) boxes.set(rate, rates[0] as Decimal);
  boxes.set('166', period.year >= 2026 ? 0 : 2);
  boxes.set('154', period.year >= 2026 ? 0 : lastOf2024 ? '7.5' : 5);
  boxes.set('169', lastOf2024 ? '0.26' : '0.5');
  boxes.set('17', lastOf2024 ? 1 : 0);
}

/** Whether the form has a box for a tax, or needs none. */
export function hasBox303(total: TaxTotal): boolean {
  return enter303(new Boxes(), total);
}

/** Adds a tax to its boxes. @returns false if the form has none for its rate */
export function enter303(boxes: Boxes, total: TaxTotal): boolean {
  switch (total.kind) {
    case 'output':
      return enterOutput(boxes, total);
    case 'surcharge':
      return enterSurcharge(boxes, total);
    case 'input':
      enterInput(boxes, total);
      return true;
    // Of the cash basis: what would have been due by the general rule (LIVA, art. 75), whenever it accrues.
    case 'pending_output':
      return put(boxes, ['62', total.base], ['63', total.amount]);
    case 'pending_input':
      return put(boxes, ['74', total.base], ['75', total.amount]);
    default:
      return true;
  }
}

/** Boxes of untaxed bases, net of rectifications. */
const INFORMATIVE: Partial<Record<TaxTotal['operation'], string>> = {
  intra_eu_goods: '59',
  intra_eu_services: '59',
  export: '60',
  services_abroad: '120',
  reverse_charge: '122',
  oss_goods: '123',
  oss_services: '123',
};

function enterOutput(boxes: Boxes, total: TaxTotal): boolean {
  const { operation, rectifying, base, amount } = total;
  if (operation === 'import') {
    boxes.add('77', amount);
    return true;
  }
  if (isSelfAssessed(total)) {
    const intraEu = operation === 'intra_eu_goods' || operation === 'intra_eu_services';
    const [baseBox, quotaBox] = rectifying ? ['14', '15'] : intraEu ? ['10', '11'] : ['12', '13'];
    return put(boxes, [baseBox as string, base], [quotaBox as string, amount]);
  }
  const informative = INFORMATIVE[operation];
  if (informative !== undefined) return put(boxes, [informative, base]);
  if (operation === 'exempt' || operation === 'not_subject' || isUntaxedMargin(total)) return true;
  if (rectifying) return put(boxes, ['14', base], ['15', amount]);
  const line = findRateLine(OUTPUT_RATES, total.rate);
  return line !== undefined && put(boxes, [line.base, base], [line.quota, amount]);
}

function enterSurcharge(boxes: Boxes, total: TaxTotal): boolean {
  const { rectifying, rate, base, amount } = total;
  if (rectifying) return put(boxes, ['25', base], ['26', amount]);
  const line = findRateLine(SURCHARGE_RATES, rate);
  return line !== undefined && put(boxes, [line.base, base], [line.quota, amount]);
}

/** Purchases that bear no tax, or none that is deducted (LIVA, art. 138.Dos). */
const NOT_DEDUCTED: readonly TaxTotal['operation'][] = ['exempt', 'not_subject', 'margin'];

function enterInput(boxes: Boxes, total: TaxTotal): void {
  const { operation, use, rectifying, base, amount } = total;
  if (isImportInvoice(total)) return;
  if (use === 'none' || NOT_DEDUCTED.includes(operation)) return;
  if (isProRata(total)) {
    boxes.add(use === 'investment' ? '43' : '44', amount);
    return;
  }
  if (operation === 'agricultural' && !rectifying) {
    boxes.add('42', amount);
    return;
  }
  const [baseBox, quotaBox] = rectifying ? ['40', '41'] : inputBoxes(operation, use === 'investment');
  boxes.add(baseBox as string, base);
  boxes.add(quotaBox as string, amount);
}

function inputBoxes(operation: TaxTotal['operation'], investment: boolean): readonly [string, string] {
  switch (operation) {
    case 'import':
      return investment ? ['34', '35'] : ['32', '33'];
    case 'intra_eu_goods':
    case 'intra_eu_services':
      return investment ? ['38', '39'] : ['36', '37'];
    default:
      return investment ? ['30', '31'] : ['28', '29'];
  }
}

/** Finds the form's line for a rate. */
export function findRateLine(lines: readonly RateLine[], rate: Decimal): RateLine | undefined {
  return lines.find(({ rates }) => rates.some((known) => decimal(known).eq(rate)));
}

function put(boxes: Boxes, ...values: readonly (readonly [box: string, value: Decimal])[]): true {
  for (const [box, value] of values) boxes.add(box, value);
  return true;
}
