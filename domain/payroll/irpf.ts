/** The percentage of income tax that is withheld from wages, and its regularisation (RIRPF, art. 82 to 87). */
import Big from 'big.js';
import { type Decimal, decimal, type Exact, round, sum } from '../money.ts';
import { percent } from './contributions.ts';
import type { FamilySituation, IrpfRules } from './irpf-rules.ts';

/** What employees tell their employer (model 145), as far as it is taken into account. */
export interface Family {
  readonly familySituation: FamilySituation;
  /** Children under 25 at home. */
  readonly children: number;
  /** Of them, those under three. */
  readonly childrenUnderThree: number;
  /** Whether nobody else deducts the children; else half of what they are worth counts. Always so in situation 1. */
  readonly childrenInFull: boolean;
  readonly birthYear: number | null;
}

/** Euros of a calendar year, from this employer. */
export interface YearlyPay {
  readonly gross: Decimal;
  /** Of the employee, for social security. */
  readonly contributions: Decimal;
  /** Whether the contract is for less than a year. */
  readonly isShort: boolean;
}

/** The steps of the calculation, in euros with two decimals. */
export interface YearlyTax {
  readonly gross: Decimal;
  readonly contributions: Decimal;
  readonly expenses: Decimal;
  readonly reduction: Decimal;
  readonly manyChildren: Decimal;
  /** What is left of the gross. */
  readonly base: Decimal;
  readonly taxOfBase: Decimal;
  /** What is free of tax, for the person and the children. */
  readonly minimum: Decimal;
  readonly taxOfMinimum: Decimal;
  /** The pay up to which nothing is withheld. */
  readonly exempt: Decimal;
  /** The most that is withheld of low pay; null where there is no limit. */
  readonly cap: Decimal | null;
  /** What is to be withheld in the year. */
  readonly tax: Decimal;
  /** The percentage of the gross, with two decimals. */
  readonly rate: Decimal;
}

/** Works out the tax of a year, and the percentage that withholds it. */
export function yearlyTax({ isShort, ...pay }: YearlyPay, family: Family, rules: IrpfRules): YearlyTax {
  const net = positive(decimal(pay.gross).minus(pay.contributions));
  const expenses = least(net, decimal(rules.expenses));
  const reduction = reductionOf(net, rules);
  const manyChildren = family.children > rules.manyChildren.children ? rules.manyChildren.amount : '0';
  const base = positive(net.minus(expenses).minus(reduction).minus(manyChildren));
  const minimum = minimumOf(family, rules);
  const taxOfBase = scaled(base, rules);
  const taxOfMinimum = scaled(minimum, rules);
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
    rate: rateOf(decimal(tax), pay.gross, isShort, rules),
  };
}

/**
 * The percentage for the rest of a year, so that the year's tax is withheld in the end. What was withheld too much is given back by lower
 * percentages only, never below zero.
 * @param paid gross pay of the year so far, and what was withheld of it
 */
export function regularised(
  { gross, tax }: Pick<YearlyTax, 'gross' | 'tax'>,
  paid: { readonly gross: Decimal; readonly withheld: Decimal },
  isShort: boolean,
  rules: IrpfRules,
): Decimal {
  const rest = positive(decimal(tax).minus(paid.withheld));
  return rateOf(rest, decimal(gross).minus(paid.gross).toFixed(), isShort, rules);
}

/** Cut off after two decimals, as the agency does; 0 of no pay. */
function rateOf(tax: Exact, pay: Decimal, isShort: boolean, rules: IrpfRules): Decimal {
  const found = decimal(pay).lte(0) ? decimal(0) : tax.times(100).div(pay).round(2, Big.roundDown);
  const floor = decimal(isShort ? rules.leastOfShort : '0');
  return least(found.lt(floor) ? floor : found, decimal(rules.most)).toFixed();
}

function reductionOf(net: Exact, { reduction }: IrpfRules): Decimal {
  const step = reduction.find(({ upTo }) => net.lte(upTo));
  if (step === undefined) return '0';
  return round(positive(decimal(step.amount).minus(positive(net.minus(step.above)).times(step.rate))), 2);
}

/** What the scale takes of an amount, in cents. */
function scaled(amount: Exact, { scale }: IrpfRules): Decimal {
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

function minimumOf(family: Family, { year, minimum: { personal, ages, children, underThree } }: IrpfRules): Exact {
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
