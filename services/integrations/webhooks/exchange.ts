/** One HTTP exchange with the receiver of a webhook. */
import type { Webhook } from '../../../db/models/integrations/webhooks.ts';
import type { Headers } from '../../../domain/integrations/webhooks/headers.ts';
import { parseRetryAfter } from '../../../domain/integrations/webhooks/retry.ts';
import { type Outbound, type OutboundAnswer, OutboundError } from '../../platform/outbound/outbound.ts';
import { deliveryHeaders, envelope, type StoredEvent } from './envelope.ts';

const EXCHANGE_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export interface ExchangeDeps {
  readonly outbound: Pick<Outbound, 'send'>;
  readonly now: () => Date;
}

/** An event to send. */
interface Dispatch {
  readonly event: StoredEvent;
  /** Signing secrets. */
  readonly secrets: readonly string[];
  /** The webhook's own headers, with their values. */
  readonly headers: Headers;
  readonly at: Date;
}

/** The outcome of one attempt. */
export interface Exchange {
  readonly httpStatus: number | null;
  readonly body: string | null;
  readonly ms: number;
  /** Reason of the failure; null on success. */
  readonly error: string | null;
  /** Delay requested by the receiver, in seconds. */
  readonly retryAfter: number | null;
}

/**
 * Sends the event once.
 * @returns the outcome, also if the target does not answer
 * @throws the reason of `signal` if that aborted the exchange
 */
export async function exchange(
  deps: ExchangeDeps,
  webhook: Webhook,
  { event, secrets, headers, at }: Dispatch,
  signal: AbortSignal,
): Promise<Exchange> {
  const raw = envelope(event);
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  const get = webhook.method === 'GET';
  try {
    const answer = await deps.outbound.send({
      url: get ? withPayload(webhook.url, raw) : webhook.url,
      method: webhook.method,
      headers: {
        'user-agent': 'business-management-service',
        ...(get ? {} : { 'content-type': 'application/json' }),
        ...headers,
        ...deliveryHeaders(event, raw, secrets, Math.floor(at.getTime() / 1000)),
      },
      body: get ? null : raw,
      timeoutMs: EXCHANGE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    });
    const success = answer.status >= 200 && answer.status < 300;
    const patient = answer.status === 429 || answer.status === 503;
    return {
      httpStatus: answer.status,
      body: answerText(answer),
      ms: ms(),
      error: success ? null : `HTTP ${answer.status}`,
      retryAfter: patient ? parseRetryAfter(answer.retryAfter, deps.now()) : null,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { httpStatus: null, body: null, ms: ms(), error: error.message, retryAfter: null };
  }
}

/** The answer as logged. PostgreSQL's text holds everything but NUL; encoded bodies would be noise, or a decompression bomb. */
function answerText({ body, encoding }: OutboundAnswer): string {
  const packed = encoding !== undefined && !/^\s*(identity\s*)?$/i.test(encoding);
  if (packed && body.length > 0) return `(${body.length} bytes of ${encoding.slice(0, 50)}, not unpacked)`;
  return body.toString('utf8').replaceAll('\u0000', '\ufffd');
}

/**
 * GET sends the envelope in the query; that text is signed. The address's own query stays verbatim: it may be signed, or distinguish `flag`
 * from `flag=`.
 */
function withPayload(url: string, raw: string): string {
  const target = new URL(url);
  const own = target.search.slice(1).split('&');
  const others = own.filter((pair) => pair !== '' && !/^payload(=|$)/.test(pair));
  target.search = [...others, `payload=${encodeURIComponent(raw)}`].join('&');
  target.hash = '';
  return target.href;
}
