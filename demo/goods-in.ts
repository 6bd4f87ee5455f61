/** Receives goods before they are sold, with purchase delivery notes of at most 1,000 lines each. */
import pMap from 'p-map';
import { decimal, round, toNumber } from '../domain/money.ts';
import type { ApiClient, Json } from './api-client.ts';
import { chunks, WIDTH } from './concurrently.ts';

/** Maximum lines of a document. */
export const LINE_LIMIT = 1000;

export interface GoodsLine {
  readonly itemId: string;
  readonly quantity: number;
  readonly price: number;
}

export interface GoodsIn {
  /** Each note is `<reference>-<n>`; existing ones are not created again. */
  readonly reference: string;
  readonly supplierId: string;
  readonly date: string;
  readonly lines: readonly GoodsLine[];
  readonly seriesId?: string;
}

/** Plans the purchase of sold goods: each item once, with its total quantity, at 60 % of the first price. */
export function goodsFor(sold: Iterable<GoodsLine>): GoodsLine[] {
  const goods = new Map<string, { quantity: number; price: number }>();
  for (const { itemId, quantity, price } of sold) {
    const known = goods.get(itemId);
    if (known) known.quantity += quantity;
    else goods.set(itemId, { quantity, price: toNumber(round(decimal(price).times('0.6'), 2)) });
  }
  return [...goods].map(([itemId, { quantity, price }]) => ({ itemId, quantity, price }));
}

/** Creates the notes. @returns the number of new notes, and of all notes with the reference */
export async function receiveGoods(client: ApiClient, goods: GoodsIn): Promise<{ made: number; notes: number }> {
  const rows = await client.all<{ reference: string | null; status: string }>('/api/purchases/delivery-notes', {
    date: goods.date,
  });
  const there = new Set(rows.filter((row) => row.status !== 'X').map((row) => row.reference));
  const notes = chunks(goods.lines, LINE_LIMIT).map((lines, index) => ({
    reference: `${goods.reference}-${index + 1}`,
    lines,
  }));
  const missing = notes.filter((note) => !there.has(note.reference));
  await pMap(
    missing,
    async ({ reference, lines }) => {
      const body: Json = {
        partnerId: goods.supplierId,
        date: goods.date,
        reference,
        lines,
        ...(goods.seriesId === undefined ? {} : { seriesId: goods.seriesId }),
      };
      await client.create('/api/purchases/delivery-notes', body, `demo-goods-${goods.date}-${reference}`);
    },
    { concurrency: WIDTH },
  );
  return { made: missing.length, notes: notes.length };
}
