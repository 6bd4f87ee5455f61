/** What the lines of a document take from the lines that they are based on, or give back to them. */
import type { Step } from '../../../domain/documents/progress.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { StockChange } from '../../stock/levels.ts';

export interface Taken {
  readonly baseId: string;
  readonly baseLineId: string;
  /** Signed: negative gives back what a cancelled or deleted document had taken. */
  readonly quantity: Decimal;
  /** Where in the request's body the taking line stands. */
  readonly pointer?: string;
}

/** What a step takes of which lines. */
export interface Takes {
  readonly step: Step;
  readonly takes: readonly Taken[];
  /** A document that is corrected, also where no line is based on it: it is locked and shows the change. */
  readonly corrects?: string | null;
  /** Whether more may be delivered and invoiced than is open; more than there was is never taken back. */
  readonly allowOver: boolean;
  /** What the caller has changed in the commitments of the orders, by what it had read of them. */
  readonly releases?: readonly StockChange[];
}

type TakingLine = { readonly baseId: string | null; readonly baseLineId: string | null; readonly quantity: Decimal };

/** What lines take from their bases, or with `undo` give back. What is taken back counts by its size. */
export function takesOf(lines: readonly TakingLine[], undo = false): Taken[] {
  return lines.flatMap(({ baseId, baseLineId, quantity }, index) => {
    if (baseId === null || baseLineId === null) return [];
    const size = decimal(quantity).abs();
    return [
      { baseId, baseLineId, quantity: (undo ? size.neg() : size).toFixed(), pointer: `/lines/${index}/quantity` },
    ];
  });
}
