/** Journal entries and their lines. Money is exact; each line has a non-negative amount on one side only. */

import { type Decimal, decimal, sum } from '../../money.ts';
import type { TaxOperation } from '../../trade/documents/operations.ts';
import type { VatUse } from '../../trade/documents/vat.ts';
import type { PaymentDirection } from '../../trade/payments/types.ts';

/** The kinds of entries; result reports include only `normal`. */
export const ENTRY_KINDS = ['normal', 'opening', 'regularisation', 'closing'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Taxes of the cash basis until they are accrued (decision 0345), by what they become then. */
export const PENDING_KINDS = {
  output: 'pending_output',
  input: 'pending_input',
  surcharge: 'pending_surcharge',
} as const;
export type PendingKind = (typeof PENDING_KINDS)[keyof typeof PENDING_KINDS];

/** The tax that a line enters, or whose base it states. */
export interface LineTax {
  readonly kind: 'output' | 'input' | 'surcharge' | 'withholding' | PendingKind;
  readonly operation: TaxOperation;
  readonly use: VatUse;
  readonly rectifying: boolean;
  readonly groupId: string | null;
  readonly rate: Decimal;
  /** Signed as in the document; negated in a reversal. */
  readonly base: Decimal;
  readonly amount: Decimal;
  /** Deducted tax only: the tax to which the pro rata applies, if not `amount`. */
  readonly subject?: Decimal | null;
}

/** An open item that a line on a partner's account creates or settles. */
export interface OpenLine {
  /** in: owed by a partner; out: owed to the partner. */
  readonly direction: PaymentDirection;
  /** Defaults to the entry's date. */
  readonly dueDate: string | null;
  readonly reference: string | null;
  /** The invoice or open item to settle; null for a new open item. */
  readonly settlesId: string | null;
}

/** The amount of a line in another currency than the company's. */
export interface AmountInCurrency {
  readonly currency: string;
  /** Positive for debits. */
  readonly amount: Decimal;
}

/** The days of a service, both included. */
export interface ServicePeriod {
  readonly from: string;
  readonly to: string;
}

export interface EntryLine {
  readonly accountId: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Whether the line is the money of a payment. */
  readonly money: boolean;
  /** Partner of the line; in an invoice only the line of the total has one. */
  readonly partnerId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly description: string | null;
  readonly tax: LineTax | null;
  /** The same in another currency. */
  readonly inCurrency?: AmountInCurrency;
  /** Manual lines on a partner's account only. */
  readonly open?: OpenLine;
  /** Manual lines of income and expense only: the days over which they are spread. */
  readonly service?: ServicePeriod;
  /** Line of the note, on 4009 or 4309 in its entry. */
  readonly noteLineId?: string;
  /** The pending tax that the line enters, reduces or accrues. */
  readonly pendingTaxId?: string;
  /** Lines that enter a pending tax only: the account to which it accrues, and by when. */
  readonly accrual?: { readonly accountId: string; readonly dueOn: string };
}

export type Side = 'debit' | 'credit';

/** Builds a line on the given side; a negative amount moves to the other side. */
export function entryLine(
  side: Side,
  accountId: string,
  amount: Decimal,
  more: Partial<Omit<EntryLine, 'accountId' | 'debit' | 'credit'>> = {},
): EntryLine {
  const value = decimal(amount);
  const debit = (side === 'debit') === value.gte(0);
  const positive = value.abs().toFixed();
  return {
    accountId,
    debit: debit ? positive : '0',
    credit: debit ? '0' : positive,
    money: false,
    partnerId: null,
    projectId: null,
    costCenterId: null,
    description: null,
    tax: null,
    ...more,
  };
}

/** The amount in another currency of a line on the given side. */
export function inCurrency(side: Side, currency: string, amount: Decimal): AmountInCurrency {
  return {
    currency,
    amount: decimal(amount)
      .times(side === 'debit' ? 1 : -1)
      .toFixed(),
  };
}

/** Sums both sides; an entry balances when they are equal. */
export function entrySums(lines: readonly EntryLine[]): { readonly debit: Decimal; readonly credit: Decimal } {
  return {
    debit: sum(lines.map((line) => line.debit)).toFixed(),
    credit: sum(lines.map((line) => line.credit)).toFixed(),
  };
}

/** Whether lines form an entry: at least two, with equal debits and credits. */
export function isBalanced(lines: readonly EntryLine[]): boolean {
  const { debit, credit } = entrySums(lines);
  return lines.length >= 2 && decimal(debit).eq(credit);
}

/** The amount a line adds to the debt of its side: the partner's (`in`) by debits, the company's (`out`) by credits. */
export function owedBy({ debit, credit }: Pick<EntryLine, 'debit' | 'credit'>, direction: PaymentDirection): Decimal {
  const net = decimal(debit).minus(credit);
  return (direction === 'in' ? net : net.neg()).toFixed();
}
