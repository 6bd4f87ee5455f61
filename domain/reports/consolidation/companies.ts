/** The companies of a group as they are put together: their balances on accounts of the parent, in its currency. */
import type { Decimal } from '../../money.ts';
import type { GroupAccount } from './items.ts';

/** Spans of the statements: until the last day, in its fiscal year, and in the period. */
export type GroupSpan = 'end' | 'year' | 'period';

export type Amounts = Readonly<Record<GroupSpan, Decimal>>;

/** An account of a company, as one of the parent. Amounts are debit − credit. */
export interface PlacedAccount extends Amounts {
  readonly account: GroupAccount;
  /** The company's own account; lines of consolidation have none. */
  readonly source?: OwnAccount;
}

/** An account in the books of its company. */
export interface OwnAccount {
  readonly id: string;
  readonly code: string;
}

/** The part of an account that is about another company; `own` is the balance of the whole account. */
export interface PlacedMutual extends PlacedAccount {
  /** Column of the other company. */
  readonly other: number;
  readonly own: Amounts;
}

/** Rates of the parent: units of the company's currency for one of its own. */
export interface Rates {
  /** On the last day. */
  readonly closing: Decimal;
  /** On the first day in the group. */
  readonly joined: Decimal;
  /** Averages by the first days of months. */
  readonly months: Readonly<Record<string, Decimal>>;
}

/** A company with its column. The parent has all of itself. */
export interface PlacedCompany {
  readonly ownershipPercent: Decimal;
  readonly accounts: readonly PlacedAccount[];
  readonly mutual: readonly PlacedMutual[];
  /** Account of the parent on which the investment in it stands. */
  readonly investment: GroupAccount | null;
  readonly acquiredEquity: Decimal | null;
  /** Rates by which its books were translated; null in the parent's currency. */
  readonly rates: Rates | null;
}
