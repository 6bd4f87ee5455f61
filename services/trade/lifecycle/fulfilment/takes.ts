/** What the lines of a document take from their base lines, or give back to them. */

import { type Decimal, decimal } from '../../../../domain/money.ts';
import type { Step } from '../../../../domain/trade/documents/progress.ts';
import type { Commitment } from '../../../../domain/trade/stock/levels.ts';

export interface Taken {
  readonly baseId: string;
  readonly baseLineId: string;
  /** Signed: negative gives back what a cancelled or deleted document had taken. */
  readonly quantity: Decimal;
  /** Pointer to the taking line in the request's body. */
  readonly pointer?: string;
}

/** What a step takes from which lines. */
export interface Takes {
  readonly step: Step;
  readonly takes: readonly Taken[];
  /** A corrected document, even if no line is based on it: it is locked, and shows the change. */
  readonly corrects?: string | null;
  /** Whether more than is open may be delivered and invoiced; more than there was can never be taken back. */
  readonly allowOver: boolean;
  /** The caller's changes of the orders' commitments, by what it had read. */
  readonly releases?: readonly Commitment[];
}

type TakingLine = { readonly baseId: string | null; readonly baseLineId: string | null; readonly quantity: Decimal };

/** What lines take from their bases, or with `undo` give back. Quantities taken back count by their absolute value. */
export function documentTakes(lines: readonly TakingLine[], undo = false): Taken[] {
  return lines.flatMap(({ baseId, baseLineId, quantity }, index) => {
    if (baseId === null || baseLineId === null) return [];
    const size = decimal(quantity).abs();
    return [
      { baseId, baseLineId, quantity: (undo ? size.neg() : size).toFixed(), pointer: `/lines/${index}/quantity` },
    ];
  });
}
