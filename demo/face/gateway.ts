/**
 * A stand-in for FACe: takes signed invoices of whoever has a certificate of the authority, checks token, signature, offices and
 * repetitions, and can be told what public bodies do with them, and to misbehave.
 */
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Authority } from '../aeat/authority.ts';
import { bodyText } from '../aeat/body.ts';
import { checkInvoice, type InvoiceKey } from './invoice.ts';
import { checkToken } from './token.ts';

export const STATES = {
  registered: 1200,
  received: 1300,
  accounted: 2400,
  paid: 2500,
  rejected: 2600,
  annulled: 3100,
} as const;
const CANCELLATION = { none: 4100, asked: 4200, accepted: 4300, refused: 4400 } as const;

/** How it is told to behave; all of it may change while it runs. */
export interface FaceBehaviour {
  /** Milliseconds before each answer. */
  slowMs: number;
  /** Closes connections: before it reads a request, or once it has done what it asks. */
  drop: 'before' | 'after' | null;
  /** Answers everything with this status. */
  status: number | null;
}

/** An invoice that it has. */
export interface Registered extends InvoiceKey {
  readonly registryCode: string;
  readonly email: string;
  readonly content: string;
  code: number;
  comment: string | null;
  cancellation: number;
  cancellationReason: string | null;
}

export interface FaceGateway {
  /** Base of its interface. */
  readonly url: string;
  readonly invoices: readonly Registered[];
  readonly behaviour: FaceBehaviour;
  /** Requests since it runs, as `POST /v1/invoices`. */
  readonly calls: readonly string[];
  /** A public body does something with an invoice. */
  move(number: string, state: keyof typeof STATES, comment?: string): void;
  /** A public body answers a request to cancel. */
  answerCancellation(number: string, accepted: boolean): void;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

/** Starts it on this machine. @param options `port`, 0 for a free one; `now` its clock */
export async function startFace(
  authority: Authority,
  { port = 0, now = () => new Date() }: { readonly port?: number; readonly now?: () => Date } = {},
): Promise<FaceGateway> {
  const invoices: Registered[] = [];
  const calls: string[] = [];
  const behaviour: FaceBehaviour = { slowMs: 0, drop: null, status: null };
  const { key, cert } = authority.server;
  const server = createServer({ key, cert }, (request, response) => {
    calls.push(`${request.method} ${request.url}`);
    if (behaviour.drop === 'before') return void request.socket.destroy();
    reply(request, { authority, invoices, behaviour, now }).then(
      ({ status, body }) => {
        if (behaviour.drop === 'after') request.socket.destroy();
        else response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      },
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const find = (number: string): Registered => {
    const found = invoices.findLast((one) => one.number === number || one.registryCode === number);
    if (found === undefined) throw new Error(`there is no invoice ${number}`);
    return found;
  };
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/providers`,
    invoices,
    behaviour,
    calls,
    move(number, state, comment) {
      Object.assign(find(number), { code: STATES[state], comment: comment ?? null });
    },
    answerCancellation(number, accepted) {
      const one = find(number);
      one.cancellation = accepted ? CANCELLATION.accepted : CANCELLATION.refused;
      if (accepted) one.code = STATES.annulled;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Desk {
  readonly authority: Authority;
  readonly invoices: Registered[];
  readonly behaviour: FaceBehaviour;
  readonly now: () => Date;
}

async function reply(request: IncomingMessage, { authority, invoices, behaviour, now }: Desk): Promise<Reply> {
  const text = await bodyText(request);
  if (behaviour.slowMs > 0) await delay(behaviour.slowMs);
  if (behaviour.status !== null) return { status: behaviour.status, body: { message: 'Servicio no disponible' } };
  const objection = checkToken(request.headers.authorization, authority.pem, now());
  if (objection !== null) return { status: 401, body: { code: 401, message: objection } };
  const [, code, action] = /^\/providers\/v1\/invoices(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(request.url ?? '') ?? [];
  if (request.method === 'POST' && code === undefined) return register(text, invoices);
  const one = invoices.find(({ registryCode }) => registryCode === decodeURIComponent(code ?? ''));
  if (one === undefined) return { status: 404, body: { code: 404, message: 'No existe la factura' } };
  if (request.method === 'GET' && action === undefined) return { status: 200, body: shown(one) };
  if (request.method === 'POST' && action === 'cancellation-requests') return askToCancel(text, one);
  return { status: 404, body: { code: 404, message: 'No existe el recurso' } };
}

function register(text: string, invoices: Registered[]): Reply {
  const sent = JSON.parse(text) as Partial<Record<'filename' | 'content' | 'email', unknown>>;
  const errors: Record<string, string[]> = {};
  for (const name of ['filename', 'content', 'email'] as const)
    if (typeof sent[name] !== 'string' || sent[name] === '') errors[name] = ['Este valor no debería estar vacío.'];
  if (Object.keys(errors).length > 0) return { status: 400, body: { code: 400, errors } };
  const content = Buffer.from(String(sent.content), 'base64').toString('utf8');
  const checked = checkInvoice(content);
  if ('objection' in checked) return { status: 400, body: { code: 400, errors: { content: [checked.objection] } } };
  const { key } = checked;
  const same = (one: Registered) =>
    one.seller === key.seller &&
    one.number === key.number &&
    one.date === key.date &&
    one.code !== STATES.rejected &&
    one.code !== STATES.annulled;
  if (invoices.some(same))
    return { status: 400, body: { code: 400, errors: { content: ['INVALID_INVOICE-105 Factura duplicada'] } } };
  const one: Registered = {
    ...key,
    registryCode: `2026${String(invoices.length + 1).padStart(8, '0')}`,
    email: String(sent.email),
    content,
    code: STATES.registered,
    comment: null,
    cancellation: CANCELLATION.none,
    cancellationReason: null,
  };
  invoices.push(one);
  return { status: 201, body: shown(one) };
}

function askToCancel(text: string, one: Registered): Reply {
  const { comment } = JSON.parse(text) as { comment?: unknown };
  if (typeof comment !== 'string' || comment === '')
    return { status: 400, body: { code: 400, errors: { comment: ['Este valor no debería estar vacío.'] } } };
  if (one.code === STATES.paid)
    return { status: 400, body: { code: 400, message: 'La factura está pagada y no se puede anular' } };
  Object.assign(one, { cancellation: CANCELLATION.asked, cancellationReason: comment });
  return { status: 201, body: shown(one) };
}

function shown({ registryCode, code, comment, cancellation }: Registered): object {
  return { registryCode, status: code, statusComment: comment, cancellationRequestStatus: cancellation };
}
