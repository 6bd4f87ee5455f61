/** Headings of the annual accounts in answers, with their accounts. */
import { Type } from 'typebox';
import type { Decimal } from '../../../domain/money.ts';
import type { FilledHeading, AccountBalance as HeadingAccount } from '../../../domain/reports/accounting/headings.ts';
import type { AccountBalance } from '../../ledger/accounting/balances/read.ts';
import { amount, text, uuid } from '../../platform/validation/schemas.ts';

export const ACCOUNT = Type.Object({
  account_id: uuid(),
  code: text(),
  name: text({ max: 500 }),
  amount: amount(),
  previous: amount(),
  drilldown: text({ max: 500, description: 'The ledger of the account' }),
});

const columns = {
  code: text({ description: 'The heading of the annual accounts (PGC PYMES)' }),
  name: text({ max: 500, description: "In the company's language" }),
  amount: amount(),
  previous: amount({ description: 'Amount in the period, or on the day, of comparison' }),
  accounts: Type.Array(ACCOUNT),
};

/** Adds one level of nesting each time: schemas of answers have no references. */
const withChildren = (levels: number): ReturnType<typeof Type.Object> =>
  Type.Object({ ...columns, children: Type.Array(levels === 0 ? Type.Object({}) : withChildren(levels - 1)) });

/** A heading in an answer. */
export interface AnsweredHeading {
  readonly code: string;
  readonly name: string;
  readonly amount: number;
  readonly previous: number;
  readonly accounts: readonly AnsweredAccount[];
  readonly children: readonly AnsweredHeading[];
}

export interface AnsweredAccount {
  readonly account_id: string;
  readonly code: string;
  readonly name: string;
  readonly amount: number;
  readonly previous: number;
  readonly drilldown: string;
}

/** Nested headings, at most five levels. */
export const HEADINGS = Type.Unsafe<AnsweredHeading[]>(Type.Array(withChildren(4)));

/** Parts of a request that its answer needs. */
export interface Shown {
  readonly money: (value: Decimal) => number;
  /** Dates of the ledger to which an account links. */
  readonly range: { readonly from: string; readonly to: string };
}

export function headingToJson(filled: FilledHeading, shown: Shown): AnsweredHeading {
  const { code, name, amount: now, previous, accounts, children } = filled;
  return {
    code,
    name,
    amount: shown.money(now),
    previous: shown.money(previous),
    accounts: accounts.map((account) => accountToJson(account, shown)),
    children: children.map((child) => headingToJson(child, shown)),
  };
}

export function accountToJson(account: HeadingAccount, { money, range }: Shown): AnsweredAccount {
  const { id, code, name } = account;
  return {
    account_id: id,
    code,
    name,
    amount: money(account.amount),
    previous: money(account.previous),
    drilldown: `/api/reports/ledger?account_id=${id}&from=${range.from}&to=${range.to}`,
  };
}

/** Converts an account's balances in two spans to the form that headings need. */
export function comparedBalance<Name extends string>(
  { accountId: id, code, name, type, sums }: AccountBalance<Name>,
  now: Name,
  before: Name,
): HeadingAccount {
  return { id, code, name, type, amount: sums[now].balance, previous: sums[before].balance };
}
