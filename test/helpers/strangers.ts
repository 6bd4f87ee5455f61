/** Requests of strangers: whatever somebody without a token may send, each as the bytes that travel. */
import { bodyExample } from '../../api/openapi/examples.ts';
import type { Route } from '../../api/route.ts';
import { list, TEXTS, VALUES } from './fuzz/growths.ts';

export interface Stranger {
  /** Method, path and what is special. */
  readonly name: string;
  readonly bytes: Buffer;
}

/** Bodies that are still read on routes without a token, and heads that are still parsed. */
const BODY = 15_500;
const HEAD = 15_000;
const ID = '0190f5fe-7c00-7a00-8abc-012345678901';
/** Signed by somebody else. */
const FORGED = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded({ sub: ID, sid: ID, tid: ID, exp: 4e9 })}.${'A'.repeat(43)}`;

/** Headers that are read before anything is known of the sender, as long as a head may be. */
const HEADERS: Readonly<Record<string, string>> = {
  Accept: filled('application/x-a;q=0.1,'),
  'Accept-Encoding': filled('br;q=0.1,gzip;q=0.2,x;q=0.3,'),
  'Accept-Language': filled('es;q=0.1,'),
  'If-None-Match': filled('"a",W/"b",'),
  'If-Match': filled('"a",W/"b",'),
  'X-Forwarded-For': filled('192.0.2.1,'),
  Cookie: filled('a=b; '),
  Origin: `https://${filled('a.')}`,
  Range: `bytes=${filled('0-1,')}`,
  'Content-Type': `application/json;${filled('a=b;')}`,
  Authorization: `Bearer ${filled('a.')}`,
  'X-Tenant-Id': filled('0190f5fe-'),
  'Idempotency-Key': filled('k'),
  'X-Request-Id': filled('r'),
};

/** One of so many is tried, where routes share what comes before their handlers. */
const EVERY = { closed: 10, path: 12, header: 4, growth: 5 };

/**
 * Lists requests to the routes of an application: everything at least once, but not everything to each route, which would take
 * minutes. Each route that is open to anybody is tried with each kind of query and body.
 */
export function* strangers(routes: readonly Route[]): Generator<Stranger> {
  const open = routes.filter(({ access }) => access === 'public');
  for (const route of sampled(routes, EVERY.closed)) yield* callers(route);
  for (const [at, route] of open.entries()) {
    yield request(route, 'without a token', {}, exampleText(route));
    yield* queries(route);
    for (const [name, value] of sampled(Object.entries(HEADERS), EVERY.header, at))
      yield request(route, `a long ${name}`, { [name]: value });
    if (route.body !== undefined) yield* bodies(route, at);
  }
  for (const path of sampled([...new Set(routes.map(({ path }) => path))], EVERY.path)) yield* otherMethods(path);
  yield* nowhere();
  yield* noHttp();
}

/** Every so-manyth, beginning with another one for each `turn`. */
function sampled<T>(all: readonly T[], every: number, turn = 0): T[] {
  return all.filter((_, at) => (at + turn) % every === 0);
}

/** A request as it should be, without a token and with one that is wrong. */
function* callers(route: Route): Generator<Stranger> {
  const body = exampleText(route);
  yield request(route, 'without a token', {}, body);
  if (route.access === 'public') return;
  yield request(route, 'with a forged token', { Authorization: `Bearer ${FORGED}` }, body);
  yield request(route, 'with a body without end', { Authorization: 'Bearer x' }, filled('{"a":[', BODY));
}

function exampleText(route: Route): string {
  return route.body === undefined ? '' : JSON.stringify(bodyExample(route));
}

function* queries(route: Route): Generator<Stranger> {
  const queries = {
    'many parameters': list(HEAD / 8, (at) => `p${at}=1`).join('&'),
    'one parameter many times': filled('token=1&', HEAD),
    'a long parameter': `token=${filled('%F0%9F%98%80', HEAD)}`,
    'escapes that mean nothing': filled('%zz&', HEAD),
    brackets: `a${filled('[b]', HEAD)}=1`,
  };
  for (const [name, query] of Object.entries(queries))
    yield { name: `${route.method} ${route.path} ${name}`, bytes: head(route.method, `${filledPath(route)}?${query}`) };
}

