/** Operations on existing documents, by the service and the model alike. */
import { cancelDocument } from '../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../services/trade/lifecycle/close.ts';
import { deleteDocument } from '../../services/trade/lifecycle/delete.ts';
import { duplicateDocument } from '../../services/trade/lifecycle/duplicate.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { updateDocument } from '../../services/trade/lifecycle/update/update.ts';
import type { Answer, Books, Change } from './books.ts';
import type { Step } from './commands.ts';
import { type Doc, isOrder } from './paper.ts';
import { batchDetailsInput, both, lineInput, type Real } from './real.ts';
import { chooseBatches, chosen, type Way, type Wish, wantedLine } from './wishes.ts';

const any = { ifMatch: null };

/** Change of an existing line; null keeps a member, zero quarters removes the line. */
export interface Edit {
  readonly quarters: number | null;
  readonly price: number | null;
}

/** Another list of lines. */
export class Patch implements Step {
  readonly #which: number;
  readonly #edits: readonly Edit[];
  readonly #added: readonly Wish[];
  readonly #way: Way;
  constructor(which: number, edits: readonly Edit[], added: readonly Wish[], way: Way) {
    this.#which = which;
    this.#edits = edits;
    this.#added = added;
    this.#way = way;
  }
  /** Drafts that correct another document change by rules of their own (test/api/trade/documents/changes.test.ts). */
  #fits = (doc: Doc) => {
    if (doc.status === 'D' && doc.corrects !== null) return false;
    return isOrder(doc) || doc.status === 'D' || this.#which === 0;
  };
  check = ({ docs }: Readonly<Books>) => docs.some(this.#fits);
  async run(books: Books, real: Real): Promise<void> {
    const doc = chosen(books.docs.filter(this.#fits), this.#which);
    const change = this.#changeOf(doc);
    const { company } = real;
    await both(books, real, isOrder(doc) ? 'patch order' : 'patch', books.patch(doc, change), async () => {
      const kept = change.kept.map(({ line, quantity, price, batches }) => ({
        id: line.id,
        ...(quantity === line.quantity ? {} : { quantity }),
        ...(price === line.price ? {} : { price: price / 100 }),
        ...(batches === null || batches === line.batches ? {} : { batchDetails: batchDetailsInput(batches) }),
      }));
      const lines = [...kept, ...change.added.map((line) => lineInput(real, line))];
      return (await company.run((trx) =>
        updateDocument(trx, company.ctx, doc.id, { lines }, any),
      )) as unknown as Answer;
    });
  }
  #changeOf(doc: Doc): Change {
    const kept = doc.lines.flatMap((line, index) => {
      const { quarters, price } = this.#edits[index % this.#edits.length] as Edit;
      if (quarters === 0 && doc.lines.length + this.#added.length > 1) return [];
      const quantity = quarters ? quarters / 4 : line.quantity;
      const other = quantity !== line.quantity && line.batches !== null;
      const batches = other
        ? chooseBatches(doc.type, line.item, quantity, { ...this.#way, named: this.#way.named ?? [0, 2] })
        : line.batches;
      return [{ line, quantity, price: price ?? line.price, batches }];
    });
    const added = this.#added.map((wish) => wantedLine(doc.type, wish));
    return kept.length + added.length > 0
      ? { kept, added }
      : { kept: doc.lines.map((line) => ({ ...line, line })), added };
  }
  toString = () => `patch #${this.#which} ${JSON.stringify([this.#edits, this.#added, this.#way])}`;
}

type Action = 'post' | 'cancel' | 'close' | 'remove' | 'duplicate';

export class Act implements Step {
  readonly #action: Action;
  readonly #which: number;
  readonly #fits: (doc: Doc) => boolean;
  constructor(action: Action, which: number, fits: (doc: Doc) => boolean = () => true) {
    this.#action = action;
    this.#which = which;
    this.#fits = fits;
  }
  check = ({ docs }: Readonly<Books>) => docs.some(this.#fits);
  async run(books: Books, real: Real): Promise<void> {
    const fitting = books.docs.filter(this.#fits);
    const doc = fitting[this.#which % fitting.length] as Doc;
    const { run, ctx } = real.company;
    await both(books, real, this.#action, books[this.#action](doc), async () => {
      if (this.#action === 'duplicate') {
        return (await run((trx) => duplicateDocument(trx, ctx, doc.id, any))) as unknown as Answer;
      }
      const work = { post: postInvoice, cancel: cancelDocument, close: closeOrder, remove: deleteDocument }[
        this.#action
      ];
      await run<unknown>((trx) => work(trx, ctx, doc.id, any));
      return doc;
    });
  }
  toString = () => `${this.#action} #${this.#which}`;
}
