/** Documents and their lines as anybody would keep them on paper. Quantities are quarters, which binary floats hold exactly. */
import type { BatchPart, Part, Place } from './shelves.ts';

export const TYPES = ['SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV'] as const;
export type Type = (typeof TYPES)[number];

export interface Doc {
  readonly type: Type;
  id: string;
  status: 'D' | 'O' | 'P' | 'C' | 'X';
  number: number | null;
  lines: Line[];
  /** The document that a return or a rectifying invoice corrects. */
  readonly corrects: Doc | null;
  /** Whether the goods come back with a rectifying invoice. */
  readonly returnStock: boolean;
  /** Whether the notes of an invoice can be invoiced again, since it was credited in full. */
  released: boolean;
}

/** A line that is asked for. */
export interface Wanted {
  readonly item: number;
  /** Below zero where it takes back. */
  readonly quantity: number;
  /** In cents. */
  readonly price: number;
  /** In percent. */
  readonly discount: number;
  readonly warehouse: number;
  readonly zone: string | null;
  readonly batches: readonly BatchPart[] | null;
  readonly allowExpired: boolean;
  readonly base: Line | null;
}

type Mutable<T> = { -readonly [M in keyof T]: T[M] };

export interface Line extends Mutable<Wanted> {
  readonly doc: Doc;
  id: string;
  delivered: number;
  invoiced: number;
  /** Returned of a note, rectified of an invoice. */
  returned: number;
  /** Given up when the order was closed. */
  closed: number;
  /** Goods it has moved. */
  moved: Part[];
  /** Goods it has moved that were not returned, by place. */
  left: Left[];
  /** Quantities it takes back, with the movement each comes from. */
  takenBack: { readonly of: Left; readonly quantity: number }[];
}

export interface Left {
  readonly place: Place;
  quantity: number;
}

export function newLine(doc: Doc, wanted: Wanted): Line {
  const nothing = { delivered: 0, invoiced: 0, returned: 0, closed: 0 };
  return { ...wanted, ...nothing, doc, id: '', moved: [], left: [], takenBack: [] };
}

export const isOrder = ({ type }: Doc) => type === 'SO' || type === 'PO';
export const isNote = ({ type }: Doc) => type === 'SDN' || type === 'PDN';
export const isInvoice = ({ type }: Doc) => type === 'SINV' || type === 'PINV';
export const isSale = ({ type }: { readonly type: Type }) => type.startsWith('S');

/** Returns the quantity taken from a line by subsequent documents. */
export function takenQuantity({ doc, delivered, invoiced, returned }: Line): number {
  return isOrder(doc) ? delivered + invoiced : invoiced + returned;
}

/** Returns the quantity that the next document may take. */
export function openQuantity(line: Line): number {
  if (isInvoice(line.doc)) return 0;
  return Math.max(0, line.quantity - takenQuantity(line) - line.closed);
}

/** Returns the quantity that may still be returned. */
export function returnableQuantity({ quantity, returned }: Line): number {
  return Math.max(0, quantity - returned);
}

/** The line that has moved the goods: that of the note where an invoice is based on one. */
export function originLine(line: Line): Line {
  return line.base !== null && isNote(line.base.doc) ? line.base : line;
}

/** Returns the lines that move goods: all of a note or a correction; otherwise those of an invoice that no note has moved. */
export function movingLines(doc: Doc): Line[] {
  if (isNote(doc) || doc.corrects !== null) return doc.lines;
  return doc.lines.filter((line) => originLine(line) === line);
}

/** The state of an order or note by its lines; an invoice and a return keep theirs. */
export function documentProgress(doc: Doc): Doc['status'] {
  if (isInvoice(doc) || doc.corrects !== null) return doc.status;
  if (doc.lines.every((line) => takenQuantity(line) + line.closed >= line.quantity)) return 'C';
  return doc.lines.some((line) => takenQuantity(line) > 0) ? 'P' : 'O';
}

/** Returns a line's progress as clients see it: an order also counts the documents made from its notes. */
export function progressSeen(line: Line, docs: readonly Doc[]): number[] {
  const notes = isOrder(line.doc)
    ? docs
        .filter((doc) => isNote(doc) && doc.status !== 'X')
        .flatMap(({ lines }) => lines.filter(({ base }) => base === line))
    : [];
  const through = (member: 'invoiced' | 'returned') => notes.reduce((sum, note) => sum + note[member], line[member]);
  return [line.quantity, openQuantity(line), line.delivered, through('invoiced'), through('returned')];
}
