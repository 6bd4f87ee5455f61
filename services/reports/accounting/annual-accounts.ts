/** Headings of the annual accounts in answers, with their accounts. */
import { Type } from 'typebox';
import { budgetVariance } from '../../../domain/ledger/budgets/positions.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { FilledHeading, AccountBalance as HeadingAccount } from '../../../domain/reports/accounting/headings.ts';
import type { AccountBalance } from '../../ledger/accounting/balances/read.ts';
import { amount, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { percent } from '../engine/declaration.ts';
import { AMOUNTS } from './columns.ts';

/** Budget and variance of headings and accounts, see budgeted.ts. */
const BUDGET = {
  budget: Type.Optional(
    amount({ description: 'With `budget_id`: the budget of whole months, income positive and expense negative' }),
  ),
  variance: Type.Optional(amount({ description: 'Amount less budget: above zero it is better for the result' })),
  percent: Type.Optional(
    nullable(percent({ description: 'Variance as a percentage of the budget; null without a budget' })),
  ),
  budgets: Type.Optional(Type.Array(amount(), { description: 'With `by`: the budget of each of `columns`' })),
  variances: Type.Optional(Type.Array(amount(), { description: 'With `by`: the variance of each of `columns`' })),
  percents: Type.Optional(
    Type.Array(nullable(percent()), { description: 'With `by`: the percentage of each of `columns`' }),
  ),
};

const account = {
  account_id: uuid(),
  code: text(),
  name: text({ max: 500 }),
  amount: amount(),
  previous: amount(),
  amounts: AMOUNTS,
  drilldown: text({ max: 500, description: 'The ledger of the account' }),
};

const BEGINNING = Type.Object({
  code: text({ description: 'The beginning of the codes of several accounts' }),
  ...BUDGET,
  drilldown: text({ max: 500, description: 'The balances of these accounts' }),
});

const columns = {
  code: text({ description: 'The heading of the annual accounts, in Spain of PGC PYMES' }),
  name: text({ max: 500, description: "In the company's language" }),
  amount: amount(),
  previous: amount({ description: 'Amount in the period, or on the day, of comparison' }),
  amounts: AMOUNTS,
};

/** Adds one level of nesting each time: schemas of answers have no references. */
export const withChildren = (
  members: Parameters<typeof Type.Object>[0],
  levels: number,
): ReturnType<typeof Type.Object> =>
  Type.Object({
    ...members,
    children: Type.Array(levels === 0 ? Type.Object({}) : withChildren(members, levels - 1)),
  });

/** Amounts of a heading or account in an answer. */
interface AnsweredAmounts {
  readonly amount: number;
  readonly previous: number;
  readonly amounts?: number[];
  readonly budget?: number;
  readonly variance?: number;
  readonly percent?: number | null;
  readonly budgets?: number[];
  readonly variances?: number[];
  readonly percents?: (number | null)[];
}

/** A heading in an answer. */
export interface AnsweredHeading extends AnsweredAmounts {
  readonly code: string;
  readonly name: string;
  readonly accounts: readonly AnsweredAccount[];
  readonly beginnings?: readonly AnsweredBeginning[];
  readonly children: readonly AnsweredHeading[];
}

export interface AnsweredAccount extends AnsweredAmounts {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly drilldown: string;
}

/** A position of a budget that stands for several accounts. */
interface AnsweredBeginning extends Omit<AnsweredAmounts, 'amount' | 'previous' | 'amounts'> {
  readonly code: string;
  readonly drilldown: string;
}

/** Nested headings, at most five levels. */
export const HEADINGS = Type.Unsafe<AnsweredHeading[]>(
  Type.Array(withChildren({ ...columns, accounts: Type.Array(Type.Object(account)) }, 4)),
);

/** The same, with a budget. */
export const BUDGETED_HEADINGS = Type.Unsafe<AnsweredHeading[]>(
  Type.Array(
    withChildren(
      {
        ...columns,
        ...BUDGET,
        accounts: Type.Array(Type.Object({ ...account, ...BUDGET })),
        beginnings: Type.Optional(
          Type.Array(BEGINNING, { description: 'With `budget_id`: what is budgeted for several accounts together' }),
        ),
      },
      4,
    ),
  ),
);

/** Parts of a request that its answer needs. */
export interface Shown {
  readonly money: (value: Decimal) => number;
  /** Dates of the ledger to which an account links. */
  readonly range: { readonly from: string; readonly to: string };
  /** Further parameters of that ledger, each after `&`. */
  readonly query?: string;
  /** How many of the last amounts are budgets: of the period and of each further column. */
  readonly budgeted?: number;
}

export function headingToJson(filled: FilledHeading, shown: Shown): AnsweredHeading {
  const { code, name, amounts, accounts, children } = filled;
  return {
    code,
    name,
    ...amountsToJson(amounts, shown),
    accounts: accounts
      .filter(({ isBeginning }) => isBeginning !== true)
      .map((account) => accountToJson(account, shown)),
    ...(shown.budgeted
      ? { beginnings: accounts.filter(({ isBeginning }) => isBeginning).map((one) => beginningToJson(one, shown)) }
      : {}),
    children: children.map((child) => headingToJson(child, shown)),
  };
}

export function accountToJson(account: HeadingAccount, shown: Shown): AnsweredAccount {
  const { id, code, name, amounts } = account;
  const { range, query = '' } = shown;
  return {
    account_id: id,
    code,
    name,
    ...amountsToJson(amounts, shown),
    drilldown: `/api/reports/ledger?account_id=${id}&from=${range.from}&to=${range.to}${query}`,
  };
}

function beginningToJson({ code, amounts }: HeadingAccount, shown: Shown): AnsweredBeginning {
  const { range, query = '' } = shown;
  const { amount, previous, amounts: columns, ...budget } = amountsToJson(amounts, shown);
  return {
    code,
    ...budget,
    drilldown: `/api/reports/trial-balance?accounts=${code}&from=${range.from}&to=${range.to}${query}`,
  };
}

/** Converts the amounts of the period, of the comparison, and of further columns, if any, and their budgets. */
function amountsToJson(amounts: readonly Decimal[], { money, budgeted = 0 }: Shown): AnsweredAmounts {
  const [now = '0', before = '0', ...columns] = amounts.slice(0, amounts.length - budgeted);
  return {
    amount: money(now),
    previous: money(before),
    ...(columns.length === 0 ? {} : { amounts: columns.map(money) }),
    ...(budgeted === 0 ? {} : budgetToJson([now, ...columns], amounts.slice(-budgeted), money)),
  };
}

/** @param actual the amount of the period and of each further column @param budgets as many */
function budgetToJson(actual: readonly Decimal[], budgets: readonly Decimal[], money: Shown['money']) {
  const [whole, ...parts] = budgets.map((budget, index) => {
    const { variance, percent } = budgetVariance(budget, actual[index] as Decimal);
    return { budget: money(budget), variance: money(variance), percent: percent === null ? null : Number(percent) };
  });
  if (parts.length === 0) return { ...whole };
  return {
    ...whole,
    budgets: parts.map(({ budget }) => budget),
    variances: parts.map(({ variance }) => variance),
    percents: parts.map(({ percent }) => percent),
  };
}

/** Converts an account's balances in spans to the form that headings need. @param spans a name for each column */
export function headingAccount<Name extends string>(
  account: AccountBalance<Name>,
  spans: readonly Name[],
): HeadingAccount {
  const { accountId: id, code, name, type } = account;
  return { id, code, name, type, amounts: spans.map((span) => balanceIn(account, span)) };
}

/** The balance of an account in one of its spans. */
export function balanceIn<Name extends string>({ sums }: AccountBalance<Name>, span: Name): Decimal {
  return sums[span].balance;
}
