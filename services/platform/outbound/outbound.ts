/**
 * The only door for HTTP to addresses given by customers. Every address is checked when connecting, after DNS, so that neither a name nor a
 * changed DNS answer leads into the service's own network or to one of its servers; no answer can block the service or fill its memory.
 */
import { Agent, request } from 'undici';
import { currentTrace } from '../../../db/trace.ts';
import { isTransportHeader } from '../../../domain/integrations/webhooks/headers.ts';
import type { TargetPolicy } from '../../../domain/integrations/webhooks/targets.ts';
import { hostName } from '../../../domain/integrations/webhooks/texts.ts';
import { traced } from '../tracing/tracing.ts';
import { guardedConnector, type Resolve, targetNames } from './connect.ts';
import { OutboundError, outboundError } from './errors.ts';

export { OutboundError } from './errors.ts';

const MAX_HEADER_BYTES = 32 * 1024;
/** Time for which an idle connection is kept for further requests to the same, already checked address. */
const IDLE_MS = 10_000;

export interface OutboundRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Time limit of the whole exchange, from DNS to the end of the answer's body. */
  readonly timeoutMs: number;
  /** Maximum bytes of the answer that are read. */
  readonly maxAnswerBytes: number;
  /** Aborts the exchange. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Target of a redirect, unparsed. */
  readonly location: string | undefined;
  /** Encoding of the body, if the server ignored the request for identity. */
  readonly encoding: string | undefined;
  /** All headers, by their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The first part of the body, still encoded. */
  readonly body: Buffer;
}

export class Outbound {
  readonly #agent: Agent;

  constructor(options: { readonly targets: TargetPolicy; readonly resolve?: Resolve }) {
    const { targets, resolve = targetNames(targets) } = options;
    // Ignores proxy settings of the environment: behind a proxy, nobody would check what a name resolves to. Opens as many connections per
    // host as there are requests, so that nobody queues behind a slow receiver.
    this.#agent = new Agent({
      connect: guardedConnector({ targets, resolve }),
      keepAliveTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
    });
  }

  /**
   * Sends a request; redirects count as ordinary answers.
   * @throws OutboundError if no complete answer arrived; the signal's reason if `signal` aborted it
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
      // The agent itself ends only open connections: requests that still wait for DNS or a connection are abandoned, and never sent.
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
    const { method, url } = options;
    const attributes = { 'http.request.method': method, 'server.address': hostName(url) };
    return await traced(`call ${method}`, { kind: 'client', attributes }, async (span) => {
      const answer = await this.#answer(options, signal);
      span.set({ 'http.response.status_code': answer.status });
      return answer;
    });
  }

  async #answer(options: OutboundRequest, signal: AbortSignal): Promise<OutboundAnswer> {
    const trace = currentTrace();
    const answer = await request(options.url, {
      dispatcher: this.#agent,
      method: options.method,
      headers: {
        ...(trace === undefined ? {} : { traceparent: trace }),
        ...options.headers,
        'accept-encoding': 'identity',
      },
      body: options.body,
      signal,
    });
    const header = (name: string) => [answer.headers[name]].flat()[0];
    return {
      status: answer.statusCode,
      retryAfter: header('retry-after'),
      location: header('location'),
      encoding: header('content-encoding'),
      headers: answer.headers,
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
    if (size >= limit) break; // Ends the exchange; the rest is never read.
  }
  return Buffer.concat(chunks);
}
