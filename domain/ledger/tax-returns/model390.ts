/** Model 390, the annual VAT summary: taxes of the year by rate, results of its returns, and the turnover. */
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';
import { isUnionScheme } from '../../trade/documents/operations.ts';
import { Boxes, type BoxValues, type Overrides } from './boxes.ts';
import { creditOfEarlierYears, type Summarized } from './credits.ts';
import {
  BOXES_390,
  boxPairs,
  INPUT_390,
  INPUT_GROUPS,
  type InputGroup,
  LESS,
  OUTPUT_390,
  OUTPUT_PAIRS,
  type Pair,
  type Rates,
  SURCHARGE_PAIRS,
  SURCHARGES_390,
  VOLUME,
} from './model390-boxes.ts';
import { isImportInvoice, isProRata, isSelfAssessed, isUntaxedMargin, type TaxTotal } from './totals.ts';

export interface Input390 {
  /** Taxes of the year. */
  readonly totals: readonly TaxTotal[];
  /** The year's returns, in order. */
  readonly returns: readonly Summarized[];
  /** Sales of investment goods, which are no part of the turnover (LIVA, art. 121.Tres). */
  readonly soldGoods?: Decimal;
  /** Whether the company is a retailer under the equivalence surcharge, whose sales have their own box. */
  readonly retailer: boolean;
  readonly overrides?: Overrides;
}

export interface Return390 {
  readonly boxes: BoxValues;
  /** Box 86. */
  readonly result: Decimal;
  readonly unmapped: readonly TaxTotal[];
}

export function model390({ totals, returns, soldGoods = '0', retailer, overrides = {} }: Input390): Return390 {
  const boxes = new Boxes();
  const unmapped = totals.filter((total) => !enter390(boxes, total, retailer));
  enterReturns(boxes, returns);
  boxes.set('107', soldGoods);
  boxes.override(overrides);
  boxes.roundToCents();
  const bases = (pairs: readonly Pair[]) => pairs.map(([base]) => base);
  const quotas = (pairs: readonly Pair[]) => pairs.map(([, quota]) => quota);
  boxes.set('33', boxes.sum(bases(OUTPUT_PAIRS)));
  boxes.set('34', boxes.sum(quotas(OUTPUT_PAIRS)));
  boxes.set('47', boxes.get('34').plus(boxes.sum(quotas(SURCHARGE_PAIRS))));
  for (const { rates, total } of INPUT_GROUPS) {
    boxes.set(total[0], boxes.sum(bases(boxPairs(rates))));
    boxes.set(total[1], boxes.sum(quotas(boxPairs(rates))));
  }
  const deducted = INPUT_GROUPS.map(({ total }) => total[1]);
  boxes.set('64', boxes.sum([...deducted, '61', '62', '63', '522', '513', '521', '652', '661']));
  boxes.set('65', boxes.get('47').minus(boxes.get('64')));
  boxes.set('84', boxes.sum(['65', '83', '658']));
  boxes.set('86', boxes.sum(['84', '659']).minus(boxes.get('85')));
  boxes.set('108', boxes.sum(VOLUME).minus(boxes.sum(LESS)));
  return { boxes: boxes.values(BOXES_390), result: boxes.get('86').toFixed(), unmapped };
}

/** Annual boxes that add up quarterly ones, which may be stated. */
const FROM_RETURNS: readonly (readonly [annual: string, quarterly: string])[] = [
  ['61', '42'],
  ['63', '43'],
  ['522', '44'],
  ['83', '58'],
  ['658', '76'],
  ['659', '77'],
  ['126', '123'],
  ['127', '124'],
];

/**
 * Enters the results of the year's returns. Credits of earlier years are used up first, so that 95 − 96 − 97 − 98 −
 * 662 = 86: the amounts paid, less refunds and the remainder of the year's own credits.
 */
function enterReturns(boxes: Boxes, returns: Input390['returns']): void {
  const results = returns.map(({ result }) => decimal(result));
  const last = returns.at(-1);
  const total = (box: string) => sum(returns.map((each) => each.boxes[box] ?? '0'));
  const applied = total('78');
  const available = creditOfEarlierYears(returns, '110');
  const ofEarlierYears = applied.lt(available) ? applied : available;
  const credits = sum(returns.filter(({ type }) => type === 'C').map(({ result }) => decimal(result).neg()));
  const lastCredit = last?.type === 'C' ? decimal(last.result).neg() : decimal(0);
  for (const [annual, quarterly] of FROM_RETURNS) boxes.set(annual, total(quarterly));
  boxes.set('85', ofEarlierYears);
  boxes.set('95', sum(results.filter((result) => result.gt(0))));
  boxes.set('96', refunds(returns.slice(0, -1)));
  boxes.set('97', lastCredit);
  boxes.set('98', refunds(returns.slice(-1)));
  boxes.set('662', credits.minus(lastCredit).minus(applied.minus(ofEarlierYears)));
}

