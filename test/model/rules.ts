/** Why a document cannot have what it wants of others, or cannot change as it should. */
import type { Change } from './books.ts';
import {
  type Doc,
  documentProgress,
  isInvoice,
  isNote,
  isSale,
  type Line,
  movingLines,
  openQuantity,
  originLine,
  returnableQuantity,
  takenQuantity,
} from './paper.ts';

/** Refuses incoming goods of an item tracked by batch if the line names no batches. */
export function lacksBatches(doc: Doc, byBatch: readonly boolean[]): string | undefined {
  if (isSale(doc) || doc.corrects !== null || !(isNote(doc) || isInvoice(doc))) return undefined;
  return movingLines(doc).some(({ item, batches }) => byBatch[item] && batches === null)
    ? 'validation_failed'
    : undefined;
}

/** Why the bases do not give what the document wants of them. */
export function refusedTake(doc: Doc): string | undefined {
  const code = isInvoice(doc) ? 'over_invoicing' : 'over_delivery';
  const used = new Map<Line, number>();
  for (const { base, quantity } of doc.lines) {
    if (base === null) continue;
    if (base.doc.status === 'X') return 'validation_failed';
    const wanted = (used.get(base) ?? 0) + Math.abs(quantity);
    const nothing = doc.corrects === null && (base.doc.status === 'C' || base.doc.corrects !== null);
    if (nothing || wanted > (doc.corrects === null ? openQuantity(base) : returnableQuantity(base))) return code;
    used.set(base, wanted);
  }
  return undefined;
}

/** Refuses a changed draft that takes more of its bases than is open. */
export function overBases(doc: Doc, kept: Change['kept']): string | undefined {
  const more = new Map<Line, number>();
  const add = (base: Line | null, quantity: number) => base && more.set(base, (more.get(base) ?? 0) + quantity);
  for (const { base, quantity } of doc.lines) add(base, -quantity);
  for (const { line, quantity } of kept) add(line.base, quantity);
  return [...more].some(([base, quantity]) => quantity > openQuantity(base)) ? 'over_invoicing' : undefined;
}

/** Refuses changes to an order's line that documents have taken from: only its quantity may change, and it cannot be removed. */
export function refusedChange(doc: Doc, kept: Change['kept'], docs: readonly Doc[]): string | undefined {
  const changes = new Map(kept.map((change) => [change.line, change]));
  for (const line of doc.lines) {
    const change = changes.get(line);
    if (takenQuantity(line) === 0) continue;
    if (change === undefined || change.price !== line.price || change.quantity < takenQuantity(line))
      return 'invalid_transition';
  }
  const gone = new Set(doc.lines.filter((line) => !changes.has(line)));
  return docs.some(({ lines }) => lines.some(({ base }) => base !== null && gone.has(base))) ? 'in_use' : undefined;
}

/** Goods of a note that come back with a rectifying invoice count as returned, and no piece comes back twice. */
export function refusedReturn(doc: Doc): string | undefined {
  const wanted = new Map<Line, number>();
  for (const { line, size } of takenOfNotes(doc)) wanted.set(line, (wanted.get(line) ?? 0) + size);
  return [...wanted].some(([line, size]) => size > returnableQuantity(line)) ? 'over_delivery' : undefined;
}

export function returnToNotes(doc: Doc, sign: 1 | -1): void {
  for (const { line, size } of takenOfNotes(doc)) {
    line.returned += sign * size;
    line.doc.status = documentProgress(line.doc);
  }
}

function takenOfNotes({ lines, corrects, returnStock, type }: Doc): { line: Line; size: number }[] {
  if (corrects === null || !returnStock || !type.endsWith('INV')) return [];
  return lines.flatMap(({ base, quantity }) => {
    const line = originLine(base as Line);
    return line === base ? [] : [{ line, size: -quantity }];
  });
}
