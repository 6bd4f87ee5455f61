/** Quantities that the lines of a document take from their base lines, or give back. */

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

/** The quantities that a step takes, by line. */
export interface Takes {
  readonly step: Step;
  readonly takes: readonly Taken[];
  /** A corrected document, even if no line is based on it: it is locked, and shows the change. */
  readonly corrects?: string | null;
  /** Whether to allow delivering and invoicing more than is open. Nobody can take back more than there was. */
  readonly allowOver: boolean;
  /** The changes to the orders' commitments, as the caller computed them from what it read. */
  readonly releases?: readonly Commitment[];
}

type TakingLine = { readonly baseId: string | null; readonly baseLineId: string | null; readonly quantity: Decimal };

/** Lists the quantities that lines take from their bases, or give back with `undo`. Negative quantities count by their absolute value. */
export function documentTakes(lines: readonly TakingLine[], undo = false): Taken[] {
  return lines.flatMap(({ baseId, baseLineId, quantity }, index) => {
    if (baseId === null || baseLineId === null) return [];
    const size = decimal(quantity).abs();
    return [
      { baseId, baseLineId, quantity: (undo ? size.neg() : size).toFixed(), pointer: `/lines/${index}/quantity` },
    ];
  });
}
