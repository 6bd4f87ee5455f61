/** Checks the headers that a webhook adds to its requests. */

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Visible characters, spaces and tabs: no line ends, which would smuggle in further headers. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]{0,2000}$/;
const MAX_HEADERS = 30;

export type Headers = Readonly<Record<string, string>>;

/** Stands for the value of a header wherever it is shown. No value can be equal to it. */
export const HEADER_MASK = '•••';

/** Whether a header names the form of the body, which is no secret. */
export function isMediaType(name: string): boolean {
  return name.toLowerCase() === 'content-type';
}

/** Replaces the values of headers by masks. */
export function masked(headers: Headers): Headers {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, isMediaType(name) ? value : HEADER_MASK]),
  );
}

/** Set only by the transport: they decide where a request goes, where it ends and how its answer is encoded. */
const TRANSPORT = new Set([
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'accept-encoding',
]);
/** Set by the service itself. */
const RESERVED = new Set(['content-type', 'user-agent']);
const RESERVED_PREFIXES = ['x-service-', 'webhook-'];

/** Whether a header is set only by the transport, in every outgoing request. */
export function isTransportHeader(name: string): boolean {
  return TRANSPORT.has(name.toLowerCase());
}

/** Faults by header; empty if all may be sent. */
export function headerFaults(
  headers: Readonly<Record<string, string>>,
): { name: string; code: string; message: string }[] {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS) {
    return [{ name: '', code: 'too_many', message: `must have at most ${MAX_HEADERS} headers` }];
  }
  return names.flatMap((name) => {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) return [{ name, code: 'invalid_header', message: 'is not a header name' }];
    if (
      isTransportHeader(lower) ||
      RESERVED.has(lower) ||
      RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
    ) {
      return [{ name, code: 'reserved_header', message: 'is set by the service itself' }];
    }
    if (names.some((other) => other !== name && other.toLowerCase() === lower)) {
      return [{ name, code: 'duplicate', message: 'is given twice' }];
    }
    return VALUE.test(headers[name] ?? '')
      ? []
      : [{ name, code: 'invalid_header', message: 'must be one line of at most 2000 Latin characters' }];
  });
}
