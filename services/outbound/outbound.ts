/**
 * The one door for HTTP that goes to addresses given by customers. Every address is checked when connecting, after DNS, so
 * that neither a name nor a changed DNS answer leads into the service's own network.
 */
import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, request } from 'undici';
import { ipLiteral, isPublicAddress } from '../../domain/webhooks/targets.ts';

/** Everything that a target can do wrong before it has answered. The message holds neither URL nor secrets. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: 'blocked_address' | 'timeout' | 'unreachable';

  constructor(code: OutboundError['code'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole exchange, the answer's body included. */
  readonly timeoutMs: number;
  /** How much of the answer is read. */
  readonly maxAnswerBytes: number;
  /** Ends the exchange early. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Where a redirect leads, as it was sent. */
  readonly location: string | undefined;
  /** The first part of the body. */
  readonly body: Buffer;
}

export class Outbound {
  readonly #agent: Agent;

  constructor(options: { readonly allowPrivateTargets: boolean }) {
    const connect = buildConnector({
      timeout: 10_000,
      ...(options.allowPrivateTargets ? {} : { lookup: publicLookup }),
    });
    this.#agent = new Agent({
      // Literals never reach `lookup`: they are checked here.
      connect: (target, callback) => {
        const literal = ipLiteral(target.hostname);
        if (!options.allowPrivateTargets && literal !== null && !isPublicAddress(literal)) callback(blocked(), null);
        else connect(target, callback);
      },
      connections: 20,
      keepAliveTimeout: 10_000,
      maxHeaderSize: 32 * 1024,
    });
  }

  /**
   * Sends a request; redirects are answers like others.
   * @throws OutboundError when no whole answer came; the signal's reason when `signal` ended it
   */
  async send(options: OutboundRequest): Promise<OutboundAnswer> {
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
    try {
      const answer = await request(options.url, {
        dispatcher: this.#agent,
        method: options.method,
        headers: options.headers,
        body: options.body,
        signal,
      });
      const header = (name: string) => [answer.headers[name]].flat()[0];
      return {
        status: answer.statusCode,
        retryAfter: header('retry-after'),
        location: header('location'),
        body: await firstBytes(answer.body, options.maxAnswerBytes),
      };
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      if (timeout.aborted) {
        throw new OutboundError('timeout', `No complete answer within ${options.timeoutMs / 1000} s`, error);
      }
      throw error instanceof OutboundError ? error : new OutboundError('unreachable', reasonOf(error), error);
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** DNS as usual, but an answer with any address that is not public is refused as a whole. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return callback(error, '', 0);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(blocked(), '', 0);
    }
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

function blocked(): OutboundError {
  return new OutboundError('blocked_address', 'The target is a private, loopback or link-local address');
}

async function firstBytes(body: AsyncIterable<Buffer> & { destroy(): unknown }, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, limit - size));
    size += chunk.length;
    if (size >= limit) break; // ends the exchange; the rest is never read
  }
  return Buffer.concat(chunks);
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the answer',
  UND_ERR_SOCKET: 'The connection was closed before the answer',
  ENOTFOUND: 'The host name is unknown',
  EAI_AGAIN: 'The host name could not be resolved',
  ETIMEDOUT: 'No connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The network cannot be reached',
  EPIPE: 'The connection was closed before the answer',
};

/** A short reason by the error's code; the message itself may hold addresses. */
function reasonOf(error: unknown): string {
  const errors = error instanceof AggregateError ? error.errors : [error];
  const code = String((errors[0] as { code?: unknown } | undefined)?.code ?? 'unknown error');
  return REASONS[code] ?? `The exchange failed (${code})`;
}
