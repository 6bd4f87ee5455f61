/** Goods moved by documents: the planned movements, or why they are refused. */
import { type Doc, isSale, type Line, movingLines, originLine } from './paper.ts';
import type { Part, Place, Shelves } from './shelves.ts';

/** Planned movements, line by line; nothing has moved yet. */
export interface Plan {
  readonly refused?: string;
  readonly moves: readonly { readonly line: Line; readonly parts: readonly Part[]; readonly back: Line['takenBack'] }[];
}

export const NOTHING: Plan = { moves: [] };

/** Plans the movements of a document when it takes effect. */
export function planMovements(doc: Doc, shelves: Shelves): Plan {
  return doc.corrects === null ? moving(doc, shelves) : takingBack(doc, shelves);
}

function moving(doc: Doc, shelves: Shelves): Plan {
  const trial = shelves.copy();
  const refusals: string[] = [];
  const moves = movingLines(doc).map((line) => {
    const { item, warehouse, zone, quantity, batches, allowExpired } = line;
    if (!isSale(doc)) {
      const incoming = batches ?? [{ batch: null, quantity }];
      return {
        line,
        parts: incoming.map((part) => ({
          place: { item, warehouse, zone, batch: part.batch },
          quantity: part.quantity,
        })),
        back: [],
      };
    }
    const take = { item, warehouse, zone: zone ?? undefined, quantity, batches, allowExpired, allowPending: false };
    const { parts, refused } = trial.take(take);
    if (refused !== undefined) refusals.push(refused);
    return { line, parts, back: [] };
  });
  return planned(moves, refusals);
}

/** Sold goods come back to where they left; bought ones leave where they came to, else where more of the batch is. */
function takingBack(doc: Doc, shelves: Shelves): Plan {
  const trial = shelves.copy();
  const refusals: string[] = [];
  const used = new Map<object, number>();
  const moves = movingLines(doc).map((line) => {
    const back: { of: Line['left'][number]; quantity: number }[] = [];
    let wanted = -line.quantity;
    for (const of of originLine(line.base as Line).left) {
      const quantity = Math.min(wanted, of.quantity - (used.get(of) ?? 0));
      if (quantity <= 0) continue;
      wanted -= quantity;
      used.set(of, (used.get(of) ?? 0) + quantity);
      back.push({ of, quantity });
    }
    if (isSale(doc)) return { line, back, parts: back.map(({ of, quantity }) => ({ place: of.place, quantity })) };
    const parts = back.flatMap(({ of: { place }, quantity }) => {
      const there = trial.takeAt(place, quantity);
      const missing = there.reduce((left, part) => left + part.quantity, quantity);
      const more = trial.take({ ...elsewhere(place, missing), allowExpired: true, allowPending: true });
      if (more.refused !== undefined) refusals.push(more.refused);
      return [...there, ...more.parts];
    });
    return { line, parts, back };
  });
  return planned(moves, refusals);
}

function elsewhere({ item, warehouse, batch }: Place, quantity: number) {
  const batches = batch === null ? null : [{ batch, quantity }];
  return { item, warehouse, zone: undefined, quantity, batches };
}

/** Plans the reversal of all movements of a document, each at its own place. */
export function planUndo(doc: Doc, shelves: Shelves): Plan {
  const trial = shelves.copy();
  const refusals: string[] = [];
  const moves = doc.lines.map((line) => {
    const parts = line.moved.map(({ place, quantity }) => ({ place, quantity: -quantity }));
    for (const { place, quantity } of parts) {
      if (quantity > 0) continue;
      if (trial.at(place) < -quantity) refusals.push('insufficient_stock');
      else trial.add({ place, quantity });
    }
    return { line, parts, back: [] };
  });
  return planned(moves, refusals);
}

/** Returns the plan; an expired batch is reported before missing goods. */
function planned(moves: Plan['moves'], refusals: readonly string[]): Plan {
  const refused = refusals.includes('batch_expired') ? 'batch_expired' : refusals[0];
  return refused === undefined ? { moves } : { moves, refused };
}

/** Carries a plan out. */
export function carryOut({ moves }: Plan, shelves: Shelves): void {
  for (const { line, parts, back } of moves) {
    for (const part of parts) shelves.add(part);
    line.moved = [...parts];
    line.left =
      line.doc.corrects === null ? parts.map(({ place, quantity }) => ({ place, quantity: Math.abs(quantity) })) : [];
    line.takenBack = back;
    for (const { of, quantity } of back) of.quantity -= quantity;
  }
}

/** Carries out what undoes a document. */
export function carryBack({ moves }: Plan, shelves: Shelves): void {
  for (const { line, parts } of moves) {
    for (const part of parts) shelves.add(part);
    line.moved = [];
    for (const { of, quantity } of line.takenBack) of.quantity += quantity;
    line.takenBack = [];
  }
}
