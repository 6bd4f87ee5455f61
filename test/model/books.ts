/**
 * The plain model: documents, open quantities, stock and numbers as anybody would keep them on paper, without a line of the
 * service's code. Quantities are quarters, which binary floats hold exactly.
 */

export const TYPES = ['SO', 'SDN', 'SINV', 'PO', 'PDN', 'PINV'] as const;
export type Type = (typeof TYPES)[number];

export interface Doc {
  readonly type: Type;
  id: string;
  status: 'D' | 'O' | 'P' | 'C' | 'X';
  number: number | null;
  readonly lines: Line[];
}

export interface Line {
  readonly doc: Doc;
  id: string;
  readonly item: number;
  readonly quantity: number;
  readonly base: Line | null;
  delivered: number;
  invoiced: number;
  /** Given up when the order was closed. */
  closed: number;
}

/** A line that is asked for. */
export interface Wanted {
  readonly item: number;
  readonly quantity: number;
  readonly base: Line | null;
}

export interface Level {
  onHand: number;
  reserved: number;
  incoming: number;
}

/** The code of the refusal, or what is done, once the service has done it too. */
export type Outcome = { readonly refused: string } | { readonly apply: (answer: Answer) => void };

/** What the service answered, as far as the model needs it. */
export interface Answer {
  readonly id: string;
  readonly lines: readonly { readonly id: string }[];
}

export const isOrder = ({ type }: Doc) => type === 'SO' || type === 'PO';
export const isNote = ({ type }: Doc) => type === 'SDN' || type === 'PDN';
export const isInvoice = ({ type }: Doc) => type === 'SINV' || type === 'PINV';
const isSale = ({ type }: Doc) => type.startsWith('S');

export function openOf(line: Line): number {
  if (isInvoice(line.doc)) return 0;
  return Math.max(0, line.quantity - line.delivered - line.invoiced - line.closed);
}

export class Books {
  readonly docs: Doc[] = [];
  readonly levels: Level[];
  readonly next: Record<Type, number>;

  constructor(items: number, next: Record<Type, number>) {
    this.levels = Array.from({ length: items }, () => ({ onHand: 0, reserved: 0, incoming: 0 }));
    this.next = { ...next };
  }

