/** The columns of the trial balance (decision 0240). */
import { isOfResult } from '../../ledger/accounting/results.ts';
import { type Decimal, decimal, type Exact, sum } from '../../money.ts';

/** Debit and credit of the period, and the balance at its end. */
export const PLAIN = ['debit', 'credit', 'balance'] as const;
/** The official form: opening balances, the period, the year to date, and closing balances; the totals of each pair are equal. */
export const EIGHT = [
  'opening_debit',
  'opening_credit',
  'period_debit',
  'period_credit',
  'total_debit',
  'total_credit',
  'balance_debit',
  'balance_credit',
] as const;
export type Column = (typeof PLAIN)[number] | (typeof EIGHT)[number];
export type Columns = Readonly<Record<Column, Decimal>>;

/** Spans whose sums make up the columns. Opening entries are those of the first day of the period or year. */
export type SpanName =
  | 'before'
  | 'opening'
  | 'period'
  /** Before the fiscal year in which the period begins, or ends. */
  | 'beforeFirstYear'
  | 'beforeYear'
  /** From the first day of the fiscal year in which the period ends. */
  | 'yearOpening'
  | 'year';

/** Sums of an account over the spans; balance = debit − credit. */
export interface AccountSums<Name extends SpanName = SpanName> {
  readonly type: string;
  readonly sums: Readonly<
    Record<Name, { readonly debit: Decimal; readonly credit: Decimal; readonly balance: Decimal }>
  >;
}

/** Computes the movements of an account. Income and expense begin each fiscal year at zero. */
export function accountMovements(account: AccountSums): Movements {
  const { opening, period, beforeYear, yearOpening, year } = account.sums;
  const carried = isOfResult(account) ? decimal(0) : decimal(beforeYear.balance);
  return {
    opening: openingBalance(account),
    period: [decimal(period.debit).minus(opening.debit), decimal(period.credit).minus(opening.credit)],
    yearOpening: carried.plus(yearOpening.balance),
    year: [decimal(year.debit).minus(yearOpening.debit), decimal(year.credit).minus(yearOpening.credit)],
  };
}

/** Computes the balance with which an account goes into the period; the opening entry of the first day is part of it. */
export function openingBalance(account: AccountSums<'before' | 'opening' | 'beforeFirstYear'>): Exact {
  const { before, opening, beforeFirstYear } = account.sums;
  const earlier = isOfResult(account) ? beforeFirstYear.balance : '0';
  return decimal(before.balance).minus(earlier).plus(opening.balance);
}

/** Computes the movements of the line that has the results of years not closed: what income and expense have left behind. */
export function openYearsMovements(accounts: readonly AccountSums[]): Movements {
  const ofResult = accounts.filter(isOfResult);
  const none = [decimal(0), decimal(0)] as const;
  return {
    opening: sum(ofResult.map(({ sums }) => sums.beforeFirstYear.balance)),
    period: none,
    yearOpening: sum(ofResult.map(({ sums }) => sums.beforeYear.balance)),
    year: none,
  };
}

/** Adds up the movements of accounts. */
export function sumMovements(all: readonly Movements[]): Movements {
  const both = (member: 'period' | 'year') =>
    [sum(all.map((of) => of[member][0].toFixed())), sum(all.map((of) => of[member][1].toFixed()))] as const;
  return {
    opening: sum(all.map(({ opening }) => opening.toFixed())),
    yearOpening: sum(all.map(({ yearOpening }) => yearOpening.toFixed())),
    period: both('period'),
    year: both('year'),
  };
}

/** Leaves out what was there before the period, so that the balance is what the period has moved. */
export function withoutOpening({ period }: Movements): Movements {
  return { opening: decimal(0), yearOpening: decimal(0), period, year: period };
}

/** The opening balance of an account, and the debit and credit entered on it. */
export interface Movements {
  /** Balance when the period begins, and when its last fiscal year does. */
  readonly opening: Exact;
  readonly yearOpening: Exact;
  /** Debit and credit without opening entries, of the period and of the year to date. */
  readonly period: readonly [Exact, Exact];
  readonly year: readonly [Exact, Exact];
}

/** Shows movements in the columns. */
export function movementColumns({ opening, period, yearOpening, year }: Movements): Columns {
  const balance = yearOpening.plus(year[0]).minus(year[1]);
  const [openingDebit, openingCredit] = onSides(opening);
  const [carriedDebit, carriedCredit] = onSides(yearOpening);
  const [balanceDebit, balanceCredit] = onSides(balance);
  const [debit, credit] = [period[0].toFixed(), period[1].toFixed()];
  return {
    debit,
    credit,
    balance: balance.toFixed(),
    opening_debit: openingDebit.toFixed(),
    opening_credit: openingCredit.toFixed(),
    period_debit: debit,
    period_credit: credit,
    total_debit: carriedDebit.plus(year[0]).toFixed(),
    total_credit: carriedCredit.plus(year[1]).toFixed(),
    balance_debit: balanceDebit.toFixed(),
    balance_credit: balanceCredit.toFixed(),
  };
}

/** Shows a balance as a debit if positive, otherwise as a credit. */
export function onSides(balance: Exact): readonly [Exact, Exact] {
  return balance.gte(0) ? [balance, decimal(0)] : [decimal(0), balance.neg()];
}
