/**
 * The one door for HTTP that goes to addresses given by customers. Every address is checked when connecting, after DNS, so
 * that neither a name nor a changed DNS answer leads into the service's own network; nothing that the target answers can hold
 * the service up or fill its memory.
 */
import { Agent, request } from 'undici';
import { isTransportHeader } from '../../domain/webhooks/headers.ts';
import { guardedConnector, publicNames, type Resolve, systemNames } from './connect.ts';
import { OutboundError, outboundError } from './errors.ts';

export { OutboundError } from './errors.ts';

const MAX_HEADER_BYTES = 32 * 1024;
/** How long a connection is kept for the next request; to the address that was checked when it was opened. */
const IDLE_MS = 10_000;

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** For the whole exchange: DNS, connecting and the answer's body included. */
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
  /** How the body is packed, although nothing but plain was asked for. */
  readonly encoding: string | undefined;
  /** The first part of the body, as it was sent: nothing is unpacked. */
  readonly body: Buffer;
}

export class Outbound {
  readonly #agent: Agent;

  constructor(options: { readonly allowPrivateTargets: boolean; readonly resolve?: Resolve }) {
    const { allowPrivateTargets } = options;
    const resolve = options.resolve ?? (allowPrivateTargets ? systemNames : publicNames());
    // No proxy, whatever the environment says: behind one, nobody would check what a name resolves to. As many connections to
    // one host as there are requests: those who share it with a slow receiver don't queue behind it.
    this.#agent = new Agent({
      connect: guardedConnector({ allowPrivateTargets, resolve }),
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  /**
   * Sends a request; redirects are answers like others.
   * @throws OutboundError when no whole answer came; the signal's reason when `signal` ended it
   */
  async send(options: OutboundRequest): Promise<OutboundAnswer> {
    const { timeoutMs, signal } = options;
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new OutboundError('timeout', `No complete answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const forward = () => stop.abort(signal?.reason);
    signal?.addEventListener('abort', forward, { once: true });
    if (signal?.aborted) forward();
    try {
      // The agent itself ends only what is connected: what waits for DNS or a connection is left behind, and is not sent any more.
      return await Promise.race([this.#exchange(options, stop.signal), aborted(stop.signal)]);
    } catch (error) {
      throw stop.signal.aborted ? stop.signal.reason : outboundError(error);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', forward);
    }
  }

  async #exchange(options: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const reserved = Object.keys(options.headers).find(isTransportHeader);
    if (reserved !== undefined) throw new OutboundError('invalid_request', `The header ${reserved} cannot be set`);
    const answer = await request(options.url, {
      dispatcher: this.#agent,
      method: options.method,
      headers: { ...options.headers, 'accept-encoding': 'identity' },
      body: options.body,
      signal,
    });
    const header = (name: string) => [answer.headers[name]].flat()[0];
    return {
      status: answer.statusCode,
      retryAfter: header('retry-after'),
      location: header('location'),
      encoding: header('content-encoding'),
      body: await firstBytes(answer.body, options.maxAnswerBytes),
    };
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  throw signal.reason;
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
