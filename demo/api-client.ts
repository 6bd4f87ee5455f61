/** A small REST client of the service with tokens, idempotency keys, retries and readable failures. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A JSON object of the API. */
export type Json = Record<string, unknown>;

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** An unsuccessful answer: the problem's message, and its code if there is one. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;

  constructor(what: string, status: number, problem: { code?: string; detail?: string; title?: string }) {
    super(`${what} → ${status} ${problem.code ?? ''}: ${problem.detail ?? problem.title ?? 'no explanation'}`);
    this.status = status;
    this.code = problem.code ?? '';
  }
}

/** The service cannot be reached. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

interface RequestOptions {
  readonly body?: Json;
  readonly file?: { readonly text: string; readonly type: string };
  /** Makes retrying a POST safe. */
  readonly key?: string;
}

const RETRIED = new Set([429, 503]);
const ATTEMPTS = 7;
const TIMEOUT_MS = 60_000;

export class ApiClient {
  readonly url: string;
  tenantId: string | undefined;
  #token: string | undefined;
  #credentials: Credentials | undefined;
  #login: Promise<void> | undefined;

  /** @param url the service's address, for example http://127.0.0.1:3000 */
  constructor(url: string) {
    this.url = url.replace(/\/+$/, '');
  }

  /** Logs in, and again whenever the token has expired. */
  async login(credentials: Credentials, tenantId?: string): Promise<void> {
    this.#credentials = credentials;
    const answer = (await this.post('/api/auth/login', { ...credentials })) as {
      token: string;
      tenants: { id: string }[];
    };
    this.#token = answer.token;
    this.tenantId = tenantId ?? this.tenantId ?? answer.tenants[0]?.id;
  }

  /** Uses the token issued with a new company. */
  useToken(token: string, tenantId: string, credentials: Credentials): void {
    this.#token = token;
    this.tenantId = tenantId;
    this.#credentials = credentials;
  }

  async get(path: string): Promise<Json> {
    return (await this.#send('GET', path, {})).json() as Promise<Json>;
  }

  /** Downloads a file, for example a PDF. */
  async download(path: string): Promise<Buffer> {
    return Buffer.from(await (await this.#send('GET', path, {})).arrayBuffer());
  }

  async post(path: string, body?: Json, key?: string): Promise<Json> {
    const options = { ...(body ? { body } : {}), ...(key ? { key } : {}) };
    return (await this.#send('POST', path, options)).json() as Promise<Json>;
  }

  async patch(path: string, body: Json): Promise<Json> {
    return (await this.#send('PATCH', path, { body })).json() as Promise<Json>;
  }

  async put(path: string, body: Json): Promise<Json> {
    return (await this.#send('PUT', path, { body })).json() as Promise<Json>;
  }

  /** Sends a file as it is. */
  async upload(path: string, text: string, type: string): Promise<Json> {
    return (await this.#send('POST', path, { file: { text, type } })).json() as Promise<Json>;
  }

  async delete(path: string): Promise<void> {
    await this.#send('DELETE', path, {});
  }

  /** Creates something and returns it (`data` of the answer). */
  async create<T = Json>(path: string, body: Json | undefined, key?: string): Promise<T> {
    return (await this.post(path, body, key)).data as T;
  }

  /** Reads one resource (`data` of the answer). */
  async one<T = Json>(path: string): Promise<T> {
    return (await this.get(path)).data as T;
  }

  /** Reads all rows of a list, page by page. @param query filters and sort, without page and limit */
  async all<T = Json>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T[]> {
    const rows: T[] = [];
    for (let page = 1; ; page++) {
      const search = new URLSearchParams({ ...query, page: String(page), limit: '500' });
      const answer = await this.get(`${path}?${search}`);
      rows.push(...(answer.data as T[]));
      if (!(answer.pagination as { has_more: boolean }).has_more) return rows;
    }
  }

  async #send(method: string, path: string, options: RequestOptions): Promise<Response> {
    let loggedInAgain = false;
    for (let attempt = 1; ; attempt++) {
      const response = await this.#attempt(method, path, options, attempt);
      if (response === undefined) continue;
      if (response.ok) return response;
      if (response.status === 401 && this.#credentials && !loggedInAgain && !path.startsWith('/api/auth/')) {
        await response.body?.cancel();
        loggedInAgain = true;
        await this.#renew();
        continue;
      }
      if (RETRIED.has(response.status) && attempt < ATTEMPTS) {
        await response.body?.cancel();
        await sleep(retryDelay(response, attempt));
        continue;
      }
      const problem = await readProblem(`${method} ${path}`, response);
      // An earlier request whose answer was lost, or whose sender was stopped, is still running.
      if (problem.code !== 'idempotency_key_in_use' || attempt >= ATTEMPTS) throw problem;
    }
  }

  /** Sends a request once. @returns undefined if the connection broke and a retry makes sense */
  async #attempt(
    method: string,
    path: string,
    options: RequestOptions,
    attempt: number,
  ): Promise<Response | undefined> {
    const headers: Record<string, string> = { accept: '*/*' };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (this.tenantId !== undefined) headers['x-tenant-id'] = this.tenantId;
    if (options.body) headers['content-type'] = 'application/json';
    if (options.file) headers['content-type'] = options.file.type;
    // Keys may contain any letter, headers only ASCII.
    if (options.key) headers['idempotency-key'] = encodeURIComponent(options.key);
    try {
      return await fetch(this.url + path, {
        method,
        headers,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...(options.body ? { body: JSON.stringify(options.body) } : {}),
        ...(options.file ? { body: options.file.text } : {}),
      });
    } catch (error) {
      // A POST without a key may have taken effect; only the caller can know.
      const repeatable = method !== 'POST' || options.key !== undefined;
      if (repeatable && attempt < ATTEMPTS && attempt > 0 && this.#token !== undefined) {
        await sleep(backoff(attempt));
        return undefined;
      }
      throw new Unreachable(`No answer from ${this.url}: ${networkReason(error)}`);
    }
  }

  /** Renews the token; concurrent requests share one login. */
  async #renew(): Promise<void> {
    if (!this.#credentials) return;
    this.#login ??= this.login(this.#credentials).finally(() => {
      this.#login = undefined;
    });
    await this.#login;
  }
}

function retryDelay(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 65) * 1000 : backoff(attempt);
}

/** Milliseconds until the next attempt: half a second, doubled each time. Half a minute in total suffices for a restart of the service. */
function backoff(attempt: number): number {
  return 500 * 2 ** (attempt - 1);
}

async function readProblem(what: string, response: Response): Promise<ApiProblem> {
  const text = await response.text();
  let problem: { code?: string; detail?: string; title?: string };
  try {
    problem = JSON.parse(text) as typeof problem;
  } catch {
    problem = { detail: text.slice(0, 200) };
  }
  return new ApiProblem(what, response.status, problem);
}

function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? ((cause as { code?: string }).code ?? cause.message) : error.message;
}
