/** Stock corrections: goods found or lost, booked as a count of the day. */
import { sum, toNumber } from '../domain/money.ts';
import type { ApiClient } from './api-client.ts';
import { chunks } from './concurrently.ts';
import type { RetailDay } from './retail-file.ts';
import type { Shop } from './retail-shop.ts';

const ADJUSTMENTS = '/api/stock/adjustments';
/** Items per request for levels, limited because their ids are in the address. */
const ITEMS_AT_ONCE = 50;

interface Adjustment {
  readonly id: string;
  readonly reason: string | null;
  readonly lines: readonly { readonly difference: number }[];
}

export interface Corrected {
  /** The day's adjustment; undefined if there was nothing to correct. */
  readonly adjustmentId: string | undefined;
  readonly made: boolean;
  /** Total units added and removed, as booked by the service. */
  readonly units: number;
}

/** Returns the total units that the day's corrections add and remove. */
export function correctedUnits(day: RetailDay): number {
  return [...netCorrections(day).values()].reduce((total, quantity) => total + Math.abs(quantity), 0);
}

/**
 * Books the day's corrections in one adjustment; leaves that of an earlier run as it is. Nothing else may move the items in the meantime.
 * @throws ApiProblem
 */
export async function correctStock(client: ApiClient, day: RetailDay, shop: Shop): Promise<Corrected> {
  const net = netCorrections(day);
  if (net.size === 0) return { adjustmentId: undefined, made: false, units: 0 };
  const reason = `Corrections of ${day.date}`;
  const there = await client.all<Adjustment>(ADJUSTMENTS, { date: day.date });
  const known = there.find((adjustment) => adjustment.reason === reason);
  const id = known?.id ?? (await adjust(client, day.date, reason, net, shop));
  const { lines } = await client.one<Adjustment>(`${ADJUSTMENTS}/${id}`);
  const units = toNumber(sum(lines.map(({ difference }) => Math.abs(difference))));
  return { adjustmentId: id, made: known === undefined, units };
}

async function adjust(
  client: ApiClient,
  date: string,
  reason: string,
  net: ReadonlyMap<string, number>,
  shop: Shop,
): Promise<string> {
  const wanted = [...net].map(([code, quantity]) => ({ itemId: shop.itemId(code), quantity }));
  const onHand = await onHandByItem(
    client,
    shop.warehouseId,
    wanted.map(({ itemId }) => itemId),
  );
  const lines = wanted.map(({ itemId, quantity }) => ({
    itemId,
    countedQuantity: (onHand.get(itemId) ?? 0) + quantity,
  }));
  const body = { warehouseId: shop.warehouseId, date, reason, lines };
  return (await client.create<{ id: string }>(ADJUSTMENTS, body, `demo-adjustment-${date}`)).id;
}

async function onHandByItem(
  client: ApiClient,
  warehouseId: string,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const levels = new Map<string, number>();
  for (const part of chunks(itemIds, ITEMS_AT_ONCE)) {
    const query = { groupBy: 'item,warehouse', warehouseId, 'itemId[in]': part.join(',') };
    const rows = await client.all<{ itemId: string; onHand: number }>('/api/stock', query);
    for (const { itemId, onHand } of rows) levels.set(itemId, onHand);
  }
  return levels;
}

/** Returns the total correction of each item, by code; zeros are left out. */
function netCorrections({ corrections }: RetailDay): ReadonlyMap<string, number> {
  const net = new Map<string, number>();
  for (const { code, quantity } of corrections) net.set(code, (net.get(code) ?? 0) + quantity);
  return new Map([...net].filter(([, quantity]) => quantity !== 0));
}
