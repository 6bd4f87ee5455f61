/** A company with goods that many clients want at once, over HTTP; every test of it ends with all invariants checked. */
import assert from 'node:assert/strict';
import { openTrade, type Trade } from '../api/trade/documents/trade.ts';
import type { TestApp } from '../helpers/app.ts';
import type { Answer } from '../helpers/client.ts';
import { use, useApp, type When } from '../helpers/hooks.ts';

/** The members of a document that these tests look at. */
export interface Doc {
  readonly id: string;
  readonly code: string | null;
  readonly number: number | null;
  readonly status: string;
  readonly version: number;
  readonly lines: readonly { readonly id: string; readonly openQuantity: number; readonly deliveredQuantity: number }[];
}

export interface Market extends Trade {
  readonly app: TestApp;
  /** Another stock-tracked item, with `stock` pieces. */
  item(stock: number): Promise<string>;
  /** POST that must succeed; the answered document. */
  make(path: string, body: object): Promise<Doc>;
  read(path: string): Promise<Doc>;
  /** Returns the item's quantities on hand, reserved and incoming. */
  level(itemId: string): Promise<{ onHand: number; reserved: number; incoming: number }>;
}

export function useMarket({ each }: When = {}): Market {
  const app = useApp({}, { each });
  return use(async () => tradeMarket(app, await openTrade(app)), { each });
}

function tradeMarket(app: TestApp, trade: Trade): Market {
  const { client } = app;
  const make = async (path: string, body: object) => {
    const answer = await client.post(path, body);
    assert.ok(answer.status < 300, `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  };
  return {
    ...trade,
    app,
    make,
    async item(stock) {
      const { body } = await client.get(`/api/items/${trade.itemId}`);
      const { name, uomId, salePrice, purchasePrice, salesTaxGroupId, purchaseTaxGroupId } = body.data;
      const item = await make('/api/items', {
        name,
        uomId,
        salePrice,
        purchasePrice,
        salesTaxGroupId,
        purchaseTaxGroupId,
      });
      if (stock > 0) {
        const lines = [{ itemId: item.id, quantity: stock }];
        await make('/api/purchases/delivery-notes', { partnerId: trade.supplierId, lines });
      }
      return item.id;
    },
    read: async (path) => (await client.get(path)).body.data,
    level: async (itemId) => {
      const { body } = await client.get(`/api/stock?itemId=${itemId}`);
      const { onHand, reserved, incoming } = body.data[0];
      return { onHand, reserved, incoming };
    },
  };
}

/** Counts answers by status, and by code if they are problems: `{"201": 1, "409 over_delivery": 1}`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const key = status < 400 ? String(status) : `${status} ${body?.code}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** Does all at the same time, in the order given. */
export function atOnce<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}
