/** Delivered, invoiced and returned quantities of a document. Progress counts quantities, never amounts. */
import { type Decimal, decimal } from '../../money.ts';
import { DOCUMENT_STATUS, type DocumentKind, type DocumentStatus } from './types.ts';

export interface LineProgress {
  readonly quantity: Decimal;
  /** For a quotation: the quantity that was ordered. */
  readonly deliveredQuantity: Decimal;
  /** Quantity invoiced directly from this line (for an order: not through a note). */
  readonly invoicedQuantity: Decimal;
  /** Quantity given up when the order was closed. */
  readonly closedQuantity: Decimal;
  /** Quantity taken back directly from this line: returned (notes) or rectified (invoices). */
  readonly returnedQuantity: Decimal;
}

/** The way in which a document takes from its base lines; the action on the base has the same name. */
export type Step = 'order' | 'deliver' | 'invoice' | 'return' | 'rectify';

/** Whether the step takes back. Quantities of returns and rectifying invoices are negative. */
export function takesBack(step: Step): step is 'return' | 'rectify' {
  return step === 'return' || step === 'rectify';
}

/** The step that a document represents for its bases. */
export function documentStep(
  kind: DocumentKind,
  document: { readonly returns: boolean; readonly rectifies: boolean },
): Step {
  if (document.returns) return 'return';
  if (document.rectifies) return 'rectify';
  if (kind === 'order') return 'order';
  return kind === 'invoice' ? 'invoice' : 'deliver';
}

/** The open quantity of a line; never negative. Invoices have no follow-ups. */
export function openQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'invoice') return '0';
  return notNegative(decimal(line.quantity).minus(takenQuantity(kind, line)).minus(line.closedQuantity));
}

/** The quantity of a line that can be taken back: returned (notes) or rectified (invoices); never negative. */
export function returnableQuantity(line: LineProgress): Decimal {
  return notNegative(decimal(line.quantity).minus(line.returnedQuantity));
}

/** The quantity that a step can still take from a line. @param kind of the document that contains the line */
export function openQuantityFor(step: Step, kind: DocumentKind, line: LineProgress): Decimal {
  return takesBack(step) ? returnableQuantity(line) : openQuantity(kind, line);
}

/**
 * The quantity taken from a line: ordered (quotations) or delivered (orders), or directly invoiced; invoiced or returned (notes). Returned
 * goods do not reopen the order, and cannot be invoiced.
 */
export function takenQuantity(kind: DocumentKind, line: LineProgress): Decimal {
  if (kind === 'order' || kind === 'quotation')
    return decimal(line.deliveredQuantity).plus(line.invoicedQuantity).toFixed();
  return kind === 'delivery_note' ? decimal(line.invoicedQuantity).plus(line.returnedQuantity).toFixed() : '0';
}

/** The quantity that a step has taken beyond what was available; zero or negative if none. */
export function excessQuantity(step: Step, kind: DocumentKind, line: LineProgress): Decimal {
  const taken = takesBack(step)
    ? decimal(line.returnedQuantity)
    : decimal(takenQuantity(kind, line)).plus(line.closedQuantity);
  return taken.minus(line.quantity).toFixed();
}

/**
 * The status of a quotation, order or note by its lines: O (of a quotation A) if nothing is taken, P if part, C if everything that was not
 * given up.
 */
export function statusByProgress(kind: DocumentKind, lines: readonly LineProgress[]): DocumentStatus {
  const taken = lines.map((line) => decimal(takenQuantity(kind, line)));
  const done = lines.every((line, index) =>
    taken[index]?.plus(line.closedQuantity).abs().gte(decimal(line.quantity).abs()),
  );
  if (done) return DOCUMENT_STATUS.closed;
  if (taken.some((quantity) => !quantity.eq(0))) return DOCUMENT_STATUS.partial;
  // Its order was given up, not the quotation.
  return kind === 'quotation' ? DOCUMENT_STATUS.accepted : DOCUMENT_STATUS.open;
}

function notNegative(quantity: ReturnType<typeof decimal>): Decimal {
  return quantity.lt(0) ? '0' : quantity.toFixed();
}
