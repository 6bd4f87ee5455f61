/** Computes the income tax percentage of wages, and its regularisation (RIRPF, art. 82 to 87). */
import Big from 'big.js';
import { type Decimal, decimal, type Exact, round, sum } from '../../money.ts';
import { percent } from './contributions.ts';
import type { Disability, FamilySituation, IrpfRules, Withholding } from './irpf-rules.ts';

/** The disability of a person. */
export interface Disabled {
  readonly disability: Disability;
  /** Whether they need help of others or have reduced mobility; counts from 33 % on. */
  readonly needsHelp: boolean;
}

/** A parent or grandparent at home with little income of their own (LIRPF, art. 59). */
export interface Ascendant extends Disabled {
  readonly birthYear: number;
  /** By how many descendants they live with their amounts are divided. */
  readonly sharedBy: number;
}

/** Family data that employees declare to their employer (model 145), as used here. */
export interface Family extends Disabled {
  readonly familySituation: FamilySituation;
  /** Children under 25 at home. */
  readonly children: number;
  /** The number of them who are under three. */
  readonly childrenUnderThree: number;
  /** Whether the employee alone deducts the children; otherwise half the amount counts. Always so in situation 1. */
  readonly childrenInFull: boolean;
  readonly birthYear: number | null;
  /** Disabilities of the children. */
  readonly disabledChildren: readonly Disabled[];
  readonly ascendants: readonly Ascendant[];
  readonly withholding: Withholding;
  /** Whether the pay is income of Ceuta or Melilla. */
  readonly ceutaOrMelilla: boolean;
  /** Whether they were unemployed and have moved house for the work, in this year or the one before. */
  readonly geographicMobility: boolean;
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
  /** Further expenses of a worker with a disability. */
  readonly disability: Decimal;
  readonly reduction: Decimal;
  readonly manyChildren: Decimal;
  /** The gross less deductible amounts. */
  readonly base: Decimal;
  readonly taxOfBase: Decimal;
  /** Tax-free amount for the person, the children and the ascendants. */
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
  const moving = family.geographicMobility ? rules.expensesOfMoving : '0';
  const expenses = least(net, decimal(rules.expenses).plus(moving));
  const disability = least(net.minus(expenses), disabledExpenses(family, rules));
  const reduction = incomeReduction(net, rules);
  const manyChildren = family.children > rules.manyChildren.children ? rules.manyChildren.amount : '0';
  const base = positive(net.minus(expenses).minus(disability).minus(reduction).minus(manyChildren));
  const minimum = taxFreeMinimum(family, rules);
  const taxOfBase = applyScale(base, rules);
  const taxOfMinimum = applyScale(minimum, rules);
  const exempt = rules.exempt[family.familySituation][Math.min(family.children, 2) as 0 | 1 | 2];
  const cap = decimal(pay.gross).lte(rules.cap.upTo)
    ? percent(positive(decimal(pay.gross).minus(exempt)).toFixed(), rules.cap.rate)
    : null;
  const due = positive(decimal(taxOfBase).minus(taxOfMinimum));
  const general = cap === null ? due : least(due, decimal(cap));
  const fixed = fixedRate(family, rules);
  const tax = fixed === null ? round(general.times(share(family, rules)), 2) : percent(pay.gross, fixed);
  return {
    ...pay,
    expenses: expenses.toFixed(),
    disability: disability.toFixed(),
    reduction,
    manyChildren,
    base: base.toFixed(),
    taxOfBase,
    minimum: minimum.toFixed(),
    taxOfMinimum,
    exempt,
    cap,
    tax,
    rate: fixed ?? percentage(decimal(tax), pay.gross, { isShort, family }, rules),
  };
}

/** Terms on which the percentage depends, besides the pay. */
interface Terms {
  readonly isShort: boolean;
  readonly family: Family;
}

/**
 * The percentage for the rest of a year, so that the year's tax is withheld by its end. Excess tax is returned only by
 * lower percentages, never below zero.
 * @param paid gross pay of the year so far, and the tax withheld from it
 */