/** The body grown at each place and as a whole, and bodies that are none. */
function* bodies(route: Route, turn: number): Generator<Stranger> {
  const example = bodyExample(route) as Record<string, unknown>;
  const size = BODY - JSON.stringify(example).length;
  for (const [name, growth] of sampled(Object.entries({ ...TEXTS, ...VALUES }), EVERY.growth, turn)) {
    // Escapes make some growths longer than they are asked for.
    const fitting = [size, size / 2, size / 4]
      .map((bytes) => growth(bytes))
      .find((one) => JSON.stringify(one).length <= size);
    if (fitting === undefined) continue;
    yield request(route, `body: ${name}`, {}, JSON.stringify(fitting));
    for (const place of places(example))
      yield request(route, `${place.join('/')}: ${name}`, {}, JSON.stringify(grown(example, place, fitting)));
  }
  const members = (count: number) => Object.fromEntries(list(count, (at) => [`m${at}`, at]));
  yield request(route, 'body: as many members as are allowed', {}, JSON.stringify({ ...example, ...members(990) }));
  yield request(route, 'body: brackets', {}, '['.repeat(BODY));
  yield request(route, 'body: escapes', {}, `{"a":"${filled('\\u0000', BODY)}"}`);
  yield request(route, 'body: no UTF-8', {}, Buffer.alloc(BODY, 0xff));
  yield request(route, 'body: too long', {}, `"${'x'.repeat(60_000)}"`);
  const chunks = Buffer.from(`${filled('1\r\n \r\n', 2 * BODY)}0\r\n\r\n`);
  yield request(route, 'body: a byte a chunk', { 'Transfer-Encoding': 'chunked' }, chunks);
}

function* otherMethods(path: string): Generator<Stranger> {
  const address = path.replaceAll(/:\w+/g, ID);
  const preflight = { Origin: 'https://a.test', 'Access-Control-Request-Method': 'PUT' };
  for (const method of ['OPTIONS', 'PROPFIND'])
    yield { name: `${method} ${path}`, bytes: head(method, address, preflight) };
}

function* nowhere(): Generator<Stranger> {
  for (const path of ['/', '/api/', '/api/partners/', '/docs/', '/ws/notifications']) {
    for (const part of ['a', 'a/', '../', '%2e%2e%2f', '%zz', ':', '//', '/*', '%F0%9F%98%80'])
      yield { name: `GET ${path}${part}…`, bytes: head('GET', path + filled(part, HEAD)) };
    for (const Upgrade of ['websocket', 'h2c']) {
      const headers = {
        Upgrade,
        Connection: 'Upgrade, close',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': 'A'.repeat(22),
      };
      yield {
        name: `GET ${path} to ${Upgrade}`,
        bytes: head('GET', path, { ...headers, Authorization: `Bearer ${FORGED}` }),
      };
    }
  }
}

function* noHttp(): Generator<Stranger> {
  const none = {
    nonsense: '\r\n\r\nnonsense\r\n\r\n',
    'a version that there is not': 'GET / HTTP/9.9\r\n\r\n',
    'a head without end': `GET / HTTP/1.1\r\n${filled('a: bbbbbbbbbbbbbbbbbbbbbbbb\r\n', 40_000)}`,
    'two lengths':
      'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'extensions of a chunk': `POST /api/auth/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;${filled('a', 40_000)}\r\n`,
    TLS: Buffer.from('160301020001000001fc0303', 'hex').toString('latin1'),
  };
  for (const [name, text] of Object.entries(none)) yield { name, bytes: Buffer.from(text, 'latin1') };
}

function request(
  route: Route,
  name: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): Stranger {
  const bytes = Buffer.from(body);
  const sized = bytes.length === 0 || 'Transfer-Encoding' in headers ? {} : { 'Content-Length': String(bytes.length) };
  const all = { 'Content-Type': 'application/json', ...sized, ...headers };
  return {
    name: `${route.method} ${route.path} ${name}`,
    bytes: Buffer.concat([head(route.method, filledPath(route), all), bytes]),
  };
}

function head(method: string, path: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  // They do not come from this machine.
  const all = { Host: 'test', Connection: 'close', Via: '1.1 proxy', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
}

function filledPath({ path }: Route): string {
  return path.replaceAll(/:\w+/g, ID);
}

/** Repeats a part until there are so many characters. */
function filled(part: string, length = HEAD - 500): string {
  return part.repeat(Math.floor(length / part.length));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The names that lead to each member of a body. */
function places(value: unknown, steps: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [[...steps, name], ...places(inner, [...steps, name])]);
}

function grown(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  const record = value as Record<string, unknown>;
  return { ...record, [step]: grown(record[step], rest, by) };
}
