/** How far a document has been delivered, invoiced and returned. Progress counts quantities, never amounts. */
import { type Decimal, decimal } from '../money.ts';
import { DOCUMENT_STATUS, type DocumentKind, type DocumentStatus } from './types.ts';

export interface LineProgress {
  readonly quantity: Decimal;
  readonly deliveredQuantity: Decimal;
  /** Invoiced from this very line (for an order: without going through a note). */
  readonly invoicedQuantity: Decimal;
  /** Given up when the order was closed. */
  readonly closedQuantity: Decimal;
  /** Taken back of this very line: of a note returned, of an invoice rectified. */
  readonly returnedQuantity: Decimal;
}

/** How a document takes from the lines that its own are based on; the action on the base has the same name. */
export type Step = 'deliver' | 'invoice' | 'return' | 'rectify';

/** Returns and rectifying invoices take back: their quantities are negative. */
export function takesBack(step: Step): step is 'return' | 'rectify' {
  return step === 'return' || step === 'rectify';
}

/** What a document is as far as its bases are concerned. */
export function stepOf(kind: DocumentKind, document: { readonly returns: boolean; readonly rectifies: boolean }): Step {
  if (document.returns) return 'return';
  if (document.rectifies) return 'rectify';
  return kind === 'invoice' ? 'invoice' : 'deliver';
}

/** What the next document may still take from a line; never below zero. Nothing follows an invoice. */
export function openQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'invoice') return '0';
  return notBelowZero(decimal(line.quantity).minus(takenQuantity(kind, line)).minus(line.closedQuantity));
}

/** What may still be taken back of a line: returned of a note, rectified of an invoice; never below zero. */
export function returnableQuantity(line: LineProgress): Decimal {
  return notBelowZero(decimal(line.quantity).minus(line.returnedQuantity));
}

/** What a step may still take from a line. @param kind of the document that has the line */
export function openFor(step: Step, kind: DocumentKind, line: LineProgress): Decimal {
  return takesBack(step) ? returnableQuantity(line) : openQuantity(kind, line);
}

/**
 * What has been taken of a line: of an order delivered or invoiced directly, of a note invoiced or returned. Goods that come
 * back do not open the order again, and are not to be invoiced.
 */
export function takenQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'order') return decimal(line.deliveredQuantity).plus(line.invoicedQuantity).toFixed();
  return kind === 'delivery_note' ? decimal(line.invoicedQuantity).plus(line.returnedQuantity).toFixed() : '0';
}

/** How much more a step has taken of a line than there is; zero or less when nothing. */
export function overTakenQuantity(step: Step, kind: DocumentKind, line: LineProgress): Decimal {
  const taken = takesBack(step)
    ? decimal(line.returnedQuantity)
    : decimal(takenQuantity(kind, line)).plus(line.closedQuantity);
  return taken.minus(line.quantity).toFixed();
}

/** The state of an order or note that follows from its lines: O nothing taken, P a part, C all that was not given up. */
export function statusByProgress(kind: DocumentKind, lines: readonly LineProgress[]): DocumentStatus {
  const taken = lines.map((line) => decimal(takenQuantity(kind, line)));
  const done = lines.every((line, index) =>
    taken[index]?.plus(line.closedQuantity).abs().gte(decimal(line.quantity).abs()),
  );
  if (done) return DOCUMENT_STATUS.closed;
  return taken.some((quantity) => !quantity.eq(0)) ? DOCUMENT_STATUS.partial : DOCUMENT_STATUS.open;
}

function notBelowZero(quantity: ReturnType<typeof decimal>): Decimal {
  return quantity.lt(0) ? '0' : quantity.toFixed();
}
