/** What an entry is made of. Money is exact; amounts of one line are on one side only and never negative. */
import type { VatUse } from '../documents/vat.ts';
import { type Decimal, decimal, sum } from '../money.ts';
import type { TaxOperation } from './operations.ts';

/** Why an entry was made; reports of the year's result leave out all but `normal`. */
export const ENTRY_KINDS = ['normal', 'opening', 'regularisation', 'closing'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What tax a line is of, or gives the base of. */
export interface LineTax {
  readonly kind: 'output' | 'input' | 'surcharge' | 'withholding';
  readonly operation: TaxOperation;
  readonly use: VatUse;
  readonly rectifying: boolean;
  readonly groupId: string | null;
  readonly rate: Decimal;
  /** Signed, as the document has it; of a reversal the opposite. */
  readonly base: Decimal;
  readonly amount: Decimal;
}

export interface EntryLine {
  readonly accountId: string;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly partnerId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly description: string | null;
  readonly tax: LineTax | null;
}

export type Side = 'debit' | 'credit';

/** A line on the given side; a negative amount stands on the other one. */
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
    partnerId: null,
    projectId: null,
    costCenterId: null,
    description: null,
    tax: null,
    ...more,
  };
}

/** Sums of both sides; an entry balances when they are equal. */
export function entrySums(lines: readonly EntryLine[]): { readonly debit: Decimal; readonly credit: Decimal } {
  return {
    debit: sum(lines.map((line) => line.debit)).toFixed(),
    credit: sum(lines.map((line) => line.credit)).toFixed(),
  };
}

/** Whether an entry is one: at least two lines, and as much debit as credit. */
export function balances(lines: readonly EntryLine[]): boolean {
  const { debit, credit } = entrySums(lines);
  return lines.length >= 2 && decimal(debit).eq(credit);
}