  /** A new document, with or without bases. */
  create(type: Type, wanted: readonly Wanted[]): Outcome {
    const doc: Doc = { type, id: '', status: type.endsWith('INV') ? 'D' : 'O', number: null, lines: [] };
    for (const line of wanted) doc.lines.push({ ...line, doc, id: '', delivered: 0, invoiced: 0, closed: 0 });
    const refused = this.#refusedTake(doc) ?? (isNote(doc) ? this.#refusedMove(doc, false) : undefined);
    if (refused !== undefined) return { refused };
    return {
      apply: (answer) => {
        doc.id = answer.id;
        doc.lines.forEach((line, index) => {
          line.id = answer.lines[index]?.id ?? '';
        });
        this.docs.push(doc);
        if (!isInvoice(doc)) doc.number = this.next[type]++;
        if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, line.quantity);
        this.#take(doc, 1);
        if (isNote(doc)) this.#move(doc, 1);
      },
    };
  }

  post(doc: Doc): Outcome {
    if (!isInvoice(doc) || doc.status !== 'D') return { refused: 'invalid_transition' };
    const refused = this.#refusedMove(doc, false);
    if (refused !== undefined) return { refused };
    return {
      apply: () => {
        this.#move(doc, 1);
        doc.status = 'O';
        doc.number = this.next[doc.type]++;
      },
    };
  }

  cancel(doc: Doc): Outcome {
    // Orders and notes from which nothing was taken; invoices, drafts or posted.
    if (doc.status !== 'O' && !(isInvoice(doc) && doc.status === 'D')) return { refused: 'invalid_transition' };
    const moved = isNote(doc) || (isInvoice(doc) && doc.status === 'O');
    const refused = moved ? this.#refusedMove(doc, true) : undefined;
    if (refused !== undefined) return { refused };
    return {
      apply: () => {
        if (moved) this.#move(doc, -1);
        if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, -openOf(line));
        this.#take(doc, -1);
        doc.status = 'X';
      },
    };
  }

  /** What is open of an order is given up. */
  close(doc: Doc): Outcome {
    if (!isOrder(doc) || !['O', 'P'].includes(doc.status)) return { refused: 'invalid_transition' };
    return {
      apply: () => {
        for (const line of doc.lines) {
          this.#commit(line, -openOf(line));
          line.closed += openOf(line);
        }
        doc.status = 'C';
      },
    };
  }

  /** Drafts of invoices are deleted without a trace, and so is the last receipt, whose number is free again. */
  remove(doc: Doc): Outcome {
    const receipt = doc.type === 'PDN' && doc.status === 'O';
    if (!receipt && !(isInvoice(doc) && doc.status === 'D')) return { refused: 'invalid_transition' };
    if (receipt && doc.number !== this.next.PDN - 1) return { refused: 'not_last_of_series' };
    // Cancelled documents name it, too.
    if (this.docs.some(({ lines }) => lines.some(({ base }) => base?.doc === doc))) return { refused: 'in_use' };
    const refused = receipt ? this.#refusedMove(doc, true) : undefined;
    if (refused !== undefined) return { refused };
    return {
      apply: () => {
        if (receipt) {
          this.#move(doc, -1);
          this.next.PDN--;
        }
        this.#take(doc, -1);
        this.docs.splice(this.docs.indexOf(doc), 1);
      },
    };
  }

  /** What was counted is what is there. */
  count(item: number, counted: number): Outcome {
    return {
      apply: () => {
        (this.levels[item] as Level).onHand = counted;
      },
    };
  }

  /** Why the bases do not give what the document wants of them. */
  #refusedTake(doc: Doc): string | undefined {
    const code = isInvoice(doc) ? 'over_invoicing' : 'over_delivery';
    const used = new Map<Line, number>();
    for (const { base, quantity } of doc.lines) {
      if (base === null) continue;
      if (base.doc.status === 'X') return 'validation_failed';
      const sofar = (used.get(base) ?? 0) + quantity;
      if (base.doc.status === 'C' || sofar > openOf(base)) return code;
      used.set(base, sofar);
    }
    return undefined;
  }

  #take(doc: Doc, sign: 1 | -1): void {
    const bases = new Set<Doc>();
    for (const { base, quantity } of doc.lines) {
      if (base === null) continue;
      const before = openOf(base);
      if (isInvoice(doc)) base.invoiced += sign * quantity;
      else base.delivered += sign * quantity;
      if (isOrder(base.doc)) this.#commit(base, openOf(base) - before);
      bases.add(base.doc);
    }
    for (const base of bases) base.status = progressOf(base);
  }

  #commit(line: Line, change: number): void {
    this.#level(line)[isSale(line.doc) ? 'reserved' : 'incoming'] += change;
  }

  /** Stock never falls below zero. */
  #refusedMove(doc: Doc, undo: boolean): string | undefined {
    const out = isSale(doc) !== undo;
    if (!out) return undefined;
    const wanted = this.levels.map(() => 0);
    for (const line of movingOf(doc)) wanted[line.item] = (wanted[line.item] ?? 0) + line.quantity;
    return wanted.some((quantity, item) => quantity > (this.levels[item]?.onHand ?? 0))
      ? 'insufficient_stock'
      : undefined;
  }

  #move(doc: Doc, sign: 1 | -1): void {
    for (const line of movingOf(doc)) this.#level(line).onHand += (isSale(doc) ? -1 : 1) * sign * line.quantity;
  }

  #level({ item }: Line): Level {
    return this.levels[item] as Level;
  }
}

/** All lines of a note; those of an invoice that no note has moved. */
function movingOf(doc: Doc): Line[] {
  return doc.lines.filter(({ base }) => isNote(doc) || base === null || isOrder(base.doc));
}

function progressOf({ lines }: Doc): Doc['status'] {
  if (lines.every((line) => openOf(line) === 0)) return 'C';
  return lines.some(({ delivered, invoiced }) => delivered + invoiced > 0) ? 'P' : 'O';
}
