/**
 * Limits open connections (decision 0236): those of an address, those of them that wait for a request, and all of them. WebSockets count.
 * A refused connection costs an answer of a few hundred bytes; no parser is made for it.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../config/index.ts';
import { addressGroup, proxyTest } from '../domain/addresses.ts';
import { ServiceError } from '../domain/errors.ts';
import { answerRaw, type Responses } from './client-errors.ts';
import type { Logger } from './logger.ts';

/** Part of an address's connections that may wait for a request, or for the rest of one. */
const MAX_WAITING = 1 / 2;
/** Part of the process's open files that may be connections; the others are those of the database and of files. */
const MAX_OF_FILES = 3 / 4;
const TELL_EVERY_MS = 60_000;

export interface ConnectionLimits {
  readonly perAddress: number;
  readonly whole: number;
}

/** The limits of this process: its part of those of all processes. Infinity = no limit. */
export function connectionLimits({ api }: Pick<Config, 'api'>, openFiles = mostOpenFiles()): ConnectionLimits {
  const part = (limit: number) => (limit === 0 ? Number.POSITIVE_INFINITY : Math.ceil(limit / api.processes));
  return {
    perAddress: part(api.connectionsPerAddress),
    whole: Math.min(part(api.connections), Math.floor(openFiles * MAX_OF_FILES)),
  };
}

/** Maximum open files of this process; Infinity where the system does not tell. */
function mostOpenFiles(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** The open connections of a server. */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #isProxy: (address: string, hop: number) => boolean;
  readonly #logger: Logger;
  /** All connections with their address, or null for those of a proxy; the oldest first. */
  readonly #open = new Map<Socket, string | null>();
  readonly #byAddress = new Map<string, Set<Socket>>();
  readonly #responses: Responses;
  readonly #webSockets = new WeakSet<Socket>();
  #refused = 0;

  constructor(config: Config, logger: Logger, responses: Responses) {
    this.#limits = connectionLimits(config);
    this.#isProxy = proxyTest(config.api.trustProxy);
    this.#logger = logger;
    this.#responses = responses;
  }

  /** Limits the connections of a server, whose upgrades something else answers. */
  limit(server: Server): void {
    const serve = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (this.#admit(socket)) for (const one of serve) one.call(server, socket);
    });
    server.on('upgrade', ({ socket }: IncomingMessage) => this.#webSockets.add(socket));
  }

  #admit(socket: Socket): boolean {
    // A request for an upgrade that is answered as if it had not asked (messages/sockets/upgrade.ts).
    if (this.#open.has(socket)) return this.#webSockets.delete(socket) || true;
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      socket.destroy(); // The client has left.
      return false;
    }
    const address = this.#isProxy(remoteAddress, 0) ? null : addressGroup(remoteAddress);
    const refusal = this.#refusal(address);
    if (refusal !== null) {
      this.#refuse(socket, refusal);
      return false;
    }
    this.#open.set(socket, address);
    if (address !== null) {
      const own = this.#byAddress.get(address);
      if (own === undefined) this.#byAddress.set(address, new Set([socket]));
      else own.add(socket);
    }
    socket.once('close', () => this.#forget(socket));
    return true;
  }

  #refusal(address: string | null): ServiceError | null {
    const { perAddress, whole } = this.#limits;
    const own = address === null ? undefined : this.#byAddress.get(address);
    if (own !== undefined && (own.size >= perAddress || this.#waiting(own) >= perAddress * MAX_WAITING)) {
      const message = `Too many connections from your address: at most ${perAddress}, half of them without a request`;
      return new ServiceError('too_many_requests', message, { retryAfter: 5 });
    }
    if (this.#open.size < whole || this.#closeOldestWaiting()) return null;
    return new ServiceError('unavailable', 'There are too many connections; try again later', { retryAfter: 30 });
  }

  /** Counts the connections that wait, if they may be too many. */
  #waiting(own: ReadonlySet<Socket>): number {
    if (own.size < this.#limits.perAddress * MAX_WAITING) return 0;
    let count = 0;
    for (const socket of own) if (this.#isWaiting(socket)) count += 1;
    return count;
  }

  /** Whether a connection has no request that is being answered, or has not sent all of it yet. */
  #isWaiting(socket: Socket): boolean {
    if (this.#webSockets.has(socket)) return false;
    const response = this.#responses.get(socket);
    return response === undefined || response.writableFinished || !response.req.complete;
  }

  /** Makes room where no address has too many connections: clients that send what they have to say wait for milliseconds only. */
  #closeOldestWaiting(): boolean {
    for (const socket of this.#open.keys()) {
      if (!this.#isWaiting(socket)) continue;
      this.#forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  }

  #refuse(socket: Socket, refusal: ServiceError): void {
    socket.on('error', () => undefined);
    answerRaw(socket, refusal, '/');
    this.#refused += 1;
    if (this.#refused > 1) return;
    setTimeout(() => {
      this.#logger.warn({ refused: this.#refused }, 'Connections were refused: there were too many');
      this.#refused = 0;
    }, TELL_EVERY_MS).unref();
  }

  #forget(socket: Socket): void {
    const address = this.#open.get(socket);
    this.#open.delete(socket);
    if (address === undefined || address === null) return;
    const own = this.#byAddress.get(address);
    own?.delete(socket);
    if (own?.size === 0) this.#byAddress.delete(address);
  }
}
