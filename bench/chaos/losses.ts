/** Looks for losses after a run: each acknowledged change must be there once, with its number and its delivery. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.ts';
import type { Trace } from './clients.ts';
import type { ChaosReceiver } from './receiver.ts';

const PAGE = 100;
/** Deliveries that fail are tried again within seconds; work that a killed worker had begun, within a minute or so. */
const ARRIVAL_MS = 150_000;
const LOOK_MS = 1000;

interface Invoice {
  readonly id: string;
  readonly number: number;
  readonly total: number;
  readonly paidTotal: number;
}

/** Compares what clients were told with what there is. @returns a sentence for each loss */
export async function findLosses({ client }: Stage, receiver: ChaosReceiver, trace: Trace): Promise<string[]> {
  const losses: string[] = [];
  const found = new Map<string, Invoice>();
  for (let page = 1; ; page++) {
    const { body } = await client.get(`/api/sales/invoices?status[in]=O,C&limit=${PAGE}&page=${page}`);
    for (const invoice of body.data as Invoice[]) found.set(invoice.id, invoice);
    if (body.data.length < PAGE) break;
  }
  for (const [id, { number, total }] of trace.posted) {
    const invoice = found.get(id);
    if (invoice === undefined) losses.push(`the invoice ${number} is gone`);
    else if (invoice.number !== number || invoice.total !== total) losses.push(`the invoice ${number} is another`);
    else if (invoice.paidTotal !== (trace.paid.has(id) ? total : 0))
      losses.push(`${number} is paid ${invoice.paidTotal}`);
  }
  if (found.size !== trace.posted.size)
    losses.push(`there are ${found.size} invoices, and ${trace.posted.size} were posted`);
  await arrived(receiver, [...found.keys()]);
  for (const [id, { number }] of found) {
    const events = new Set(receiver.events.get(id));
    if (events.size !== 1) losses.push(`the invoice ${number} has arrived as ${events.size} events`);
  }
  return losses;
}

/** Waits until all have arrived, for a while. */
async function arrived(receiver: ChaosReceiver, ids: readonly string[]): Promise<void> {
  const until = performance.now() + ARRIVAL_MS;
  while (performance.now() < until && !ids.every((id) => receiver.events.has(id))) await sleep(LOOK_MS);
}
