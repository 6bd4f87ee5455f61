/**
 * The plain model: documents, open quantities, stock and numbers as anybody would keep them on paper, without a line of the
 * service's code. It says beforehand what the service will do, or why it will refuse.
 */
import { carryBack, carryOut, NOTHING, type Plan, planMovements, planUndo } from './goods.ts';
import { documentTotals, TAX_PERCENTS } from './money.ts';
import {
  type Doc,
  documentProgress,
  isInvoice,
  isNote,
  isOrder,
  isSale,
  type Line,
  newLine,
  openQuantity,
  type Type,
  type Wanted,
} from './paper.ts';
import { refusedRetake, release, releases, retakesNotes } from './released.ts';
import { lacksBatches, overBases, refusedChange, refusedReturn, refusedTake, returnToNotes } from './rules.ts';
import { type Place, Shelves, type Take } from './shelves.ts';

/** The code of the refusal, or what is done, once the service has done it too. */
export type Outcome = { readonly refused: string } | { readonly apply: (answer: Answer) => void };

/** The part of the service's answer that the model needs. */
export interface Answer {
  readonly id: string;
  readonly lines: readonly { readonly id: string }[];
}

/** A PATCH: the lines kept, with their changes, and the lines added. All others are removed. */
export interface Change {
  readonly kept: readonly (Pick<Line, 'quantity' | 'price' | 'batches'> & { readonly line: Line })[];
  readonly added: readonly Wanted[];
}

export class Books {
  readonly docs: Doc[] = [];
  readonly shelves = new Shelves();
  /** Quantities reserved and incoming by orders, by item and warehouse. */
  readonly commitments = new Map<string, { reserved: number; incoming: number }>();
  /** The next number of each series: of a type, or `<type> R` of what rectifies. */
  readonly next: Record<string, number>;
  /** Whether each item is tracked by batch. */
  readonly byBatch: readonly boolean[];

  constructor(byBatch: readonly boolean[], next: Record<string, number>) {
    this.byBatch = byBatch;
    this.next = { ...next };
  }

