/** One connected client: who it is, what it has seen, and how much it sends and takes. */
import { WebSocket } from 'ws';
import type { Identity } from '../../services/identity/authenticate.ts';

/** Close codes: those of RFC 6455, and of this channel. */
export const CLOSED = {
  goingAway: 1001,
  textOnly: 1003,
  refused: 1008,
  failed: 1011,
  later: 1013,
  unauthorized: 4401,
  forbidden: 4403,
  timedOut: 4408,
} as const;

/** How long a client may take to answer that it has closed. */
const CLOSING_MS = 2000;
/** What a client may send: it has nothing to say but its token. */
const MESSAGES = 20;
const MESSAGES_MS = 10_000;

/** Things whose latest state waits for a slow client. */
const MOST_LATEST = 20;

/** Who has connected, by which token. */
export interface Connected {
  readonly identity: Identity;
  readonly token: string;
  readonly since: Date;
  /** The user's id, or the actor that an API key's tasks have. */
  readonly viewer: string;
}

export class Client {
  readonly socket: WebSocket;
  /** What bounds how many connections somebody without a token has. */
  readonly address: string;
  readonly openedAt: number;
  connected: Connected | null = null;
  /** The id of the last notification that it was sent; null for API keys, which get none. */
  after: string | null = null;
  /** Whether it has answered since the last heartbeat. */
  isAlive = true;
  /** Whether what it was sent last is still on its way. */
  isSending = false;
  /** Heartbeats for which it has been. */
  beatsSending = 0;
  /** Called when it can take more. */
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

  /** Sends messages, and calls `onIdle` once the last has left: nothing more must be sent to it before. */
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

  /** Sends the latest state of something, as soon as it can take it. */
  sendLatest(key: string, message: object): void {
    if (!this.isSending) this.send([message]);
    else if (this.#latest.size < MOST_LATEST || this.#latest.has(key)) this.#latest.set(key, message);
  }

  /** Counts what it sends. @returns whether it is too much. @param now milliseconds */
  isFlooding(now: number): boolean {
    if (now - this.#countedFrom > MESSAGES_MS) {
      this.#countedFrom = now;
      this.#counted = 0;
    }
    this.#counted += 1;
    return this.#counted > MESSAGES;
  }

  /** Closes it; one that does not answer is cut off. */
  close(code: number, reason: string): void {
    if (this.socket.readyState > WebSocket.OPEN) return;
    this.socket.close(code, reason);
    const cut = setTimeout(() => this.socket.terminate(), CLOSING_MS);
    cut.unref();
    this.socket.once('close', () => clearTimeout(cut));
  }
}
