/**
 * `/ws/notifications`: the notifications and tasks of whoever connects, as they come (decision 0179). Each process serves its own clients;
 * PostgreSQL tells them all what has come. A connection lives as long as its session, membership or API key, and a day at most.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import pMap from 'p-map';
import { type WebSocket, WebSocketServer } from 'ws';
import { actorOf } from '../../domain/actors.ts';
import { addressGroup, clientAddress, proxyTest } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';
import { authenticate, type Identity } from '../../services/identity/authenticate.ts';
import { NOTIFICATIONS_CHANNEL, type Signal } from '../../services/notifications/channel.ts';
import { newestId } from '../../services/notifications/feed.ts';
import { authEnv } from '../auth/env.ts';
import { answerRaw } from '../client-errors.ts';
import type { Deps } from '../route.ts';
import { CLOSED, Client } from './client.ts';
import { Feed } from './feed.ts';
import { BEARER, type Handshake, readAuthMessage, readHandshake, SOCKET_PATH } from './handshake.ts';
import { answerAsHttp, wantsSocket } from './upgrade.ts';

/** How long a client may take to say who it is. */
const AUTH_MS = 5000;
const HEARTBEAT_MS = 30_000;
/** Clients checked at once. */
const CHECKS = 4;
/** After this time a client connects again, with a token that is still valid. */
const LIFETIME_MS = 24 * 3_600_000;
/** A client only ever sends its token. */
const MAX_MESSAGE_BYTES = 8192;

/** How many connections there may be in this process. */
export const MOST = {
  all: 10_000,
  /** In a company. */
  company: 2000,
  /** Of a person or API key in a company: tabs and devices. */
  viewer: 20,
  /** From an address, of those who have not said who they are. */
  unknown: 50,
  /** Refused tokens of an address between two heartbeats. */
  failures: 200,
  /** Times that a person or API key connects between two heartbeats: it is no way around the limit of requests. */
  joins: 100,
} as const;

