/** Looks for losses after a run: each acknowledged change must be there once, with all that follows from it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { caller, newTrace, type Trace } from './clients.ts';
import type { ChaosReceiver } from './receiver.ts';
import type { Listener } from './sockets.ts';
import type { Target } from './target.ts';
import { unexplainedWorkflows } from './workflows.ts';

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

export interface Seen {
  readonly trace: Trace;
  readonly receiver: ChaosReceiver;
  readonly listeners: readonly Listener[];
}

/** Mails, and those that arrived more often than once; nobody promises once. */
export interface Arrivals {
  readonly mails: number;
  readonly mailsAgain: number;
  /** Milliseconds from the end of the run until the last one had arrived. */
  readonly lastMs: number;
}

/** Compares what clients were told with what there is. @returns a sentence for each loss */
export async function findLosses(target: Target, seen: Seen): Promise<{ losses: string[]; arrivals: Arrivals }> {
  const { trace, receiver, listeners } = seen;
  const begun = performance.now();
  const losses: string[] = [];
  const found = new Map(
    (await list<Invoice>(target, '/api/sales/invoices?status[in]=O,C')).map((one) => [one.id, one]),
  );
  for (const [id, { number, total }] of trace.posted) {
    const invoice = found.get(id);
    if (invoice === undefined) losses.push(`the invoice ${number} is gone`);
    else if (invoice.number !== number || invoice.total !== total) losses.push(`the invoice ${number} is another`);
    else if (invoice.paidTotal !== (trace.paid.has(id) ? total : 0))
      losses.push(`${number} is paid ${invoice.paidTotal}`);
  }
  losses.push(...gaps([...found.values()].map(({ number }) => number)));
  if (found.size !== trace.posted.size)
    losses.push(`there are ${found.size} invoices, and ${trace.posted.size} were posted`);

  const ids = [...found.keys()];
  const mailed = [...trace.mailed];
  await within(ARRIVAL_MS, () => {
    const mails = recipients(target.mails);
    return ids.every((id) => receiver.events.has(id)) && mailed.every((to) => mails.has(to));
  });
  for (const [id, { number }] of found) {
    const events = new Set(receiver.events.get(id));
    if (events.size !== 1) losses.push(`the invoice ${number} has arrived as ${events.size} events`);
  }
  const mails = recipients(target.mails);
  for (const to of mailed) if (!mails.has(to)) losses.push(`the mail to ${to} has not arrived`);
  losses.push(...(await lostFiles(target, trace.uploaded)), ...(await missedMessages(target, listeners)));
  losses.push(...(await unexplainedWorkflows(target)));
  const count = [...mails.values()].reduce((sum, number) => sum + number, 0);
  return { losses, arrivals: { mails: mails.size, mailsAgain: count - mails.size, lastMs: performance.now() - begun } };
}

function gaps(numbers: readonly number[]): string[] {
  const has = new Set(numbers);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: Math.max(0, last - first) }, (_, nth) => first + nth)
    .filter((number) => !has.has(number))
    .map((number) => `there is no number ${number}`);
}

async function lostFiles({ address, token }: Target, uploaded: Trace['uploaded']): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, content] of uploaded) {
    const answer = await fetch(`${address}/api/files/${id}`, { headers: { Authorization: `Bearer ${token}` } });
    if (!answer.ok || (await answer.text()) !== content) lost.push(`the file ${id} is lost (${answer.status})`);
  }
  return lost;
}

/** Each notification must have come over each connection that was made again and again, and once. */
async function missedMessages(target: Target, listeners: readonly Listener[]): Promise<string[]> {
  const all = (await list<{ id: string }>(target, '/api/notifications')).map(({ id }) => id);
  await within(10_000, () => listeners.every(({ came }) => new Set(came).size >= all.length));
  return listeners.flatMap(({ came }, nth) => {
    const missed = all.filter((id) => !came.includes(id));
    const again = came.length - new Set(came).size;
    return [
      ...(missed.length === 0 ? [] : [`listener ${nth} has missed ${missed.length} of ${all.length} notifications`]),
      ...(again === 0 ? [] : [`listener ${nth} has got ${again} notifications twice`]),
    ];
  });
}

/** How often each recipient has got a mail. */
function recipients(folder: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    if (!name.endsWith('.eml')) continue;
    const to = /^To: .*?([^\s<]+@example\.test)/im.exec(readFileSync(join(folder, name), 'utf8'))?.[1];
    if (to !== undefined) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return counts;
}

async function list<T>(target: Target, path: string): Promise<T[]> {
  const call = caller(target, newTrace());
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const data = await call('GET', `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&page=${page}`);
    all.push(...(data as unknown as T[]));
    if ((data as unknown as T[]).length < PAGE) return all;
  }
}

/** Waits until something holds, for a while. */
async function within(ms: number, holds: () => boolean): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until && !holds()) await sleep(LOOK_MS);
}
