/** The client: all resources of the service, and what goes beyond single requests. */
import { type DownloadedFile, toFile } from './files.ts';
import type { Resources } from './generated/resources.ts';
import { TABLE } from './generated/table.ts';
import { type Notification, type NotificationOptions, notifications, type SocketClass } from './notifications.ts';
import { buildResources } from './resources.ts';
import { type Credentials, Session, type Tokens } from './session.ts';
import { type Started, type Task, type WaitOptions, waitForTask } from './tasks.ts';
import { type RequestOptions, Transport } from './transport.ts';

export type ClientOptions = Credentials & {
  /** The address of the service, e.g. https://erp.example.com */
  readonly baseUrl: string;
  /** The company; that of the token or key by default. */
  readonly tenantId?: string;
  /** Language of messages: en or es. */
  readonly language?: string;
  /** Repetitions after 429, 503 and lost connections; 4 by default. */
  readonly retries?: number;
  /** Milliseconds that one attempt may take; a minute by default. */
  readonly timeout?: number;
  /** Told of new tokens, which work once: whoever keeps them must keep the last ones. */
  readonly onTokens?: (tokens: Tokens) => void;
  /** Instead of the global fetch. */
  readonly fetch?: typeof fetch;
  /** For notifications, where there is no global WebSocket (Node 20): that of the package ws. */
  readonly WebSocket?: SocketClass;
};

export interface Client extends Resources {
  /**
   * Any request, for what the resources do not offer, repeated and refused like theirs.
   * @param path with its leading slash
   */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Reads a file: reports and lists with `format`, or what has a path of its own. @param path with its leading slash */
  download(path: string, query?: { readonly [name: string]: unknown }): Promise<DownloadedFile>;
  /**
   * Waits until a background task has ended.
   * @throws TaskError if it has failed or was cancelled
   */
  waitForTask(started: Started, options?: WaitOptions): Promise<Task>;
  /** Your notifications as they come, without an end; none is missed while a connection is lost. */
  notificationFeed(options?: Omit<NotificationOptions, 'WebSocket' | 'tenantId'>): AsyncGenerator<Notification, void>;
}

/** Creates a client. Nothing is sent before the first call. */
export function createClient(options: ClientOptions): Client {
  const { tenantId, language, retries = 4, timeout = 60_000, onTokens } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const session = new Session({ baseUrl, credentials: options, fetch, onTokens });
  const headers = {
    ...(tenantId === undefined ? {} : { 'x-tenant-id': tenantId }),
    ...(language === undefined ? {} : { 'Accept-Language': language }),
  };
  const transport = new Transport({ baseUrl, session, fetch, headers, retries, timeout });
  const own: Omit<Client, keyof Resources> = {
    request: (method, path, request) => transport.send(method, path, request),
    download: async (path, query = {}) => toFile(await transport.send('GET', path, { query })),
    waitForTask: (started, wait) => waitForTask(transport, started, wait),
    notificationFeed(feed = {}) {
      const WebSocket = options.WebSocket ?? (globalThis as { WebSocket?: SocketClass }).WebSocket;
      if (WebSocket === undefined) throw new TypeError('WebSocket must be given: there is no global one here');
      return notifications(transport, { ...feed, ...(tenantId === undefined ? {} : { tenantId }), WebSocket });
    },
  };
  return Object.assign(buildResources(transport, TABLE), own) as Client;
}
