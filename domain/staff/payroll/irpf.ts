/** Computes the income tax percentage of wages, and its regularisation (RIRPF, art. 82 to 87). */
import Big from 'big.js';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import { percent } from './contributions.ts';
import type { FamilySituation, IrpfRules } from './irpf-rules.ts';

/** Family data that employees declare to their employer (model 145), as used here. */
export interface Family {
  readonly familySituation: FamilySituation;
  /** Children under 25 at home. */
  readonly children: number;
  /** The number of them who are under three. */
  readonly childrenUnderThree: number;
  /** Whether the employee alone deducts the children; otherwise half the amount counts. Always so in situation 1. */
  readonly childrenInFull: boolean;
  readonly birthYear: number | null;
}

/** Euros paid by this employer in a calendar year. */
export interface YearlyPay {
  readonly gross: Decimal;
  /** The employee's social security contributions. */
  readonly contributions: Decimal;
  /** Whether the contract lasts less than a year. */
  readonly isShort: boolean;
}

/** The steps of the calculation, in euros with two decimals. */
export interface YearlyTax {
  readonly gross: Decimal;
  readonly contributions: Decimal;
  readonly expenses: Decimal;
  readonly reduction: Decimal;
  readonly manyChildren: Decimal;
  /** The gross less deductible amounts. */
  readonly base: Decimal;
  readonly taxOfBase: Decimal;
  /** Tax-free amount for the person and the children. */
  readonly minimum: Decimal;
  readonly taxOfMinimum: Decimal;
  /** Pay up to which nothing is withheld. */
  readonly exempt: Decimal;
  /** Maximum tax for low pay; null without limit. */
  readonly cap: Decimal | null;
  /** Tax to withhold in the year. */
  readonly tax: Decimal;
  /** Percentage of the gross, with two decimals. */
  readonly rate: Decimal;
}

/** Computes the tax of a year, and the percentage that withholds it. */
export function yearlyTax({ isShort, ...pay }: YearlyPay, family: Family, rules: IrpfRules): YearlyTax {
  const net = positive(decimal(pay.gross).minus(pay.contributions));
  const expenses = least(net, decimal(rules.expenses));
  const reduction = incomeReduction(net, rules);
  const manyChildren = family.children > rules.manyChildren.children ? rules.manyChildren.amount : '0';
  const base = positive(net.minus(expenses).minus(reduction).minus(manyChildren));
  const minimum = taxFreeMinimum(family, rules);
  const taxOfBase = applyScale(base, rules);
  const taxOfMinimum = applyScale(minimum, rules);
  const exempt = rules.exempt[family.familySituation][Math.min(family.children, 2) as 0 | 1 | 2];
  const cap = decimal(pay.gross).lte(rules.cap.upTo)
    ? percent(positive(decimal(pay.gross).minus(exempt)).toFixed(), rules.cap.rate)
    : null;
  const due = positive(decimal(taxOfBase).minus(taxOfMinimum));
  const tax = (cap === null ? due : least(due, decimal(cap))).toFixed();
  return {
    ...pay,
    expenses: expenses.toFixed(),
    reduction,
    manyChildren,
    base: base.toFixed(),
    taxOfBase,
    minimum: minimum.toFixed(),
    taxOfMinimum,
    exempt,
    cap,
    tax,
    rate: percentage(decimal(tax), pay.gross, isShort, rules),
  };
}

/**
 * The percentage for the rest of a year, so that the year's tax is withheld by its end. Excess tax is returned only by
 * lower percentages, never below zero.
 * @param paid gross pay of the year so far, and the tax withheld from it
 */
export function regularisedRate(
  { gross, tax }: Pick<YearlyTax, 'gross' | 'tax'>,
  paid: { readonly gross: Decimal; readonly withheld: Decimal },
  isShort: boolean,
  rules: IrpfRules,
): Decimal {
  const rest = positive(decimal(tax).minus(paid.withheld));
  return percentage(rest, decimal(gross).minus(paid.gross).toFixed(), isShort, rules);
}

/** Truncated to two decimals, as the agency does; 0 without pay. */
function percentage(tax: Exact, pay: Decimal, isShort: boolean, rules: IrpfRules): Decimal {
  const found = decimal(pay).lte(0) ? decimal(0) : tax.times(100).div(pay).round(2, Big.roundDown);
  const floor = decimal(isShort ? rules.leastOfShort : '0');
  return least(found.lt(floor) ? floor : found, decimal(rules.most)).toFixed();
}

function incomeReduction(net: Exact, { reduction }: IrpfRules): Decimal {
  const step = reduction.find(({ upTo }) => net.lte(upTo));
  if (step === undefined) return '0';
  return round(positive(decimal(step.amount).minus(positive(net.minus(step.above)).times(step.rate))), 2);
}

/** Applies the scale to an amount, in cents. */
function applyScale(amount: Exact, { scale }: IrpfRules): Decimal {
  let start = decimal(0);
  let total = decimal(0);
  for (const { upTo, rate } of scale) {
    const end = upTo === null ? amount : least(amount, decimal(upTo));
    if (end.lte(start)) break;
    total = total.plus(end.minus(start).times(rate).div(100));
    start = end;
  }
  return round(total, 2);
}

function taxFreeMinimum(family: Family, { year, minimum: { personal, ages, children, underThree } }: IrpfRules): Exact {
  const age = family.birthYear === null ? 0 : year - family.birthYear;
  const last = children.length - 1;
  const each = Array.from({ length: family.children }, (_, index) => children[Math.min(index, last)] as Decimal);
  const ofChildren = sum(each).plus(decimal(underThree).times(family.childrenUnderThree));
  const share = family.childrenInFull || family.familySituation === 1 ? ofChildren : ofChildren.div(2);
  return sum(ages.filter(({ over }) => age > over).map(({ amount }) => amount))
    .plus(personal)
    .plus(share);
}

function positive(value: Exact): Exact {
  return value.lt(0) ? decimal(0) : value;
}

function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b;
}
