/** Failures of outgoing requests that got no answer. */

import { errors } from 'undici';

/** A failure before the target answered. The message contains neither URL nor secrets. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'blocked_address' | 'invalid_request' | 'timeout' | 'unreachable';

  constructor(code: OutboundError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

const CLOSED = 'The connection was closed before the answer was complete';
const SLOW = 'The connection timed out';
const CERTIFICATE = 'The certificate is not valid for the host';
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: CLOSED,
  ETIMEDOUT: SLOW,
  UND_ERR_CONNECT_TIMEOUT: SLOW,
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long',
  CERT_HAS_EXPIRED: "The host's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE,
  ERR_TLS_CERT_ALTNAME_INVALID: CERTIFICATE,
};

/** Converts a transport error to a short reason by its code, because its own message may contain addresses. */
export function outboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const [first] = error instanceof AggregateError ? error.errors : [error];
  if (first instanceof errors.HTTPParserError) return new OutboundError('unreachable', 'The answer is not HTTP', error);
  const code = String((first as { code?: unknown } | undefined)?.code ?? 'unknown error');
  return new OutboundError('unreachable', REASONS[code] ?? `The exchange failed (${code})`, error);
}
