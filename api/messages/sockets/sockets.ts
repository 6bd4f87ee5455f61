/**
 * `/ws/notifications`: sends connected callers their notifications and tasks as they come (decision 0179). Each process serves its own
 * clients; PostgreSQL signals news to all of them. A connection lives as long as its session, membership or API key, and a day at most.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import pMap from 'p-map';
import { type WebSocket, WebSocketServer } from 'ws';
import { machineActor } from '../../../domain/actors.ts';
import { addressGroup, clientAddress, proxyTest } from '../../../domain/addresses.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { authenticate, type Identity } from '../../../services/access/sessions/authenticate.ts';
import { newestId } from '../../../services/messages/notifications/feed.ts';
import { NOTIFICATIONS_CHANNEL, type Signal } from '../../../services/platform/feed/channel.ts';
import { authEnv } from '../../auth-env.ts';
import { answerRaw } from '../../client-errors.ts';
import { connectionLimits } from '../../connections.ts';
import type { Deps } from '../../route.ts';
import { CLOSED, Client } from './client.ts';
import { Feed } from './feed.ts';
import { BEARER, type Handshake, readAuthMessage, readHandshake, SOCKET_PATH } from './handshake.ts';
import { answerAsHttp, wantsSocket } from './upgrade.ts';

/** Time for a client to authenticate. */
const AUTH_TIMEOUT_MS = 5000;
/** Whoever connects too often waits for the refusal. */
const REFUSAL_MS = 1000;
const HEARTBEAT_MS = 30_000;
/** Concurrent checks of clients. */
const CONCURRENT_CHECKS = 4;
/** Maximum lifetime of a connection; the client then connects again with a valid token. */
const MAX_LIFETIME_MS = 24 * 3_600_000;
/** A client only ever sends its token. */
const MAX_MESSAGE_BYTES = 8192;

/** Maximum connections of this process. */
export const LIMITS = {
  all: 10_000,
  /** Per company. */
  company: 2000,
  /** Per person or API key in a company: tabs and devices. */
  viewer: 20,
  /** Per address, of clients that have not authenticated. */
  unknown: 50,
  /** Refused tokens per address between two heartbeats. */
  failures: 200,
  /** Connections opened per person or API key between two heartbeats, so that WebSockets cannot evade the rate limit. */
  joins: 100,
} as const;

