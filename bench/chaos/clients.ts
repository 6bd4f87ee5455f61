/** Clients as an integrator writes them: each change has an Idempotency-Key, and is repeated until it is acknowledged. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage.ts';

/** All that was acknowledged. */
export interface Trace {
  /** Posted invoices by id. */
  readonly posted: Map<string, { readonly number: number; readonly total: number }>;
  readonly paid: Set<string>;
  /** Recipients of mails. */
  readonly mailed: Set<string>;
  /** Contents of files by id. */
  readonly uploaded: Map<string, string>;
  printed: number;
  requests: number;
  /** Failed requests by what they were answered, or why they were not. */
  readonly failed: Map<string, number>;
  /** When a request succeeded, by `performance.now()`. */
  readonly answered: number[];
}

export const newTrace = (): Trace => ({
  posted: new Map(),
  paid: new Set(),
  mailed: new Set(),
  uploaded: new Map(),
  printed: 0,
  requests: 0,
  failed: new Map(),
  answered: [],
});

const PAUSE_MS = 20;
const REPEAT_MS = 200;
/** Requests that are not answered for so long are repeated. */
const PATIENCE_MS = 30_000;

type Call = (method: string, path: string, body?: object | string) => Promise<Record<string, unknown>>;

/** Sells, posts, collects, prints, mails and attaches files until it is over; what has begun is finished. */
export async function trade(stage: Stage, partnerId: string, isOver: () => boolean, trace: Trace): Promise<void> {
  const call = caller(stage, trace);
  const lines = [{ description: 'Consultoría', quantity: 1, price: 10 }];
  for (let round = 0; !isOver(); round++) {
    const { id } = (await call('POST', '/api/sales/invoices', { partnerId, lines })) as { id: string };
    const posted = await call('POST', `/api/sales/invoices/${id}/post`);
    const { number, total, date } = posted as { number: number; total: number; date: string };
    trace.posted.set(id, { number, total });
    if (round % 3 === 0) {
      const linked_documents = [{ document_type: 'sales_invoice', document_id: id, amount_applied: total }];
      const paid = {
        partner_id: partnerId,
        amount: total,
        payment_date: date,
        payment_method: 'cash',
        linked_documents,
      };
      await call('POST', '/api/payments/in', paid);
      trace.paid.add(id);
    }
    if (round % 10 === 5) {
      await call('GET', `/api/sales/invoices/${id}/pdf`);
      trace.printed++;
    }
    if (round % 10 === 7) {
      const to = `${randomUUID()}@example.test`;
      await call('POST', `/api/sales/invoices/${id}/send`, { to });
      trace.mailed.add(to);
    }
    if (round % 10 === 9) {
      const content = `Delivered with ${number}: ${randomUUID()}`;
      const path = `/api/files?entityType=BusinessPartner&entityId=${partnerId}&name=note.txt`;
      const file = (await call('POST', path, content)) as { id: string };
      trace.uploaded.set(file.id, content);
    }
    await call('GET', `/api/sales/invoices/${id}`);
    await sleep(PAUSE_MS);
  }
}

/** Repeats a request, with its key, until it succeeds. @throws Error for an answer that no repetition mends */
export function caller({ address, token }: Pick<Stage, 'address' | 'token'>, trace: Trace): Call {
  return async (method, path, body) => {
    const headers: Record<string, string> = { Authorization: `Bearer ${token}` };
    if (method === 'POST') headers['Idempotency-Key'] = randomUUID();
    if (body !== undefined) headers['Content-Type'] = typeof body === 'string' ? 'text/plain' : 'application/json';
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const sent = { method, headers, ...(text === undefined ? {} : { body: text }) };
    for (;;) {
      trace.requests++;
      const answer = await ask(address + path, sent);
      if (answer.status >= 200 && answer.status < 300) {
        trace.answered.push(performance.now());
        return answer.data;
      }
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429 && answer.status !== 409)
        throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
      const why = answer.status === 0 ? answer.text : String(answer.status);
      trace.failed.set(why, (trace.failed.get(why) ?? 0) + 1);
      await sleep(REPEAT_MS);
    }
  };
}

async function ask(url: string, sent: RequestInit) {
  try {
    const response = await fetch(url, { ...sent, signal: AbortSignal.timeout(PATIENCE_MS) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const data = isJson && response.ok ? ((JSON.parse(text) as { data?: Record<string, unknown> }).data ?? {}) : {};
    return { status: response.status, text, data };
  } catch (error) {
    const { cause, name } = error as Error & { cause?: { code?: string } };
    return { status: 0, text: cause?.code ?? name, data: {} };
  }
}
