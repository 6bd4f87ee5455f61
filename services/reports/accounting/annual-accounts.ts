/** Headings of the annual accounts in answers, with their accounts. */
import { Type } from 'typebox';
import type { Decimal } from '../../../domain/money.ts';
import type { FilledHeading, AccountBalance as HeadingAccount } from '../../../domain/reports/accounting/headings.ts';
import type { AccountBalance } from '../../ledger/accounting/balances/read.ts';
import { amount, text, uuid } from '../../platform/validation/schemas.ts';
import { AMOUNTS } from './columns.ts';

export const ACCOUNT = Type.Object({
  account_id: uuid(),
  code: text(),
  name: text({ max: 500 }),
  amount: amount(),
  previous: amount(),
  amounts: AMOUNTS,
  drilldown: text({ max: 500, description: 'The ledger of the account' }),
});

const columns = {
  code: text({ description: 'The heading of the annual accounts, in Spain of PGC PYMES' }),
  name: text({ max: 500, description: "In the company's language" }),
  amount: amount(),
  previous: amount({ description: 'Amount in the period, or on the day, of comparison' }),
  amounts: AMOUNTS,
  accounts: Type.Array(ACCOUNT),
};

/** Adds one level of nesting each time: schemas of answers have no references. */
const withChildren = (levels: number): ReturnType<typeof Type.Object> =>
  Type.Object({ ...columns, children: Type.Array(levels === 0 ? Type.Object({}) : withChildren(levels - 1)) });

/** Amounts of a heading or account in an answer. */
interface AnsweredAmounts {
  readonly amount: number;
  readonly previous: number;
  readonly amounts?: number[];
}

/** A heading in an answer. */
export interface AnsweredHeading extends AnsweredAmounts {
  readonly code: string;
  readonly name: string;
  readonly accounts: readonly AnsweredAccount[];
  readonly children: readonly AnsweredHeading[];
}

export interface AnsweredAccount extends AnsweredAmounts {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly drilldown: string;
}

/** Nested headings, at most five levels. */
export const HEADINGS = Type.Unsafe<AnsweredHeading[]>(Type.Array(withChildren(4)));

/** Parts of a request that its answer needs. */
export interface Shown {
  readonly money: (value: Decimal) => number;
  /** Dates of the ledger to which an account links. */
  readonly range: { readonly from: string; readonly to: string };
  /** Further parameters of that ledger, each after `&`. */
  readonly query?: string;
}

export function headingToJson(filled: FilledHeading, shown: Shown): AnsweredHeading {
  const { code, name, amounts, accounts, children } = filled;
  return {
    code,
    name,
    ...amountsToJson(amounts, shown),
    accounts: accounts.map((account) => accountToJson(account, shown)),
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

/** Converts the amounts of the period, of the comparison, and of further columns, if any. */
function amountsToJson([now = '0', before = '0', ...columns]: readonly Decimal[], { money }: Shown): AnsweredAmounts {
  return {
    amount: money(now),
    previous: money(before),
    ...(columns.length === 0 ? {} : { amounts: columns.map(money) }),
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
