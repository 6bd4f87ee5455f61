/** How far a document has been delivered and invoiced. Progress counts quantities, never amounts. */
import { type Decimal, decimal } from '../money.ts';
import type { DocumentKind, DocumentStatus } from './types.ts';

export interface LineProgress {
  readonly quantity: Decimal;
  readonly deliveredQuantity: Decimal;
  /** Invoiced from this very line (for an order: without going through a note). */
  readonly invoicedQuantity: Decimal;
}

/** What the next document may still take from a line; never below zero. Nothing follows an invoice. */
export function openQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'invoice') return '0';
  const open = decimal(line.quantity).minus(takenQuantity(kind, line));
  return open.lt(0) ? '0' : open.toFixed();
}

/** What later documents have taken: of an order delivered or invoiced directly, of a note invoiced. */
export function takenQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'order') return decimal(line.deliveredQuantity).plus(line.invoicedQuantity).toFixed();
  return kind === 'delivery_note' ? line.invoicedQuantity : '0';
}

/** The state of an order or note that follows from its lines: O nothing taken, P a part, C all of it. */
export function statusByProgress(kind: DocumentKind, lines: readonly LineProgress[]): DocumentStatus {
  const taken = lines.map((line) => ({ quantity: decimal(line.quantity), taken: decimal(takenQuantity(kind, line)) }));
  if (taken.every((line) => line.taken.abs().gte(line.quantity.abs()))) return 'C';
  return taken.some((line) => !line.taken.eq(0)) ? 'P' : 'O';
}