export function regularisedRate(
  { gross, tax }: Pick<YearlyTax, 'gross' | 'tax'>,
  paid: { readonly gross: Decimal; readonly withheld: Decimal },
  terms: Terms,
  rules: IrpfRules,
): Decimal {
  const fixed = fixedRate(terms.family, rules);
  if (fixed !== null) return fixed;
  const rest = positive(decimal(tax).minus(paid.withheld));
  return percentage(rest, decimal(gross).minus(paid.gross).toFixed(), terms, rules);
}

/** Truncated to two decimals, as the agency does; 0 without pay. */
function percentage(tax: Exact, pay: Decimal, { isShort, family }: Terms, rules: IrpfRules): Decimal {
  const found = decimal(pay).lte(0) ? decimal(0) : tax.times(100).div(pay).round(2, Big.roundDown);
  const lowest = family.withholding === 'special_relation' ? rules.leastOfSpecial : isShort ? rules.leastOfShort : '0';
  const floor = share(family, rules).times(lowest);
  return least(found.lt(floor) ? floor : found, share(family, rules).times(rules.most)).toFixed();
}

/** The fixed percentage by which tax is withheld; null if it follows from the pay of the year. */
function fixedRate(family: Family, rules: IrpfRules): Decimal | null {
  const rate = rules.fixed[family.withholding];
  return rate === undefined ? null : share(family, rules).times(rate).toFixed();
}

/** The part of the tax that is withheld: less in Ceuta and Melilla. */
function share({ ceutaOrMelilla }: Family, rules: IrpfRules): Exact {
  return ceutaOrMelilla ? decimal(rules.ofCeutaAndMelilla).div(100) : decimal(1);
}

function disabledExpenses({ disability, needsHelp }: Disabled, { disabledWorker }: IrpfRules): Exact {
  if (disability === 0) return decimal(0);
  return decimal(disability === 65 || needsHelp ? disabledWorker.helped : disabledWorker.from33);
}

/** Tax-free amount for the disability of a person. */
function disabledMinimum({ disability, needsHelp }: Disabled, { minimum }: IrpfRules): Exact {
  if (disability === 0) return decimal(0);
  const { from33, from65, help } = minimum.disability;
  return decimal(disability === 65 ? from65 : from33).plus(disability === 65 || needsHelp ? help : 0);
}

/** Tax-free amount for an ascendant: by age, or because of a disability. */
function ascendantMinimum({ birthYear, sharedBy, ...disabled }: Ascendant, rules: IrpfRules): Exact {
  const { ages } = rules.minimum;
  const age = rules.year - birthYear;
  const counted = ages.filter(({ over }, index) => age > over || (index === 0 && disabled.disability > 0));
  return sum(counted.map(({ amount }) => amount))
    .plus(disabledMinimum(disabled, rules))
    .div(sharedBy);
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

function taxFreeMinimum(family: Family, rules: IrpfRules): Exact {
  const { personal, ages, children, underThree } = rules.minimum;
  const age = family.birthYear === null ? 0 : rules.year - family.birthYear;
  const last = children.length - 1;
  const each = Array.from({ length: family.children }, (_, index) => children[Math.min(index, last)] as Decimal);
  const ofDisabled = family.disabledChildren.map((child) => disabledMinimum(child, rules));
  const ofChildren = sum([...each, ...ofDisabled]).plus(decimal(underThree).times(family.childrenUnderThree));
  const ofAscendants = family.ascendants.map((one) => ascendantMinimum(one, rules));
  const ownPart = family.childrenInFull || family.familySituation === 1 ? ofChildren : ofChildren.div(2);
  return sum(ages.filter(({ over }) => age > over).map(({ amount }) => amount))
    .plus(personal)
    .plus(disabledMinimum(family, rules))
    .plus(ownPart)
    .plus(round(sum(ofAscendants), 2));
}

function positive(value: Exact): Exact {
  return value.lt(0) ? decimal(0) : value;
}

function least(a: Exact, b: Exact): Exact {
  return a.lt(b) ? a : b;
}
