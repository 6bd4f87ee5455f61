/** What is done to the service and to the model alike. After each command both must look the same. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../domain/errors.ts';
import { cancelDocument, postInvoice } from '../../services/documents/actions.ts';
import { closeOrder } from '../../services/documents/close.ts';
import { createDocument } from '../../services/documents/create.ts';
import { deleteDocument } from '../../services/documents/delete.ts';
import { adjustStock } from '../../services/stock/operations/adjust.ts';
import type { TestCompany } from '../helpers/company.ts';
import {
  type Answer,
  type Books,
  type Doc,
  isInvoice,
  isOrder,
  type Outcome,
  openOf,
  type Type,
  type Wanted,
} from './books.ts';

/** The service with the items of one sequence. */
export interface Real {
  readonly company: TestCompany;
  readonly items: readonly string[];
  /** How often each thing was done or refused. */
  readonly seen: Map<string, number>;
}

type Step = fc.AsyncCommand<Books, Real>;

const any = { ifMatch: null };

/** How many quarters of an item, by its place among the sequence's. */
interface Amount {
  readonly item: number;
  readonly quarters: number;
}

const amounts = (items: number) =>
  fc.array(fc.record({ item: fc.nat(items - 1), quarters: fc.integer({ min: 1, max: 24 }) }), {
    minLength: 1,
    maxLength: 3,
  });

const which = fc.nat(11);

/** All commands, those of everyday more often than others. */
export function commandsOf(items: number): fc.Arbitrary<Step>[] {
  const create = (...types: Type[]) =>
    fc.tuple(fc.constantFrom(...types), amounts(items)).map(([type, lines]) => new Create(type, lines));
  // In quarters of what is open: five take more than that.
  const share = fc.constantFrom(1, 2, 4, 4, 5);
  const follow = (...types: Type[]) =>
    fc.tuple(fc.constantFrom(...types), which, share).map((parts) => new Follow(...parts));
  return [
    create('SO', 'PO'),
    create('PDN', 'SDN'),
    create('SINV', 'PINV'),
    follow('SDN', 'PDN'),
    follow('SDN', 'SINV', 'PINV'),
    which.map((index) => new Act('post', index)),
    which.map((index) => new Act('post', index, isInvoice)),
    which.map((index) => new Act('cancel', index)),
    which.map((index) => new Act('close', index, isOrder)),
    which.map((index) => new Act('remove', index)),
    fc.tuple(fc.nat(items - 1), fc.nat(60)).map(([item, quarters]) => new Count(item, quarters)),
  ];
}

const BASES: Readonly<Record<Type, readonly Type[]>> = {
  SO: [],
  SDN: ['SO'],
  SINV: ['SO', 'SDN'],
  PO: [],
  PDN: ['PO'],
  PINV: ['PO', 'PDN'],
};

