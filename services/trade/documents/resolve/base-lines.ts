import { ServiceError } from '../../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../../domain/money.ts';
import { openQuantityFor, type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { DOCUMENT_TYPES } from '../../../../domain/trade/documents/types.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseDocument, BaseLine, References } from './references.ts';

/** Base lines with open quantities, consumed by a document's lines one after another. */
export class BaseLines {
  readonly #step: Step;
  readonly #references: References;
  readonly #taken = new Map<string, Decimal>();
  readonly #queues = new Map<string, LineQueue>();

  constructor(step: Step, references: References) {
    this.#step = step;
    this.#references = references;
  }

  /**
   * Finds the named line, or the first line of the base with that item that is still open; undefined if there is none.
   */
  find(base: BaseDocument, line: DocumentLineInput): BaseLine | undefined {
    const queue = this.#queue(base);
    if (line.baseLineId !== undefined) return queue.byId.get(line.baseLineId);
    const candidates = line.itemId === undefined ? queue.all : queue.byItem.get(line.itemId);
    if (!candidates) return undefined;
    // Consumed lines stay consumed: the cursor only advances, so that long documents are walked once.
    while (
      candidates.next < candidates.lines.length - 1 &&
      this.#open(base, candidates.lines[candidates.next]).lte(0)
    ) {
      candidates.next++;
    }
    return candidates.lines[candidates.next];
  }

  /**
   * Takes a positive quantity from a base line.
   * @returns the quantity taken from it before
   * @throws ServiceError over_delivery, over_invoicing
   */
  take(base: BaseDocument, baseLine: BaseLine, quantity: Decimal, pointer: string): Decimal {
    const open = this.#open(base, baseLine);
    const allowOver = this.#references.allowOverDelivery && !takesBack(this.#step);
    if (decimal(quantity).gt(open) && !allowOver) {
      throw overTakenError(this.#step, pointer, {
        code: base.code,
        lineNumber: baseLine.lineNumber,
        open: open.lt(0) ? '0' : open.toFixed(),
      });
    }
    const taken = decimal(this.#taken.get(baseLine.id) ?? 0);
    this.#taken.set(baseLine.id, taken.plus(quantity).toFixed());
    return decimal(baseLine.quantity).minus(open).toFixed();
  }

  #open(base: BaseDocument, line: BaseLine | undefined): ReturnType<typeof decimal> {
    if (!line) return decimal(0);
    return decimal(openQuantityFor(this.#step, DOCUMENT_TYPES[base.docType].kind, line)).minus(
      this.#taken.get(line.id) ?? 0,
    );
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

/** The error code for taking too much: goods are delivered and returned, amounts invoiced and rectified. */
export function overTakenCode(step: Step): 'over_ordering' | 'over_delivery' | 'over_invoicing' {
  if (step === 'order') return 'over_ordering';
  return step === 'deliver' || step === 'return' ? 'over_delivery' : 'over_invoicing';
}

/** Builds the 409 for taking more from a base line than is open, or than can be taken back. */
export function overTakenError(
  step: Step,
  pointer: string,
  base: { readonly code: string | null; readonly lineNumber: number; readonly open: Decimal },
): ServiceError {
  const code = overTakenCode(step);
  const left = takesBack(step) ? `${base.open} left to ${step}` : `${base.open} open`;
  return new ServiceError(code, `Line ${base.lineNumber} of ${base.code} has only ${left}`, {
    errors: [{ pointer, code, message: `only ${left}` }],
  });
}
