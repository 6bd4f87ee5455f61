/** Model 425, the annual IGIC summary: taxes of the year by scheme and rate, results of its returns 420, and the turnover. */
import { type Decimal, decimal, sum } from '../../money.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';
import { creditOfEarlierYears, type Summarized } from './credits.ts';
import { findRateLine } from './model303.ts';
import { enter420 } from './model420.ts';
import {
  BOXES_425,
  FROM_RETURNS_425,
  INPUT_QUOTAS_425,
  LESS_425,
  LIKE_420,
  LINES_425,
  OUTPUT_425,
  VOLUME_425,
} from './model425-boxes.ts';
import { isSelfAssessed, type TaxTotal } from './totals.ts';

export interface Input425 {
  /** Taxes of the year. */
  readonly totals: readonly TaxTotal[];
  /** The year's returns 420, in order. */
  readonly returns: readonly Summarized[];
  readonly overrides?: Overrides;
}

export interface Return425 {
  readonly boxes: BoxValues;
  /** Box 115. */
  readonly result: Decimal;
  readonly unmapped: readonly TaxTotal[];
}

export function model425({ totals, returns, overrides = {} }: Input425): Return425 {
  const boxes = new Boxes();
  for (const { rates, rate } of LINES_425) boxes.set(rate, rates[0] as Decimal);
  const unmapped = totals.filter((total) => !enter425(boxes, total));
  enterReturns(boxes, returns);
  boxes.override(overrides);
  boxes.roundToCents();
  boxes.set('74', boxes.sum([...LINES_425.map(({ base }) => base), '70']).minus(boxes.get('72')));
  const charged = boxes.sum([...LINES_425.map(({ quota }) => quota), '71', '76']);
  boxes.set('79', charged.minus(boxes.sum(['73', '78'])));
  boxes.set('94', boxes.sum(INPUT_QUOTAS_425));
  boxes.set('95', boxes.get('79').minus(boxes.get('94')));
  boxes.set('113', boxes.get('95'));
  boxes.set('115', boxes.sum(['112', '113']).minus(boxes.get('114')));
  boxes.set('134', boxes.sum(VOLUME_425).minus(boxes.sum(LESS_425)));
  return { boxes: boxes.values(BOXES_425), result: boxes.get('115').toFixed(), unmapped };
}

/** Enters what the year's returns state, and their results. */
function enterReturns(boxes: Boxes, returns: readonly Summarized[]): void {
  for (const [annual, quarterly] of Object.entries(FROM_RETURNS_425)) {
    boxes.set(annual, sum(returns.map((each) => each.boxes[quarterly] ?? '0')));
  }
  const last = returns.at(-1);
  const leftIf = (type: Summarized['type']) => (last?.type === type ? decimal(last.result).abs() : decimal(0));
  boxes.set('114', creditOfEarlierYears(returns, '43'));
  boxes.set('116', sum(returns.map(({ result }) => decimal(result)).filter((result) => result.gt(0))));
  boxes.set('118', leftIf('C'));
  boxes.set('119', leftIf('D'));
}

/** Adds a tax to its boxes, and to the turnover. @returns false if the form has none for it */
export function enter425(boxes: Boxes, total: TaxTotal): boolean {
  const { kind, operation, use, rectifying, rate, base, amount } = total;
  const quarterly = new Boxes();
  if (!enter420(quarterly, total)) return false;
  if (kind === 'input' && use === 'none') boxes.add('136', amount);
  // By the general rule, whenever it accrues.
  if (kind === 'pending_output') boxes.add('121', base);
  if (kind === 'output' && operation === 'exempt') boxes.add('126', base);
  const isCashBasis = operation === 'cash_basis';
  if (isTaxedSale(total)) {
    if (!isCashBasis) boxes.add('120', base);
    const line = findRateLine(OUTPUT_425[isCashBasis ? 'cashBasis' : 'ordinary'], rate);
    if (line !== undefined && !rectifying) {
      boxes.add(line.base, base);
      boxes.add(line.quota, amount);
      return true;
    }
  }
  for (const [box, value] of Object.entries(quarterly.filled())) {
    const annual = LIKE_420[box];
    if (annual !== undefined) boxes.add(annual, value);
  }
  return true;
}

const UNTAXED: readonly TaxTotal['operation'][] = [
  'export',
  'services_abroad',
  'intra_eu_goods',
  'intra_eu_services',
  'reverse_charge',
  'exempt',
  'not_subject',
  'import',
];

function isTaxedSale(total: TaxTotal): boolean {
  return total.kind === 'output' && !isSelfAssessed(total) && !UNTAXED.includes(total.operation);
}
