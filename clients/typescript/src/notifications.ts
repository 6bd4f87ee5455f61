/** Notifications as they come, over a WebSocket that is opened again wherever it ends. */
import { AuthenticationError, ConnectionError, PermissionError, type Problem } from './errors.ts';
import type { Transport } from './transport.ts';

export interface Notification {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** The part of a WebSocket that is used; that of browsers, of Node from 22 on, and of the package ws have it. */
export interface Socket {
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number; readonly reason: string }) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
  close(): void;
}
export type SocketClass = new (address: string, protocols: string[]) => Socket;

export interface NotificationOptions {
  /** The last notification that was seen: those since then come first. Without it, only those from now on come. */
  readonly lastId?: string;
  readonly tenantId?: string;
  readonly signal?: AbortSignal;
  readonly WebSocket: SocketClass;
}

const REFUSED = { token: 4401, membership: 4403 };
const LONGEST_PAUSE = 10_000;

/** One connection: what it has brought, and how it has ended. */
class Feed {
  readonly socket: Socket;
  readonly #waiting: Notification[] = [];
  #wake: (() => void) | null = null;
  ended: number | null = null;

  constructor(socket: Socket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as { type: string; data?: Notification };
      if (message.type === 'notification' && message.data !== undefined) this.#waiting.push(message.data);
      this.#wake?.();
    });
    socket.addEventListener('close', ({ code }) => this.#end(code));
    // A close follows.
    socket.addEventListener('error', () => undefined);
  }

  #end(code: number): void {
    this.ended = code;
    this.#wake?.();
  }

  /** The next notification; undefined once the connection has ended and everything is read. */
  async next(signal: AbortSignal | undefined): Promise<Notification | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const notification = this.#waiting.shift();
      if (notification !== undefined || this.ended !== null) return notification;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }
}

/**
 * The notifications of the person whose credentials the client has, without an end: after a lost connection they go on with the one after
 * the last, so that none is missed and none comes twice.
 * @throws AuthenticationError, PermissionError once the session or the membership has ended
 */
export async function* notifications(
  transport: Transport,
  { lastId, tenantId, signal, WebSocket }: NotificationOptions,
): AsyncGenerator<Notification, void, undefined> {
  let last = lastId;
  let failures = 0;
  let refused: string | undefined;
  for (;;) {
    const token = refused === undefined ? await transport.session.token() : await transport.session.renew(refused);
    const address = new URL('/ws/notifications', transport.baseUrl.replace(/^http/, 'ws'));
    if (last !== undefined) address.searchParams.set('last_id', last);
    if (tenantId !== undefined) address.searchParams.set('tenant_id', tenantId);
    const feed = new Feed(new WebSocket(address.href, ['bearer', token]));
    try {
      for (let one = await feed.next(signal); one !== undefined; one = await feed.next(signal)) {
        failures = 0;
        last = one.id;
        yield one;
      }
    } finally {
      feed.socket.close();
    }
    if (feed.ended === REFUSED.membership) throw new PermissionError(refusal(403, 'not_a_member'), null);
    // A token may have ended; a second refusal in a row is that of the session.
    if (feed.ended === REFUSED.token && (refused !== undefined || !transport.session.canRenew()))
      throw new AuthenticationError(refusal(401, 'invalid_token'), null);
    refused = feed.ended === REFUSED.token ? token : undefined;
    if (refused === undefined) await pause(failures++, signal);
  }
}

function refusal(status: number, code: string): Problem {
  const detail = 'The connection for notifications was refused';
  return {
    type: `/docs/errors#${code}`,
    title: detail,
    status,
    detail,
    instance: '/ws/notifications',
    code,
    request_id: '',
  };
}

/** Waits before the next connection; at once after one that has brought something. */
async function pause(failures: number, signal: AbortSignal | undefined): Promise<void> {
  if (failures === 0) return;
  await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE, 250 * 2 ** failures)));
  if (signal?.aborted) throw new ConnectionError('Waiting for notifications was ended', { cause: signal.reason });
}
