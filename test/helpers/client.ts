/** A small HTTP client of the API, for tests. It refuses answers that the description of the interface does not promise. */
import { assertConforms, mayBeKnown } from './conformance.ts';
import { watchLoop } from './event-loop.ts';
import { assertTagMeansBody } from './tags.ts';
import { assertTasksTranslated, assertTranslated } from './translated.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; the text of other media types; undefined for none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
}

export type RequestHeaders = Readonly<Record<string, string>>;

export interface TestClient {
  get(path: string, headers?: RequestHeaders): Promise<Answer>;
  /** `body` is sent as JSON; a string is sent as it is. */
  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  put(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
  del(path: string, headers?: RequestHeaders): Promise<Answer>;
  request(method: string, path: string, body?: unknown, headers?: RequestHeaders): Promise<Answer>;
}

/** Whether an answer is a refusal in English. */
function isProblem(headers: Headers): boolean {
  return (
    headers.get('Content-Type')?.startsWith('application/problem+json') === true &&
    headers.get('Content-Language') !== 'es'
  );
}

export function createClient(address: string, token?: string, tenantId?: string): TestClient {
  const request: TestClient['request'] = async (method, path, body, headers = {}) => {
    const sent: RequestInit = {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(tenantId === undefined ? {} : { 'x-tenant-id': tenantId }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    const {
      status,
      headers: received,
      text,
    } = await watchLoop(address, `${method} ${path}`, async (signal) => {
      const response = await fetch(address + path, signal === undefined ? sent : { ...sent, signal });
      return { status: response.status, headers: response.headers, text: await response.text() };
    });
    const isJson = /\bjson\b/.test(received.get('Content-Type') ?? '');
    const answer: Answer = {
      status,
      headers: received,
      body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
    };
    assertConforms({ method, path, ...answer });
    if (isProblem(received)) assertTranslated(answer.body);
    else if (isJson && method === 'GET' && /^\/api\/tasks(\/[\w-]+)?(\?|$)/.test(path))
      assertTasksTranslated(answer.body);
    const tag = received.get('ETag');
    if (method === 'GET' && status === 200 && tag !== null && mayBeKnown(path)) {
      assertTagMeansBody(`${address} ${token} ${tenantId}`, path, tag, answer.body);
    }
    return answer;
  };
  return {
    request,
    get: (path, headers) => request('GET', path, undefined, headers),
    post: (path, body, headers) => request('POST', path, body, headers),
    put: (path, body, headers) => request('PUT', path, body, headers),
    patch: (path, body, headers) => request('PATCH', path, body, headers),
    del: (path, headers) => request('DELETE', path, undefined, headers),
  };
}