export class Sockets {
  readonly #deps: Deps;
  readonly #feed: Feed;
  /** Maximum connections of an address. */
  readonly #perAddress: number;
  readonly #server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    clientTracking: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: (offered) => (offered.has(BEARER) ? BEARER : false),
  });
  readonly #clients = new Set<Client>();
  readonly #heartbeat: NodeJS.Timeout;
  /** Refused tokens by address since the last heartbeat. */
  readonly #failures = new Map<string, number>();
  /** Connections opened by person or API key since the last heartbeat. */
  readonly #joins = new Map<string, number>();
  #closing = false;

  /** Must be created before `deps.callers` listens. */
  constructor(deps: Deps, { heartbeatMs = HEARTBEAT_MS }: { readonly heartbeatMs?: number } = {}) {
    this.#deps = deps;
    this.#feed = new Feed(deps.database, deps.logger);
    this.#perAddress = connectionLimits(deps.config).perAddress;
    deps.callers.subscribe(NOTIFICATIONS_CHANNEL, {
      notified: (text) => this.#feed.handleSignal(JSON.parse(text) as Signal),
      connected: () => this.#feed.catchUpAll(),
    });
    deps.callers.onChange((id) => {
      for (const client of this.#clients) {
        const { userId, machine, answeringId } = client.connected?.identity ?? {};
        if (userId === id || machine?.id === id || answeringId === id) void this.#check(client);
      }
    });
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** Accepts connections of a server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const [path = ''] = (request.url ?? '').split('?');
      if (!wantsSocket(request)) return answerAsHttp(server, request, socket, head);
      // Clients may disappear; the WebSocket gets a listener of its own later.
      socket.on('error', () => undefined);
      try {
        if (path !== SOCKET_PATH) throw new ServiceError('not_found', `There is no WebSocket at ${path}`);
        const handshake = readHandshake(request, this.#deps.config.api.corsOrigins);
        const address = this.#addressGroup(request);
        this.#assertRoom(address);
        this.#server.handleUpgrade(request, socket, head, (opened) => this.#open(opened, handshake, address));
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        answerRaw(socket, error, path);
      }
    });
  }

  /** Number of connected clients, for tests and metrics. */
  get size(): number {
    return this.#clients.size;
  }

  /** Closes all connections because the service is stopping. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#heartbeat);
    this.#feed.close();
    for (const client of this.#clients) client.close(CLOSED.restarting, 'This process is stopping: connect again');
  }

  #addressGroup({ socket, headers }: IncomingMessage): string {
    const forwarded = String(headers['x-forwarded-for'] ?? '');
    return addressGroup(
      clientAddress(socket.remoteAddress ?? '', forwarded, proxyTest(this.#deps.config.api.trustProxy)),
    );
  }

  /** @throws ServiceError unavailable, too_many_requests */
  #assertRoom(address: string): void {
    if (this.#closing || this.#clients.size >= LIMITS.all) {
      throw new ServiceError('unavailable', 'There are too many connections; try again later', { retryAfter: 30 });
    }
    const own = [...this.#clients].filter((one) => one.address === address);
    // Behind a proxy, the limit of connections counts the proxy's.
    if (own.length >= this.#perAddress) {
      throw new ServiceError('too_many_requests', 'Too many connections from your address', { retryAfter: 30 });
    }
    const unknown = own.filter((one) => one.connected === null);
    if (unknown.length >= LIMITS.unknown || (this.#failures.get(address) ?? 0) >= LIMITS.failures) {
      throw new ServiceError('too_many_requests', 'Too many connections without a token', { retryAfter: 5 });
    }
  }

  #open(socket: WebSocket, handshake: Handshake, address: string): void {
    const client = new Client(socket, address, performance.now());
    this.#clients.add(client);
    const late = setTimeout(() => client.close(CLOSED.timedOut, 'No token came in time'), AUTH_TIMEOUT_MS);
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
      // One pong answers the ping; any other counts as a message.
      if (client.isAlive && flooded()) return;
      client.isAlive = true;
    });
    // Errors also close the connection.
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
      const viewer = machine === null ? String(userId) : machineActor(machine);
      const own = [...this.#feed.companyClients(identity.tenantId)];
      const joins = increment(this.#joins, viewer);
      if (joins > LIMITS.joins) {
        // Those who connect again at once would be refused hundreds of times a second.
        await delay(REFUSAL_MS);
        return client.close(CLOSED.later, 'Connects too often');
      }
      if (
        own.length >= LIMITS.company ||
        own.filter((one) => one.connected?.viewer === viewer).length >= LIMITS.viewer
      ) {
        return client.close(CLOSED.later, 'There are too many connections');
      }
      // A client that has left in the meantime would never be removed again.
      if (!client.isOpen) return;
      client.connected = { identity, token: token ?? '', since, viewer };
      this.#feed.add(client, identity.tenantId);
      if (userId !== null) {
        client.after = lastId ?? (await newestId(this.#deps.database.reader(identity), userId));
      }
      client.send([{ type: 'ready' }]);
      this.#feed.catchUp(client, identity.tenantId);
      // Access may have ended since the identity was read.
      await this.#check(client);
    } catch (error) {
      if (client.connected === null) increment(this.#failures, client.address);
      this.#refuse(client, error);
    }
  }

  /** Authenticates a client. @throws ServiceError as `authenticate` */
  async #identify(token: string, tenantId: string | undefined, now: Date): Promise<Identity> {
    const env = { ...authEnv(this.#deps), callers: this.#deps.callers, now };
    return await authenticate(env, token, tenantId);
  }

  /** Closes a connection whose session, membership or key has ended. An expired token is no reason: the session continues. */
  async #check(client: Client): Promise<void> {
    if (client.connected === null || !client.isOpen) return;
    const { identity, token, since } = client.connected;
    try {
      await this.#identify(token, identity.tenantId, identity.machine === null ? since : this.#deps.now());
    } catch (error) {
      // Without the database this is unknown; the next heartbeat checks again.
      if (error instanceof ServiceError && closeCode(error) !== CLOSED.later) this.#refuse(client, error);
    }
  }

  #refuse(client: Client, error: unknown): void {
    if (error instanceof ServiceError) {
      client.close(closeCode(error), error.message.slice(0, 100));
      return;
    }
    this.#deps.logger.error({ err: error }, 'A WebSocket failed');
    client.close(CLOSED.failed, 'Something went wrong');
  }

  /** Drops clients that do not answer or do not receive. */
  #beat(): void {
    const now = performance.now();
    this.#failures.clear();
    this.#joins.clear();
    for (const client of this.#clients) {
      if (now - client.openedAt > MAX_LIFETIME_MS) client.close(CLOSED.unauthorized, 'Connect again');
      if (client.isSending) client.beatsSending += 1;
      if (!client.isAlive || client.beatsSending > 1) {
        client.close(CLOSED.timedOut, 'No answer');
        continue;
      }
      client.isAlive = false;
      if (client.isOpen) client.socket.ping();
    }
    void pMap(this.#clients, (client) => this.#check(client), { concurrency: CONCURRENT_CHECKS });
  }
}

/** Increments a counter. @returns its new value */
function increment(counts: Map<string, number>, name: string): number {
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count;
}

function closeCode({ code, status }: ServiceError): number {
  if (status === 401) return CLOSED.unauthorized;
  if (code === 'not_a_member' || code === 'forbidden') return CLOSED.forbidden;
  return status >= 500 ? CLOSED.later : CLOSED.refused;
}