function refunds(returns: Input390['returns']): Exact {
  return sum(returns.filter(({ type }) => type === 'D').map(({ result }) => decimal(result).neg()));
}

/** Adds a tax to its boxes. @returns false if the form has none for its rate */
export function enter390(boxes: Boxes, total: TaxTotal, retailer: boolean): boolean {
  switch (total.kind) {
    case 'output':
      return enterOutput(boxes, total, retailer);
    case 'surcharge': {
      const { rectifying, rate, base, amount } = total;
      return put(boxes, rectifying ? ['43', '44'] : pairOfRate(SURCHARGES_390, rate), base, amount);
    }
    case 'input':
      return enterInput(boxes, total);
    case 'pending_output':
      return put(boxes, ['654', '655'], total.base, total.amount);
    case 'pending_input':
      return put(boxes, ['656', '657'], total.base, total.amount);
    default:
      return true;
  }
}

/** Boxes of turnover by operation, net of rectifications. */
const VOLUME_BOXES: Partial<Record<TaxTotal['operation'], string>> = {
  intra_eu_goods: '103',
  intra_eu_services: '103',
  export: '104',
  exempt: '105',
  services_abroad: '110',
  reverse_charge: '125',
};

function enterOutput(boxes: Boxes, total: TaxTotal, retailer: boolean): boolean {
  const { operation, rectifying, rate, base, amount } = total;
  // Box 126 comes from the returns.
  if (operation === 'import' || operation === 'not_subject' || isUnionScheme(operation)) return true;
  if (isSelfAssessed(total)) {
    if (rectifying) return put(boxes, ['29', '30'], base, amount);
    if (operation === 'intra_eu_goods') return put(boxes, pairOfRate(OUTPUT_390.intraEuGoods, rate), base, amount);
    if (operation === 'intra_eu_services')
      return put(boxes, pairOfRate(OUTPUT_390.intraEuServices, rate), base, amount);
    return put(boxes, ['27', '28'], base, amount);
  }
  if (operation === 'margin') {
    boxes.add('227', base);
    if (isUntaxedMargin(total)) return true;
    return put(boxes, rectifying ? ['29', '30'] : pairOfRate(OUTPUT_390.margin, rate), base, amount);
  }
  const untaxed = VOLUME_BOXES[operation];
  boxes.add(untaxed ?? (operation === 'cash_basis' ? '653' : retailer ? '102' : '99'), base);
  if (untaxed !== undefined) return true;
  return put(boxes, rectifying ? ['29', '30'] : pairOfRate(OUTPUT_390.sales, rate), base, amount);
}

function enterInput(boxes: Boxes, total: TaxTotal): boolean {
  const { operation, use, rectifying, rate, base, amount } = total;
  if (isImportInvoice(total)) return true;
  if (use === 'none' || operation === 'exempt' || operation === 'not_subject' || operation === 'margin') {
    if (operation !== 'not_subject' && operation !== 'margin') boxes.add(operation === 'exempt' ? '230' : '232', base);
    return true;
  }
  if (isProRata(total)) {
    // That of investment goods comes from the returns.
    if (use !== 'investment') boxes.add('522', amount);
    return true;
  }
  if (rectifying) return put(boxes, ['639', '62'], base, amount);
  // The compensation itself comes from the returns.
  if (operation === 'agricultural') {
    boxes.add('60', base);
    return true;
  }
  // Purchases without tax, at 0 %, have no box.
  if (decimal(rate).eq(0)) return true;
  return put(boxes, pairOfRate(INPUT_390[inputGroup(operation, use === 'investment')].rates, rate), base, amount);
}

function inputGroup(operation: TaxTotal['operation'], investment: boolean): InputGroup {
  switch (operation) {
    case 'import':
      return investment ? 'importedInvestment' : 'imports';
    case 'intra_eu_goods':
      return investment ? 'intraEuInvestment' : 'intraEuGoods';
    case 'intra_eu_services':
      return investment ? 'intraEuInvestment' : 'intraEuServices';
    default:
      return investment ? 'investment' : 'current';
  }
}

function pairOfRate(rates: Rates, rate: Decimal): Pair | undefined {
  return rates[decimal(rate).toFixed()];
}

function put(boxes: Boxes, pair: Pair | undefined, base: Decimal, quota: Decimal): boolean {
  if (pair === undefined) return false;
  boxes.add(pair[0], base);
  boxes.add(pair[1], quota);
  return true;
}
