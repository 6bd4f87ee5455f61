/** Real clients of `/ws/notifications`. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, WebSocket } from 'ws';
import { buildApp } from '../../api/app.ts';
import { createHttpServer } from '../../api/http-server.ts';
import { Sockets } from '../../api/messages/sockets/sockets.ts';
import { Database } from '../../db/database.ts';
import { CallerCache } from '../../services/access/sessions/caller-cache.ts';
import type { TestApp } from './app.ts';

export interface Message {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly id: string; readonly title: string };
  readonly unread_count: number;
}

export interface SocketClient {
  readonly socket: WebSocket;
  /** All messages received, except `ready`. */
  readonly messages: Message[];
  /** Resolves when `ready` has come. @throws Error when it is closed instead */
  readonly ready: Promise<void>;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  /** Waits until as many messages have come. */
  came(count: number): Promise<readonly Message[]>;
}

export interface Connecting {
  readonly path?: string;
  readonly protocols?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly options?: ClientOptions;
}

/** @param address http://host:port */
export function connectSocket(
  address: string,
  { path = '', protocols = [], headers = {}, options = {} }: Connecting,
): SocketClient {
  const url = `${address.replace('http', 'ws')}/ws/notifications${path}`;
  const socket = new WebSocket(url, [...protocols], { headers, ...options });
  const messages: Message[] = [];
  const closed = once(socket, 'close').then(([code]) => code as number);
  // A refusal rejects only for those who await `ready`; others await `closed`.
  const ready = new Promise<void>((resolve, reject) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.type === 'ready') resolve();
      else messages.push(message);
      socket.emit('came');
    });
    socket.on('error', reject);
    closed.then((code) => reject(new Error(`closed with ${code}`)), reject);
  });
  ready.catch(() => undefined);
  return {
    socket,
    messages,
    ready,
    closed,
    async came(count) {
      while (messages.length < count) await once(socket, 'came', { signal: AbortSignal.timeout(10_000) });
      return messages;
    },
  };
}

/** The status of a refused handshake. */
export async function refusedWith(client: SocketClient): Promise<number> {
  const [, response] = (await once(client.socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number; resume(): void },
  ];
  response.resume();
  client.socket.on('error', () => undefined);
  client.socket.terminate();
  return response.statusCode;
}

export interface Sibling {
  readonly address: string;
  readonly sockets: Sockets;
  stop(): Promise<void>;
}

/** A second API on the same database, with its own connections. */
export async function startSibling(
  app: Pick<TestApp, 'databaseUrl' | 'deps'>,
  options: ConstructorParameters<typeof Sockets>[1] = {},
): Promise<Sibling> {
  const callers = new CallerCache(app.databaseUrl, () => {});
  const database = new Database({ url: app.databaseUrl, poolSize: 4, applicationName: 'sibling-api' });
  const deps = { ...app.deps, callers, database };
  const sockets = new Sockets(deps, options);
  await callers.listen();
  const server = createHttpServer(buildApp(deps), app.deps.config, app.deps.logger);
  sockets.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      sockets.close();
      server.closeAllConnections();
      await closed;
      await Promise.all([callers.close(), database.close()]);
    },
  };
}