export class Sockets {
  readonly #deps: Deps;
  readonly #feed: Feed;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has(BEARER) ? BEARER : false),
  });
  readonly #clients = new Set<Client>();
  readonly #heartbeat: NodeJS.Timeout;
  /** Refused tokens of each address since the last heartbeat. */
  readonly #failures = new Map<string, number>();
  /** Connections of each person or API key since then. */
  readonly #joins = new Map<string, number>();
  #closing = false;

  /** Must be made before `deps.callers` listens. */
  constructor(deps: Deps, { heartbeatMs = HEARTBEAT_MS }: { readonly heartbeatMs?: number } = {}) {
    this.#deps = deps;
    this.#feed = new Feed(deps.database, deps.logger);
    deps.callers.hear(NOTIFICATIONS_CHANNEL, {
      notified: (text) => this.#feed.hear(JSON.parse(text) as Signal),
      connected: () => this.#feed.catchUpAll(),
    });
    deps.callers.onChange((id) => {
      for (const client of this.#clients) {
        const { userId, machine } = client.connected?.identity ?? {};
        if (userId === id || machine?.id === id) void this.#check(client);
      }
    });
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** Takes connections of a server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (!wantsSocket(request)) return answerAsHttp(server, request, socket, head);
      // Clients disappear; the WebSocket has a listener of its own later.
      socket.on('error', () => undefined);
      try {
        if (path !== SOCKET_PATH) throw new ServiceError('not_found', `There is no WebSocket at ${path}`);
        const handshake = readHandshake(request, this.#deps.config.api.corsOrigins);
        const address = this.#addressOf(request);
        this.#assertRoom(address);
        this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, handshake, address));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        answerRaw(socket, error, path);
      }
    });
  }

  /** Clients that are connected, for tests and metrics. */
  get size(): number {
    return this.#clients.size;
  }

  /** Tells all clients that the service goes away. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#heartbeat);
    this.#feed.close();
    for (const client of this.#clients) client.close(CLOSED.goingAway, 'The service is stopping');
  }

  #addressOf({ socket, headers }: IncomingMessage): string {
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    return addressGroup(
      clientAddress(socket.remoteAddress ?? '', forwarded, proxyTest(this.#deps.config.api.trustProxy)),
    );
  }

  /** @throws ServiceError unavailable, too_many_requests */
  #assertRoom(address: string): void {
    if (this.#closing || this.#clients.size >= MOST.all) {
      throw new ServiceError('unavailable', 'There are too many connections; try again later', { retryAfter: 30 });
    }
    const unknown = [...this.#clients].filter((one) => one.connected === null && one.address === address);
    if (unknown.length >= MOST.unknown || (this.#failures.get(address) ?? 0) >= MOST.failures) {
      throw new ServiceError('too_many_requests', 'Too many connections without a token', { retryAfter: 5 });
    }
  }

  #open(socket: WebSocket, handshake: Handshake, address: string): void {
    const client = new Client(socket, address, performance.now());
    this.#clients.add(client);
    const late = setTimeout(() => client.close(CLOSED.timedOut, 'No token came in time'), AUTH_MS);
    let isJoining = false;
    const join = (by: Handshake) => {
      isJoining = true;
      clearTimeout(late);
      void this.#join(client, by);
    };
    const flooded = () => {
      const isFlooding = client.isFlooding(performance.now());
      if (isFlooding) client.close(CLOSED.refused, 'Too many messages');
      return isFlooding;
    };
    socket.on('message', (data, isBinary) => {
      if (flooded()) return;
      if (isBinary) return client.close(CLOSED.textOnly, 'Messages must be text');
      if (isJoining) return;
      try {
        join(readAuthMessage(String(data), handshake));
      } catch (error) {
        this.#refuse(client, error);
      }
    });
    socket.on('ping', flooded);
    socket.on('pong', () => {
      // One answers the ping; others are messages.
      if (client.isAlive && flooded()) return;
      client.isAlive = true;
    });
    // What is wrong with it also closes it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(late);
      this.#clients.delete(client);
      if (client.connected !== null) this.#feed.remove(client, client.connected.identity.tenantId);
    });
    if (handshake.token !== null) join(handshake);
  }

  async #join(client: Client, { token, tenantId, lastId }: Handshake): Promise<void> {
    try {
      const since = this.#deps.now();
      const identity = await this.#identify(token ?? '', tenantId, since);
      const { userId, machine } = identity;
      const viewer = machine === null ? String(userId) : actorOf(machine);
      const own = [...this.#feed.clientsOf(identity.tenantId)];
      const joins = counted(this.#joins, viewer);
      if (joins > MOST.joins) return client.close(CLOSED.later, 'Connects too often');
      if (own.length >= MOST.company || own.filter((one) => one.connected?.viewer === viewer).length >= MOST.viewer) {
        return client.close(CLOSED.later, 'There are too many connections');
      }
      // The end of one that has gone meanwhile was noted: nobody would take it out again.
      if (!client.isOpen) return;
      client.connected = { identity, token: token ?? '', since, viewer };
      this.#feed.add(client, identity.tenantId);
      if (userId !== null) {
        client.after = lastId ?? (await newestId(this.#deps.database.reader(identity), userId));
      }
      client.send([{ type: 'ready' }]);
      this.#feed.catchUp(client, identity.tenantId);
      // It may have lost its access since it was read.
      await this.#check(client);
    } catch (error) {
      if (client.connected === null) counted(this.#failures, client.address);
      this.#refuse(client, error);
    }
  }

  /** @throws ServiceError as `authenticate` */
  async #identify(token: string, tenantId: string | undefined, now: Date): Promise<Identity> {
    const env = { ...authEnv(this.#deps), callers: this.#deps.callers, now };
    return await authenticate(env, token, tenantId);
  }

  /** Closes a connection whose session, membership or key has ended. Its token may have expired: the session goes on. */
  async #check(client: Client): Promise<void> {
    if (client.connected === null || !client.isOpen) return;
    const { identity, token, since } = client.connected;
    try {
      await this.#identify(token, identity.tenantId, identity.machine === null ? since : this.#deps.now());
    } catch (error) {
      // Without the database nobody can say: the next heartbeat asks again.
      if (error instanceof ServiceError && codeOf(error) !== CLOSED.later) this.#refuse(client, error);
    }
  }

  #refuse(client: Client, error: unknown): void {
    if (error instanceof ServiceError) {
      client.close(codeOf(error), error.message.slice(0, 100));
      return;
    }
    this.#deps.logger.error({ err: error }, 'A WebSocket failed');
    client.close(CLOSED.failed, 'Something went wrong');
  }

  /** Drops clients that do not answer, or do not take what they are sent. */
  #beat(): void {
    const now = performance.now();
    this.#failures.clear();
    this.#joins.clear();
    for (const client of this.#clients) {
      if (now - client.openedAt > LIFETIME_MS) client.close(CLOSED.unauthorized, 'Connect again');
      if (client.isSending) client.beatsSending += 1;
      if (!client.isAlive || client.beatsSending > 1) {
        client.close(CLOSED.timedOut, 'No answer');
        continue;
      }
      client.isAlive = false;
      if (client.isOpen) client.socket.ping();
    }
    void pMap(this.#clients, (client) => this.#check(client), { concurrency: CHECKS });
  }
}

/** Counts something once more. @returns how often */
function counted(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

function codeOf({ code, status }: ServiceError): number {
  if (status === 401) return CLOSED.unauthorized;
  if (code === 'not_a_member' || code === 'forbidden') return CLOSED.forbidden;
  return status >= 500 ? CLOSED.later : CLOSED.refused;
}
