/** How far a document has been delivered and invoiced. Progress counts quantities, never amounts. */
import { type Decimal, decimal } from '../money.ts';
import type { DocumentKind, DocumentStatus } from './types.ts';

export interface LineProgress {
  readonly quantity: Decimal;
  readonly deliveredQuantity: Decimal;
  /** Invoiced from this very line (for an order: without going through a note). */
  readonly invoicedQuantity: Decimal;
  /** Given up when the order was closed. */
  readonly closedQuantity: Decimal;
}

/** What the next document may still take from a line; never below zero. Nothing follows an invoice. */
export function openQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'invoice') return '0';
  const open = decimal(line.quantity).minus(takenQuantity(kind, line)).minus(line.closedQuantity);
  return open.lt(0) ? '0' : open.toFixed();
}

/** What later documents have taken: of an order delivered or invoiced directly, of a note invoiced. */
export function takenQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'order') return decimal(line.deliveredQuantity).plus(line.invoicedQuantity).toFixed();
  return kind === 'delivery_note' ? line.invoicedQuantity : '0';
}

/** The state of an order or note that follows from its lines: O nothing taken, P a part, C all that was not given up. */
export function statusByProgress(kind: DocumentKind, lines: readonly LineProgress[]): DocumentStatus {
  const taken = lines.map((line) => decimal(takenQuantity(kind, line)));
  const done = lines.every((line, index) =>
    taken[index]?.plus(line.closedQuantity).abs().gte(decimal(line.quantity).abs()),
  );
  if (done) return 'C';
  return taken.some((quantity) => !quantity.eq(0)) ? 'P' : 'O';
}
