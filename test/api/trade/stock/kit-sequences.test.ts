import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decimal } from '../../../../domain/money.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openBooks } from '../../ledger/accounting/books.ts';
import { openTill } from '../payments/till.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;
interface Paper {
  readonly path: string;
  readonly id: string;
  readonly lineIds: readonly string[];
}

const ORDERS = '/api/sales';
const NOTES = '/api/sales/delivery-notes';
const INVOICES = '/api/sales/invoices';
/** Actions on documents, and where that which follows is found. */
const ACTIONS = [
  { path: ORDERS, action: 'deliver', makes: NOTES, partial: true },
  { path: ORDERS, action: 'invoice', makes: INVOICES, partial: true },
  { path: ORDERS, action: 'close' },
  { path: ORDERS, action: 'cancel' },
  { path: NOTES, action: 'return', makes: NOTES, partial: true },
  { path: NOTES, action: 'invoice', makes: INVOICES, partial: true },
  { path: NOTES, action: 'cancel' },
  { path: INVOICES, action: 'post' },
  { path: INVOICES, action: 'rectify', makes: INVOICES, partial: true, body: { reason: 'Error', returnStock: true } },
] as const;

const quarters = fc.integer({ min: 1, max: 32 }).map((count) => count / 4);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ makes: fc.constantFrom(ORDERS, NOTES, INVOICES), quantity: quarters }) },
  {
    weight: 5,
    arbitrary: fc.record({
      of: fc.nat(),
      action: fc.constantFrom(...ACTIONS),
      quantity: fc.option(quarters, { freq: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ changes: fc.nat(), quantity: quarters }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
const perKit = fc.integer({ min: 1, max: 5000 }).map((count) => count / 1000);

/** In every document a kit and an ordinary item are sold in the same quantity: the components move as the item does. */
describe('sequences of documents with kits', function () {
  this.timeout(300_000);
  const app = useApp();
  const till = use(() => openTill(app));
  const books = use(() => openBooks(app));
  const STOCK = 20;

  async function readStock(itemId: string): Promise<{ onHand: number; reserved: number }> {
    const { onHand, reserved } = (await app.client.get(`/api/stock/availability?itemId=${itemId}`)).body;
    return { onHand, reserved };
  }

  /** An item, and a kit of others, with stock for as many. */
  async function furnish(quantities: readonly number[]) {
    const { uomId } = (await app.client.get(`/api/items/${till.itemId}`)).body.data;
    const item = async (more: object): Promise<string> =>
      (await books.make<Data>('/api/items', { name: 'Part', uomId, salePrice: 10, ...more })).id;
    const [twin, kit] = [await item({}), await item({ kit: true })];
    const parts: { id: string; quantity: number }[] = [];
    for (const quantity of quantities) {
      const id = await item({ costMethod: quantity < 1 ? 'fifo' : 'average' });
      await books.make(`/api/items/${kit}/components`, { componentId: id, quantity });
      parts.push({ id, quantity });
    }
    const lines = [{ id: twin, quantity: 1 }, ...parts].map(({ id, quantity }) => ({
      ...{ itemId: id, quantity: decimal(quantity).times(STOCK).toNumber(), price: 1.37 },
    }));
    await books.make(NOTES.replace('sales', 'purchases'), { partnerId: till.supplierId, lines });
    return { twin, kit, parts };
  }

  async function assertAlike(twin: string, parts: readonly { id: string; quantity: number }[]): Promise<void> {
    const item = await readStock(twin);
    for (const { id, quantity } of parts) {
      const times = (count: number) => decimal(count).times(quantity).toNumber();
      const expected = { onHand: times(item.onHand), reserved: times(item.reserved) };
      assert.deepEqual(await readStock(id), expected, `${quantity} in each kit`);
    }
  }

  it('move and reserve components as they do an ordinary item (property)', async () => {
    const done = new Set<string>();
    const property = fc.asyncProperty(
      fc.array(perKit, { minLength: 1, maxLength: 3 }),
      fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }),
      async (quantities, steps) => {
        const { twin, kit, parts } = await furnish(quantities);
        const papers: Paper[] = [];
        for (const one of steps) {
          const name = await take(one, papers, [kit, twin]);
          if (name !== null) done.add(name);
          await assertAlike(twin, parts);
        }
      },
    );
    await fc.assert(property, { numRuns: 5, endOnFailure: true });
    assert.ok(done.size > 8, `hardly anything was done: ${[...done].join(', ')}`);
  });

  /** Takes a step, which may be refused. @returns its name; null if it was refused, or nothing was there for it */
  async function take(one: Step, papers: Paper[], sold: readonly string[]): Promise<string | null> {
    const lines = sold.map((itemId) => ({ itemId, quantity: one.quantity }));
    if ('makes' in one) return await send('post', one.makes, { partnerId: till.customerId, lines }, one.makes, papers);
    if ('changes' in one) {
      const order = pick(papers, ORDERS, one.changes);
      const changed = order?.lineIds.map((id) => ({ id, quantity: one.quantity }));
      return order ? await send('patch', `${ORDERS}/${order.id}`, { lines: changed }, undefined, papers) : null;
    }
    const { path, action, ...rest } = one.action;
    const paper = pick(papers, path, one.of);
    if (paper === undefined) return null;
    const { makes, partial, body } = { makes: undefined, partial: false, body: {}, ...rest };
    const part = paper.lineIds.map((baseLineId) => ({ baseLineId, quantity: one.quantity }));
    const given = partial && one.quantity !== null ? { ...body, lines: part } : body;
    return await send('post', `${path}/${paper.id}/${action}`, given, makes, papers);
  }

  async function send(
    method: 'post' | 'patch',
    path: string,
    body: object,
    makes: string | undefined,
    papers: Paper[],
  ): Promise<string | null> {
    const { status, body: answer } = await app.client[method](path, body);
    assert.ok(status < 500, `${method} ${path}: ${status} ${JSON.stringify(answer)}`);
    if (status >= 400) return null;
    const { id, lines } = answer.data;
    if (makes !== undefined) papers.push({ path: makes, id, lineIds: lines.map((line: Data) => line.id) });
    return `${method} ${path.replace(/[0-9a-f-]{36}/, ':id')}`;
  }
});

/** One of the documents of a kind. */
function pick(papers: readonly Paper[], path: string, index: number): Paper | undefined {
  const some = papers.filter((paper) => paper.path === path);
  return some[index % Math.max(some.length, 1)];
}