  /** A new document, with or without bases, or one that takes back. */
  create(type: Type, wanted: readonly Wanted[], corrects: Doc | null = null, returnStock = false): Outcome {
    const status = type.endsWith('INV') ? 'D' : 'O';
    const doc: Doc = { type, id: '', status, number: null, lines: [], corrects, returnStock, released: false };
    doc.lines = wanted.map((line) => newLine(doc, line));
    const refused = lacksBatches(doc, this.byBatch) ?? refusedTake(doc);
    const plan = isNote(doc) ? planMovements(doc, this.shelves) : NOTHING;
    return decided(refused ?? plan.refused, (answer) => {
      doc.id = answer.id;
      identify(doc, answer);
      this.docs.push(doc);
      if (!isInvoice(doc)) this.#number(doc);
      if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, openQuantity(line));
      this.#take(doc, 1);
      carryOut(plan, this.shelves);
    });
  }

  /** The same once more. */
  duplicate(doc: Doc): Outcome {
    if (doc.corrects !== null) return { refused: 'invalid_transition' };
    const wanted = doc.lines.map((line): Wanted => {
      return { ...line, base: null, batches: isSale(doc) ? null : line.batches, allowExpired: false };
    });
    return this.create(doc.type, wanted);
  }

  patch(doc: Doc, { kept, added }: Change): Outcome {
    const draft = isInvoice(doc) && doc.status === 'D';
    if (!draft && !(isOrder(doc) && ['O', 'P'].includes(doc.status))) return { refused: 'invalid_transition' };
    const refused = isOrder(doc) ? refusedChange(doc, kept, this.docs) : overBases(doc, kept);
    return decided(refused, (answer) => {
      if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, -openQuantity(line));
      this.#take(doc, -1);
      const stay = kept.map(({ line, quantity, price, batches }) => {
        if (quantity !== line.quantity) line.closed = 0;
        return Object.assign(line, { quantity, price, batches });
      });
      doc.lines = [...stay, ...added.map((line) => newLine(doc, line))];
      identify(doc, answer);
      this.#take(doc, 1);
      if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, openQuantity(line));
      doc.status = documentProgress(doc);
    });
  }

  post(doc: Doc): Outcome {
    if (!isInvoice(doc) || doc.status !== 'D') return { refused: 'invalid_transition' };
    const plan = doc.corrects === null || doc.returnStock ? planMovements(doc, this.shelves) : NOTHING;
    return decided(plan.refused ?? refusedReturn(doc), () => {
      carryOut(plan, this.shelves);
      returnToNotes(doc, 1);
      if (releases(doc, this.docs)) release(doc.corrects as Doc, true);
      // A total of zero counts as paid.
      doc.status = documentTotals(doc.lines, TAX_PERCENTS).total === 0 ? 'C' : 'O';
      this.#number(doc);
    });
  }

  cancel(doc: Doc): Outcome {
    // Orders and notes from which nothing was taken; invoices, drafts or posted.
    if (doc.status !== 'O' && !(isInvoice(doc) && 'DC'.includes(doc.status))) return { refused: 'invalid_transition' };
    if (isInvoice(doc) && this.docs.some(({ corrects, status }) => corrects === doc && status !== 'X')) {
      return { refused: 'in_use' };
    }
    const plan = planUndo(doc, this.shelves);
    const retakes = retakesNotes(doc);
    return decided(plan.refused ?? (retakes ? refusedRetake(doc.corrects as Doc) : undefined), () => {
      if (retakes) release(doc.corrects as Doc, false);
      if (isOrder(doc)) for (const line of doc.lines) this.#commit(line, -openQuantity(line));
      this.#giveBack(doc, plan);
      doc.status = 'X';
    });
  }

  /** Closes an order, giving up its open quantities. */
  close(doc: Doc): Outcome {
    if (!isOrder(doc) || !['O', 'P'].includes(doc.status)) return { refused: 'invalid_transition' };
    return decided(undefined, () => {
      for (const line of doc.lines) {
        this.#commit(line, -openQuantity(line));
        line.closed += openQuantity(line);
      }
      doc.status = 'C';
    });
  }

  /** Drafts of invoices are deleted without a trace, and so is the last receipt, whose number is free again. */
  remove(doc: Doc): Outcome {
    const receipt = doc.type === 'PDN' && doc.status === 'O';
    if (!receipt && !(isInvoice(doc) && doc.status === 'D')) return { refused: 'invalid_transition' };
    if (receipt && doc.number !== (this.next.PDN as number) - 1) return { refused: 'not_last_of_series' };
    // Cancelled documents name it, too.
    if (this.docs.some(({ lines }) => lines.some(({ base }) => base?.doc === doc))) return { refused: 'in_use' };
    const plan = planUndo(doc, this.shelves);
    return decided(plan.refused, () => {
      if (receipt) this.next.PDN = doc.number as number;
      this.#giveBack(doc, plan);
      this.docs.splice(this.docs.indexOf(doc), 1);
    });
  }

  /** Sets the stock of a place to the counted quantity. */
  count(place: Place, counted: number): Outcome {
    return decided(undefined, () => this.shelves.add({ place, quantity: counted - this.shelves.at(place) }));
  }

  transfer(take: Omit<Take, 'allowExpired' | 'allowPending'>, to: Pick<Place, 'warehouse' | 'zone'>): Outcome {
    const within = take.warehouse === to.warehouse;
    if (within && (take.zone ?? null) === to.zone) return { refused: 'validation_failed' };
    const zone = within ? (take.zone ?? null) : (take.zone ?? undefined);
    const named = take.batches !== null;
    const { parts, refused } = this.shelves.copy().take({ ...take, zone, allowExpired: named, allowPending: named });
    return decided(refused, () => {
      for (const { place, quantity } of parts) {
        this.shelves.add({ place, quantity });
        this.shelves.add({ place: { ...place, ...to }, quantity: -quantity });
      }
    });
  }

  #giveBack(doc: Doc, plan: Plan): void {
    carryBack(plan, this.shelves);
    if (doc.status !== 'D') returnToNotes(doc, -1);
    this.#take(doc, -1);
  }

  #take(doc: Doc, sign: 1 | -1): void {
    const member = doc.corrects !== null ? 'returned' : isInvoice(doc) ? 'invoiced' : 'delivered';
    for (const { base, quantity } of doc.lines) {
      if (base === null) continue;
      const before = openQuantity(base);
      base[member] += sign * Math.abs(quantity);
      if (isOrder(base.doc)) this.#commit(base, openQuantity(base) - before);
    }
    for (const { base } of doc.lines) if (base !== null) base.doc.status = documentProgress(base.doc);
  }

  #commit({ doc, item, warehouse }: Line, change: number): void {
    const key = `${item} ${warehouse}`;
    const known = this.commitments.get(key) ?? { reserved: 0, incoming: 0 };
    known[isSale(doc) ? 'reserved' : 'incoming'] += change;
    this.commitments.set(key, known);
  }

  #number(doc: Doc): void {
    const series = isInvoice(doc) && doc.corrects !== null ? `${doc.type} R` : doc.type;
    const number = this.next[series] as number;
    this.next[series] = number + 1;
    doc.number = number;
  }
}

function decided(refused: string | undefined, apply: (answer: Answer) => void): Outcome {
  return refused === undefined ? { apply } : { refused };
}

function identify(doc: Doc, answer: Answer): void {
  doc.lines.forEach((line, index) => {
    line.id = answer.lines[index]?.id ?? '';
  });
}
