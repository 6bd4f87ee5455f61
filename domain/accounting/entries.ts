/** Journal entries and their lines. Money is exact; each line has its amount on one side only, never negative. */
import type { VatUse } from '../documents/vat.ts';
import { type Decimal, decimal, sum } from '../money.ts';
import type { PaymentDirection } from '../payments/types.ts';
import type { TaxOperation } from './operations.ts';

/** The kinds of entries; result reports include only `normal`. */
export const ENTRY_KINDS = ['normal', 'opening', 'regularisation', 'closing'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The tax that a line books, or whose base it gives. */
export interface LineTax {
  readonly kind: 'output' | 'input' | 'surcharge' | 'withholding';
  readonly operation: TaxOperation;
  readonly use: VatUse;
  readonly rectifying: boolean;
  readonly groupId: string | null;
  readonly rate: Decimal;
  /** Signed as in the document; negated in a reversal. */
  readonly base: Decimal;
  readonly amount: Decimal;
  /** Of a deducted tax: the tax that the pro rata applies to, where that is not `amount` itself. */
  readonly subject?: Decimal | null;
}

/** What a line on a partner's account leaves open, or settles. */
export interface OpenLine {
  /** in: what a partner owes; out: what is owed to the partner. */
  readonly direction: PaymentDirection;
  /** Defaults to the entry's date. */
  readonly dueDate: string | null;
  readonly reference: string | null;
  /** The invoice or open item that it settles; null for a new open item. */
  readonly settlesId: string | null;
}

export interface EntryLine {
  readonly accountId: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  /** Whether it is the money of a payment. */
  readonly money: boolean;
  /** With whom it stands; of an invoice only the line of its total has a partner. */
  readonly partnerId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly description: string | null;
  readonly tax: LineTax | null;
  /** Of a line that people enter on a partner's account. */
  readonly open?: OpenLine;
  /** On 4009 or 4309 in the entry of a note: its line. */
  readonly noteLineId?: string;
}

export type Side = 'debit' | 'credit';

/** A line on the given side; a negative amount goes to the other side. */
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

/** Totals of both sides; an entry balances when they are equal. */
export function entrySums(lines: readonly EntryLine[]): { readonly debit: Decimal; readonly credit: Decimal } {
  return {
    debit: sum(lines.map((line) => line.debit)).toFixed(),
    credit: sum(lines.map((line) => line.credit)).toFixed(),
  };
}

/** Whether lines form an entry: at least two, with equal debit and credit. */
export function isBalanced(lines: readonly EntryLine[]): boolean {
  const { debit, credit } = entrySums(lines);
  return lines.length >= 2 && decimal(debit).eq(credit);
}

/** What a line adds to the debt of its side: the partner's (`in`) by debits, the company's (`out`) by credits. */
export function owedBy({ debit, credit }: Pick<EntryLine, 'debit' | 'credit'>, direction: PaymentDirection): Decimal {
  const net = decimal(debit).minus(credit);
  return (direction === 'in' ? net : net.neg()).toFixed();
}
