/** Documents that follow from existing ones: with all that is open, or correcting them. */
import type { Books, Outcome } from './books.ts';
import {
  type Doc,
  isOrder,
  isSale,
  type Line,
  openQuantity,
  returnableQuantity,
  type Type,
  type Wanted,
} from './paper.ts';

/** The quantity of a line to take back. */
export interface Size {
  readonly line: Line;
  readonly size: number;
}

/** Zone and batches are taken from the base line. */
const UNPLACED = { zone: null, batches: null, allowExpired: false };

/** Returns goods of a note, or rectifies an invoice. @param sizes by line; all that is left without */
export function takeBack(books: Books, base: Doc, sizes: readonly Size[] | null, returnStock: boolean): Outcome {
  if (base.corrects !== null || ['D', 'X'].includes(base.status)) return { refused: 'invalid_transition' };
  const taken =
    sizes ?? base.lines.map((line) => ({ line, size: returnableQuantity(line) })).filter(({ size }) => size > 0);
  if (taken.length === 0) return { refused: 'nothing_open' };
  const wanted = taken.map(({ line, size }) => ({ ...line, base: line, quantity: -size, ...UNPLACED }));
  return books.create(base.type, wanted, base, returnStock);
}

/** The type of what follows. */
export function nextType(base: Doc): Type {
  const side = isSale(base) ? 'S' : 'P';
  return isOrder(base) ? `${side}DN` : `${side}INV`;
}

/** Delivers or receives all that is open of an order, or invoices a note. */
export function followUpOutcome(books: Books, base: Doc): Outcome {
  if (base.corrects !== null || base.status === 'X') return { refused: 'invalid_transition' };
  const wanted = openLines(base);
  if (base.status === 'C' || wanted.length === 0) return { refused: 'nothing_open' };
  return books.create(nextType(base), wanted);
}

/** One invoice of several notes. */
export function invoiceNotes(books: Books, notes: readonly [Doc, ...Doc[]]): Outcome {
  if (notes.some(({ corrects, status }) => corrects !== null || status === 'X'))
    return { refused: 'validation_failed' };
  const wanted = notes.map(openLines);
  if (wanted.some((lines) => lines.length === 0)) return { refused: 'nothing_open' };
  return books.create(nextType(notes[0]), wanted.flat());
}

function openLines({ lines }: Doc): Wanted[] {
  const open = lines.filter((line) => openQuantity(line) > 0);
  return open.map((line) => ({ ...line, base: line, quantity: openQuantity(line), ...UNPLACED }));
}
