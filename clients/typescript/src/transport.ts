/** Sends requests: with credentials, repeated where that is safe, and with refusals as errors. */
import { ConnectionError, toError } from './errors.ts';
import { toQuery } from './query.ts';
import type { Session } from './session.ts';

export interface RequestOptions {
  /** Parameters of the query string. */
  readonly query?: { readonly [name: string]: unknown };
  /** A plain object is sent as JSON, anything else as it is. */
  readonly body?: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** Key by which a repeated POST is known; a new one for each call by default. */
  readonly idempotencyKey?: string;
  /** The version that was read: a record that has been changed since is not overwritten (StaleVersionError). */
  readonly version?: number;
  readonly signal?: AbortSignal;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly session: Session;
  readonly fetch: typeof fetch;
  /** Headers of each request. */
  readonly headers: { readonly [name: string]: string };
  /** Repetitions after the first attempt. */
  readonly retries: number;
  /** Milliseconds that one attempt may take. */
  readonly timeout: number;
}

/** Statuses after which the same request may succeed. A POST under way elsewhere is 409, and says when to ask again. */
const REPEATABLE = new Set([429, 502, 503, 504]);
/** Longest pause between attempts, in milliseconds, unless the service says how long. */
const LONGEST_PAUSE = 8_000;

export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  get session(): Session {
    return this.#options.session;
  }

  /**
   * Sends a request, and repeats it after 429, 503 and lost connections.
   * @returns a successful answer
   * @throws ServiceError, ConnectionError
   */
  async send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const url = `${this.#options.baseUrl}${path}${toQuery(options.query)}`;
    const init = this.#init(method, options);
    let isLost = false;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt(url, init, options.signal);
      if (outcome instanceof Response) {
        if (outcome.ok) return outcome;
        // The first attempt may have deleted it, and only its answer was lost.
        if (outcome.status === 404 && method === 'DELETE' && isLost) return new Response(null, { status: 204 });
      } else isLost = true;
      const pause = attempt < this.#options.retries ? pauseBefore(attempt, outcome, isSafe(method, options)) : null;
      if (pause === null) throw outcome instanceof Response ? await toError(outcome) : outcome;
      if (outcome instanceof Response) await outcome.body?.cancel();
      await wait(pause, options.signal);
    }
  }

  #init(method: string, { body, headers = {}, idempotencyKey, version }: RequestOptions): RequestInit {
    const isJson = body !== undefined && isPlain(body);
    return {
      method,
      headers: {
        Accept: 'application/json, */*',
        ...this.#options.headers,
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...(method === 'POST' ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
        ...(version === undefined ? {} : { 'If-Match': `"${version}"` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>) }),
    };
  }

  /** One attempt; a second at once with a new token, where the first was refused for it. */
  async #attempt(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response | ConnectionError> {
    const { session } = this.#options;
    const token = await session.token();
    const outcome = await this.#fetch(url, init, token, signal);
    if (!(outcome instanceof Response) || outcome.status !== 401 || !session.canRenew()) return outcome;
    await outcome.body?.cancel();
    return await this.#fetch(url, init, await session.renew(token), signal);
  }

  async #fetch(
    url: string,
    init: RequestInit,
    token: string,
    signal: AbortSignal | undefined,
  ): Promise<Response | ConnectionError> {
    const { fetch, timeout } = this.#options;
    const limit = AbortSignal.timeout(timeout);
    const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` };
    try {
      return await fetch(url, { ...init, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit });
    } catch (error) {
      if (signal?.aborted) throw error;
      return new ConnectionError(`${init.method} ${url} got no answer: ${reason(error)}`, { cause: error });
    }
  }
}

function reason(error: unknown): string {
  const { cause, message } = error as { cause?: { message?: string }; message?: string };
  return cause?.message ?? message ?? String(error);
}

/** Whether a request whose answer is lost may be sent again: a POST has a key, and a version shows whether it was carried out. */
function isSafe(method: string, { version, body }: RequestOptions): boolean {
  if (body instanceof ReadableStream) return false;
  return method !== 'PATCH' || version === undefined;
}

/** Milliseconds to wait for the next attempt; null for none. */
function pauseBefore(attempt: number, outcome: Response | ConnectionError, safe: boolean): number | null {
  const growing = Math.min(LONGEST_PAUSE, 250 * 2 ** attempt) * (0.5 + Math.random() / 2);
  if (!(outcome instanceof Response)) return safe ? growing : null;
  const asked = Number.parseInt(outcome.headers.get('Retry-After') ?? '', 10);
  if (Number.isNaN(asked)) return REPEATABLE.has(outcome.status) && safe ? growing : null;
  return REPEATABLE.has(outcome.status) || outcome.status === 409 ? Math.max(growing, asked * 1000) : null;
}

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Whether a body is JSON rather than bytes, a text or a form. */
function isPlain(body: unknown): boolean {
  if (Array.isArray(body)) return true;
  return typeof body === 'object' && body !== null && [Object.prototype, null].includes(Object.getPrototypeOf(body));
}