class Create implements Step {
  readonly #type: Type;
  readonly #lines: readonly Amount[];
  constructor(type: Type, lines: readonly Amount[]) {
    this.#type = type;
    this.#lines = lines;
  }
  check = () => true;
  async run(books: Books, real: Real): Promise<void> {
    const wanted = this.#lines.map(({ item, quarters }) => ({ item, quantity: quarters / 4, base: null }));
    await both(books, real, this.#type, books.create(this.#type, wanted), () => createOf(real, this.#type, wanted));
  }
  toString = () => `create ${this.#type} ${JSON.stringify(this.#lines)}`;
}

/** The next document of one that is there: what it wants of each line is a share of what is open. */
class Follow implements Step {
  readonly #type: Type;
  readonly #which: number;
  readonly #share: number;
  constructor(type: Type, which: number, share: number) {
    this.#type = type;
    this.#which = which;
    this.#share = share;
  }
  check = (books: Readonly<Books>) => books.docs.some(({ type }) => BASES[this.#type].includes(type));
  async run(books: Books, real: Real): Promise<void> {
    const base = chosen(books, this.#which, ({ type }) => BASES[this.#type].includes(type));
    const wanted = base.lines.map((line): Wanted => {
      const quarters = (openOf(line) || line.quantity) * 4;
      return { item: line.item, quantity: Math.max(1, Math.floor((quarters * this.#share) / 4)) / 4, base: line };
    });
    await both(books, real, this.#type, books.create(this.#type, wanted), () => createOf(real, this.#type, wanted));
  }
  toString = () => `follow ${this.#type} #${this.#which} ${this.#share}/4`;
}

type Action = 'post' | 'cancel' | 'close' | 'remove';

class Act implements Step {
  readonly #action: Action;
  readonly #which: number;
  readonly #fits: (doc: Doc) => boolean;
  constructor(action: Action, which: number, fits: (doc: Doc) => boolean = () => true) {
    this.#action = action;
    this.#which = which;
    this.#fits = fits;
  }
  check = (books: Readonly<Books>) => books.docs.some(this.#fits);
  async run(books: Books, real: Real): Promise<void> {
    const doc = chosen(books, this.#which, this.#fits);
    const { company } = real;
    const work = { post: postInvoice, cancel: cancelDocument, close: closeOrder, remove: deleteDocument }[this.#action];
    await both(books, real, this.#action, books[this.#action](doc), async () => {
      await company.run<unknown>((trx) => work(trx, company.ctx, doc.id, any));
      return { id: doc.id, lines: doc.lines };
    });
  }
  toString = () => `${this.#action} #${this.#which}`;
}

/** A stocktaking of one item. */
class Count implements Step {
  readonly #item: number;
  readonly #quarters: number;
  constructor(item: number, quarters: number) {
    this.#item = item;
    this.#quarters = quarters;
  }
  check = () => true;
  async run(books: Books, real: Real): Promise<void> {
    const { company, items } = real;
    const countedQuantity = this.#quarters / 4;
    const lines = [{ itemId: items[this.#item] as string, countedQuantity }];
    await both(books, real, 'count', books.count(this.#item, countedQuantity), async () => {
      const input = { warehouseId: company.warehouseId, reason: 'counted', lines };
      await company.run((trx) => adjustStock(trx, company.ctx, input));
      return { id: '', lines: [] };
    });
  }
  toString = () => `count ${this.#item} ${this.#quarters}/4`;
}

function chosen(books: Books, which: number, fits: (doc: Doc) => boolean): Doc {
  const candidates = books.docs.filter(fits);
  return candidates[which % candidates.length] as Doc;
}

async function createOf({ company, items }: Real, type: Type, wanted: readonly Wanted[]): Promise<Answer> {
  const partnerId = type.startsWith('S') ? company.customerId : company.supplierId;
  const lines = wanted.map(({ item, quantity, base }) =>
    base === null
      ? { itemId: items[item] as string, quantity }
      : { baseId: base.doc.id, baseLineId: base.id, quantity },
  );
  const made = await company.run((trx) => createDocument(trx, company.ctx, type, { partnerId, lines }));
  return made as unknown as Answer;
}

/** Does it for real, and checks that the model foretold what came of it. */
async function both(
  books: Books,
  real: Real,
  what: string,
  outcome: Outcome,
  act: () => Promise<Answer>,
): Promise<void> {
  const answer = await act().catch((error: unknown) => {
    if (error instanceof ServiceError) return error.code;
    throw error;
  });
  const result = 'refused' in outcome ? `${what} ${outcome.refused}` : what;
  real.seen.set(result, (real.seen.get(result) ?? 0) + 1);
  if ('refused' in outcome) assert.equal(answer, outcome.refused);
  else {
    assert.ok(typeof answer === 'object', `refused with ${String(answer)}, which the model allows`);
    outcome.apply(answer);
  }
  assert.deepEqual(await stateOf(real, books.docs), {
    levels: books.levels,
    docs: books.docs.map(({ type, status, number, lines }) => ({
      type,
      status,
      number,
      lines: lines.map(({ quantity, delivered, invoiced, closed }) => [quantity, delivered, invoiced, closed]),
    })),
  });
}

/** The same as the model has it, as it stands in the database. */
async function stateOf({ company, items }: Real, docs: readonly Doc[]): Promise<unknown> {
  const [row] = await company.rows(
    `select (select json_agg(json_build_object('onHand', coalesce(l.on_hand, 0), 'reserved', coalesce(l.reserved, 0), 'incoming', coalesce(l.incoming, 0)) order by i.place)
       from unnest(?::uuid[]) with ordinality as i(id, place) left join stock_levels l on l.item_id = i.id) as levels,
     (select coalesce(json_agg(json_build_object('type', d.doc_type, 'status', d.status, 'number', d.number, 'lines',
         (select json_agg(json_build_array(quantity, delivered_quantity, invoiced_quantity, closed_quantity) order by line_number) from document_lines where document_id = d.id))
         order by w.place), '[]')
       from unnest(?::uuid[]) with ordinality as w(id, place) left join documents d on d.id = w.id) as docs`,
    [[...items], docs.map(({ id }) => id)],
  );
  return row;
}
