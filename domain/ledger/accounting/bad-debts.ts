/** Debts that customers may not pay: their provisions and losses (PGC, accounts 436, 490, 650, 694 and 794), debt by debt. */

import { type Decimal, decimal } from '../../money.ts';
import type { Dimensions } from './dimensions.ts';
import { type EntryLine, entryLine } from './entries.ts';

export const BAD_DEBT_MOVEMENT_KINDS = ['provision', 'release', 'write_off'] as const;
export type BadDebtMovementKind = (typeof BAD_DEBT_MOVEMENT_KINDS)[number];

/** The provision for a debt, and the part of it on the account of doubtful customers. */
export interface Doubt {
  readonly provided: Decimal;
  readonly doubtful: Decimal;
}

/** The share of debts that is proposed as provision once they are overdue for so many months. */
export interface DebtAge {
  readonly months: number;
  readonly percent: number;
}

export interface BadDebtAccounts {
  /** On which the invoice stands: 430. */
  readonly receivable: string;
  /** 436. */
  readonly doubtful: string;
  /** 490. */
  readonly impairment: string;
  /** 694. */
  readonly loss: string;
  /** 794. */
  readonly reversal: string;
}

/** The customer of a debt, and what bears its expense. */
export interface Debtor {
  readonly partnerId: string;
  readonly dimensions: Dimensions;
}

/** The change from one state to another. */
export function doubtChange(from: Doubt, to: Doubt): Doubt {
  const difference = (member: keyof Doubt) => decimal(to[member]).minus(from[member]).toFixed();
  return { provided: difference('provided'), doubtful: difference('doubtful') };
}

/** As much of a doubt as an outstanding amount allows. */
export function limitDoubt({ provided, doubtful }: Doubt, outstanding: Decimal): Doubt {
  const least = (amount: Decimal) => (decimal(amount).gt(outstanding) ? outstanding : amount);
  return { provided: least(provided), doubtful: least(doubtful) };
}

/** The lines of a change: 694 against 490, or 490 against 794; and 436 against 430. @returns none if nothing changes */
export function doubtLines(
  { provided, doubtful }: Doubt,
  { partnerId, dimensions }: Debtor,
  accounts: BadDebtAccounts,
): EntryLine[] {
  const result = decimal(provided).lt(0) ? accounts.reversal : accounts.loss;
  return [
    entryLine('debit', accounts.doubtful, doubtful, { partnerId }),
    entryLine('credit', accounts.receivable, doubtful, { partnerId }),
    entryLine('debit', result, provided, dimensions),
    entryLine('credit', accounts.impairment, provided),
  ].filter(({ debit, credit }) => !decimal(debit).eq(credit));
}
