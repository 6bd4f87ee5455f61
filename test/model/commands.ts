/** New documents, made by the service and in the model alike. After each command both must look the same. */
import type fc from 'fast-check';
import { createFollowUp, invoiceNotes as makeInvoice } from '../../services/trade/lifecycle/create-follow-up.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import type { Answer, Books, Outcome } from './books.ts';
import { followUpOutcome, invoiceNotes, nextType, takeBack } from './following.ts';
import { type Doc, isInvoice, isNote, isOrder, openQuantity, type Type, type Wanted } from './paper.ts';
import { both, createBoth, type Real } from './real.ts';
import { chosen, following, returnable, takePart, type Way, type Wish, wantedLine } from './wishes.ts';

export type Step = fc.AsyncCommand<Books, Real>;

const any = { ifMatch: null };

/** A new document; an invoice is posted at once, if so wished. */
async function make(
  books: Books,
  real: Real,
  made: { what: string; outcome: Outcome; act: () => Promise<Answer>; posted: boolean },
): Promise<void> {
  const before = books.docs.length;
  await both(books, real, made.what, made.outcome, made.act);
  const doc = books.docs[before];
  if (!made.posted || doc?.status !== 'D') return;
  const { company } = real;
  await both(books, real, 'post', books.post(doc), async () => {
    await company.run((trx) => postInvoice(trx, company.ctx, doc.id, any));
    return doc;
  });
}

export class Create implements Step {
  readonly #type: Type;
  readonly #wishes: readonly Wish[];
  readonly #posted: boolean;
  constructor(type: Type, wishes: readonly Wish[], posted: boolean) {
    this.#type = type;
    this.#wishes = wishes;
    this.#posted = posted;
  }
  check = () => true;
  async run(books: Books, real: Real): Promise<void> {
    const wanted = this.#wishes.map((wish) => wantedLine(this.#type, wish));
    const outcome = books.create(this.#type, wanted);
    const act = () => createBoth(real, this.#type, wanted);
    await make(books, real, { what: this.#type, outcome, act, posted: this.#posted });
  }
  toString = () => `create ${this.#type} ${JSON.stringify(this.#wishes)}${this.#posted ? ' and post' : ''}`;
}

const BASES: Readonly<Record<Type, readonly Type[]>> = {
  SO: [],
  SDN: ['SO'],
  SINV: ['SO', 'SDN'],
  PO: [],
  PDN: ['PO'],
  PINV: ['PO', 'PDN'],
};

/** The next document of an existing one: takes a share of each line's open quantity. */
export class Follow implements Step {
  readonly #type: Type;
  readonly #which: number;
  readonly #share: number;
  readonly #way: Way;
  readonly #posted: boolean;
  constructor(type: Type, which: number, share: number, way: Way, posted: boolean) {
    this.#posted = posted;
    this.#type = type;
    this.#which = which;
    this.#share = share;
    this.#way = way;
  }
  check = ({ docs }: Readonly<Books>) => docs.some(({ type }) => BASES[this.#type].includes(type));
  async run(books: Books, real: Real): Promise<void> {
    const fitting = books.docs.filter(({ type }) => BASES[this.#type].includes(type));
    const base = chosen(fitting, this.#which);
    const open = base.lines.filter((line) => openQuantity(line) > 0);
    const wanted = (open.length > 0 ? open : base.lines).map((line): Wanted => {
      return following(this.#type, line, takePart(openQuantity(line), line, this.#share), this.#way);
    });
    const outcome = books.create(this.#type, wanted);
    const act = () => createBoth(real, this.#type, wanted);
    await make(books, real, { what: this.#type, outcome, act, posted: this.#posted });
  }
  toString = () =>
    `follow ${this.#type} #${this.#which} ${this.#share}/4 ${JSON.stringify(this.#way)}${this.#posted ? ' and post' : ''}`;
}

/** Goods of a note come back, or an invoice is rectified: a share of what is left of some lines, or all of it. */
export class TakeBack implements Step {
  readonly #step: 'return' | 'rectify';
  readonly #which: number;
  readonly #share: number | null;
  readonly #returnStock: boolean;
  readonly #posted: boolean;
  constructor(step: 'return' | 'rectify', which: number, share: number | null, returnStock: boolean, posted: boolean) {
    this.#posted = posted;
    this.#step = step;
    this.#which = which;
    this.#share = share;
    this.#returnStock = step === 'rectify' && returnStock;
  }
  #fits = (doc: Doc) => (this.#step === 'return' ? isNote(doc) : isInvoice(doc));
  check = ({ docs }: Readonly<Books>) => docs.some(this.#fits);
  async run(books: Books, real: Real): Promise<void> {
    const base = chosen(books.docs.filter(this.#fits), this.#which, returnable);
    const share = this.#share;
    const sizes =
      share === null
        ? null
        : base.lines.slice(this.#which % 2).map((line) => ({ line, size: takePart(returnable(line), line, share) }));
    const given = sizes === null || sizes.length === 0 ? null : sizes;
    const { company } = real;
    const body = {
      reason: 'as agreed',
      ...(this.#returnStock ? { returnStock: true } : {}),
      ...(given === null ? {} : { lines: given.map(({ line, size }) => ({ baseLineId: line.id, quantity: size })) }),
    };
    const what = `${this.#step}${this.#returnStock ? ' with goods' : ''}`;
    const outcome = takeBack(books, base, given, this.#returnStock);
    const act = async () => {
      const options = { ...any, docType: base.type };
      const made = await company.run((trx) => createFollowUp(trx, company.ctx, base.id, this.#step, body, options));
      return made as unknown as Answer;
    };
    await make(books, real, { what, outcome, act, posted: this.#posted });
  }
  toString = () => `${this.#step} #${this.#which} ${this.#share ?? 'all'}/4 ${this.#returnStock ? 'with stock' : ''}`;
}

/** Creates a document from all open lines of another, or one invoice from several notes. */
export class GoOn implements Step {
  readonly #which: number;
  readonly #several: boolean;
  readonly #posted: boolean;
  constructor(which: number, several: boolean, posted: boolean) {
    this.#which = which;
    this.#several = several;
    this.#posted = posted;
  }
  check = ({ docs }: Readonly<Books>) => docs.some((doc) => isNote(doc) || (isOrder(doc) && !this.#several));
  async run(books: Books, real: Real): Promise<void> {
    const { run, ctx } = real.company;
    const fitting = books.docs.filter((doc) => isNote(doc) || (isOrder(doc) && !this.#several));
    const base = chosen(fitting, this.#which);
    const type = nextType(base);
    if (!this.#several) {
      const act = async () => {
        const options = { ...any, docType: base.type };
        const step = isOrder(base) ? 'deliver' : 'invoice';
        return (await run((trx) => createFollowUp(trx, ctx, base.id, step, {}, options))) as unknown as Answer;
      };
      return await make(books, real, { what: type, outcome: followUpOutcome(books, base), act, posted: this.#posted });
    }
    const others = fitting.filter((doc) => doc !== base && doc.type === base.type);
    const notes: [Doc, ...Doc[]] = [base, ...others.slice(0, 1 + (this.#which % 2))];
    const act = async () => {
      const ids = notes.map(({ id }) => id);
      return (await run((trx) => makeInvoice(trx, ctx, type, { ids }))) as unknown as Answer;
    };
    await make(books, real, { what: 'from notes', outcome: invoiceNotes(books, notes), act, posted: this.#posted });
  }
  toString = () => `go on with ${this.#several ? 'several ' : ''}#${this.#which}${this.#posted ? ' and post' : ''}`;
}
