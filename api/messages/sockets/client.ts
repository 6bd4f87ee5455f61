/** A connected client: its identity, its position in the feed, and its limits. */
import { WebSocket } from 'ws';
import type { Identity } from '../../../services/access/sessions/authenticate.ts';

/** Close codes: those of RFC 6455, and of this channel. */
export const CLOSED = {
  restarting: 1012,
  textOnly: 1003,
  refused: 1008,
  failed: 1011,
  later: 1013,
  unauthorized: 4401,
  forbidden: 4403,
  timedOut: 4408,
} as const;

/** Time for a client to confirm that it has closed. */
const CLOSE_TIMEOUT_MS = 2000;
/** Maximum messages per period: a client has nothing to send but its token. */
const MAX_MESSAGES = 20;
const MESSAGE_PERIOD_MS = 10_000;

/** Maximum objects whose latest state waits for a slow client. */
const MAX_PENDING = 20;

/** The authenticated caller of a connection. */
export interface Connected {
  readonly identity: Identity;
  readonly token: string;
  readonly since: Date;
  /** The user's id, or the actor of an API key's tasks. */
  readonly viewer: string;
}

export class Client {
  readonly socket: WebSocket;
  /** Network address, by which connections without a token are limited. */
  readonly address: string;
  readonly openedAt: number;
  connected: Connected | null = null;
  /** The id of the last notification sent; null for API keys, which get none. */
  after: string | null = null;
  /** Whether it has answered since the last heartbeat. */
  isAlive = true;
  /** Whether the last messages are still being sent. */
  isSending = false;
  /** Heartbeats since sending began. */
  beatsSending = 0;
  /** Called when it can receive more. */
  onIdle: () => void = () => undefined;
  readonly #latest = new Map<string, object>();
  #counted = 0;
  #countedFrom = 0;

  /** @param now milliseconds of a steady clock */
  constructor(socket: WebSocket, address: string, now: number) {
    this.socket = socket;
    this.address = address;
    this.openedAt = now;
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Sends messages, and calls `onIdle` once the last has left; nothing may be sent before. */
  send(messages: readonly object[]): void {
    if (!this.isOpen || messages.length === 0) return;
    this.isSending = true;
    this.beatsSending = 0;
    for (const [index, message] of messages.entries()) {
      const isLast = index === messages.length - 1;
      this.socket.send(JSON.stringify(message), (error) => {
        if (!isLast || error != null) return;
        this.isSending = false;
        const latest = [...this.#latest.values()];
        this.#latest.clear();
        if (latest.length > 0) this.send(latest);
        else this.onIdle();
      });
    }
  }

  /** Sends the latest state of an object as soon as the client can receive it. */
  sendLatest(key: string, message: object): void {
    if (!this.isSending) this.send([message]);
    else if (this.#latest.size < MAX_PENDING || this.#latest.has(key)) this.#latest.set(key, message);
  }

  /** Counts a message from the client. @returns whether there are too many. @param now milliseconds */
  isFlooding(now: number): boolean {
    if (now - this.#countedFrom > MESSAGE_PERIOD_MS) {
      this.#countedFrom = now;
      this.#counted = 0;
    }
    this.#counted += 1;
    return this.#counted > MAX_MESSAGES;
  }

  /** Closes the connection; terminates it if the client does not confirm. */
  close(code: number, reason: string): void {
    if (this.socket.readyState > WebSocket.OPEN) return;
    this.socket.close(code, reason);
    const cut = setTimeout(() => this.socket.terminate(), CLOSE_TIMEOUT_MS);
    cut.unref();
    this.socket.once('close', () => clearTimeout(cut));
  }
}
