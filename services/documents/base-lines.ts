import { openQuantity } from '../../domain/documents/progress.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../domain/documents/types.ts';
import { ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal } from '../../domain/money.ts';
import type { DocumentLineInput } from './input.ts';
import type { BaseDocument, BaseLine, References } from './references.ts';

/** The lines that a document's bases still have open, as its own lines use them up one after another. */
export class BaseLines {
  readonly #kind: DocumentKind;
  readonly #references: References;
  readonly #taken = new Map<string, Decimal>();
  readonly #queues = new Map<string, LineQueue>();

  constructor(kind: DocumentKind, references: References) {
    this.#kind = kind;
    this.#references = references;
  }

  /** The line named, or else the first of the base with that item that is still open; undefined when there is none. */
  find(base: BaseDocument, line: DocumentLineInput): BaseLine | undefined {
    const queue = this.#queue(base);
    if (line.baseLineId !== undefined) return queue.byId.get(line.baseLineId);
    const candidates = line.itemId === undefined ? queue.all : queue.byItem.get(line.itemId);
    if (!candidates) return undefined;
    // What is used up stays used up: the cursor only moves on, so that long documents are walked once.
    while (
      candidates.next < candidates.lines.length - 1 &&
      this.#open(base, candidates.lines[candidates.next]).lte(0)
    ) {
      candidates.next++;
    }
    return candidates.lines[candidates.next];
  }

  /** Takes a quantity of a base line. @throws ServiceError over_delivery, over_invoicing */
  take(base: BaseDocument, baseLine: BaseLine, quantity: Decimal, pointer: string): void {
    const open = this.#open(base, baseLine);
    if (decimal(quantity).gt(open) && !this.#references.allowOverDelivery) {
      throw overTaken(this.#kind, pointer, { code: base.code, lineNumber: baseLine.lineNumber, open: open.toFixed() });
    }
    this.#taken.set(
      baseLine.id,
      decimal(this.#taken.get(baseLine.id) ?? 0)
        .plus(quantity)
        .toFixed(),
    );
  }

  #open(base: BaseDocument, line: BaseLine | undefined): ReturnType<typeof decimal> {
    if (!line) return decimal(0);
    return decimal(openQuantity(DOCUMENT_TYPES[base.docType].kind, line)).minus(this.#taken.get(line.id) ?? 0);
  }

  #queue(base: BaseDocument): LineQueue {
    const known = this.#queues.get(base.id);
    if (known) return known;
    const queue: LineQueue = { byId: new Map(), byItem: new Map(), all: { lines: base.lines, next: 0 } };
    for (const line of base.lines) {
      queue.byId.set(line.id, line);
      if (line.itemId === null) continue;
      const sameItem = queue.byItem.get(line.itemId) ?? { lines: [] as BaseLine[], next: 0 };
      (sameItem.lines as BaseLine[]).push(line);
      queue.byItem.set(line.itemId, sameItem);
    }
    this.#queues.set(base.id, queue);
    return queue;
  }
}

interface Candidates {
  readonly lines: readonly BaseLine[];
  next: number;
}

interface LineQueue {
  readonly byId: Map<string, BaseLine>;
  readonly byItem: Map<string, Candidates>;
  readonly all: Candidates;
}

/** The 409 for taking more than a base line has open. `kind` is that of the document that takes. */
export function overTaken(
  kind: DocumentKind,
  pointer: string,
  base: { readonly code: string | null; readonly lineNumber: number; readonly open: Decimal },
): ServiceError {
  const code = kind === 'invoice' ? 'over_invoicing' : 'over_delivery';
  return new ServiceError(code, `Line ${base.lineNumber} of ${base.code} has only ${base.open} open`, {
    errors: [{ pointer, code, message: `only ${base.open} is open` }],
  });
}
