/** webhook.call and http.request: one request through the gate for outgoing HTTP; receivers recognise retries by Idempotency-Key. */
import type { Context } from '../../../../db/context.ts';
import { Webhook } from '../../../../db/models/integrations/webhooks.ts';
import { MAX_ANSWER_BYTES } from '../../../../domain/integrations/automations/answers.ts';
import { parseRetryAfter } from '../../../../domain/integrations/webhooks/retry.ts';
import type { Permission } from '../../../../domain/permissions.ts';
import { shortened } from '../../../../domain/shorten.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { OutboundError } from '../../../platform/outbound/outbound.ts';
import { deliveryHeaders } from '../../webhooks/envelope.ts';
import { openableSecrets, SECRET_LOST } from '../../webhooks/secrets.ts';
import { isJsonBody } from '../render.ts';
import type { Subject } from '../subject.ts';
import type { Act, CallDeps, Called, CallingAction } from './action.ts';

const EXCHANGE_MS = 15_000;
/** Maximum characters of an answer in the log. */
const SHOWN_CHARACTERS = 1000;
/** Limits of one rule, over all workers. */
const SHARE = { maxInFlight: 10, ratePerSecond: 50 };
/** Statuses of refusals that may be temporary. */
const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 429]);

const needs = ({ document }: Subject): readonly Permission[] =>
  document === undefined ? [] : [`${DOCUMENT_TYPES[document.docType as DocType].resource}:read`];

/** Calls an address, signed like a webhook if the company has a webhook at the same address, whose secret the receiver knows. */
export const callWebhook: CallingAction<'webhook.call'> = {
  needs,

  async call(deps, ctx, act, signal) {
    const address = act.action.url.split('?', 1)[0] ?? '';
    const webhooks = (await deps.database.readTenant(ctx, async (db) =>
      Webhook.query(db).whereRaw("split_part(url, '\\?', 1) = ?", [address]),
    )) as Webhook[];
    const opened = webhooks.map((webhook) => openableSecrets(deps.encryptionKeys, webhook, deps.now()));
    const secrets = opened.flatMap((some) => some ?? []);
    // A receiver that expects a signature would refuse it without one.
    if (opened.includes(null)) return { kind: 'failed', error: SECRET_LOST, detail: {}, answer: null, retry: false };
    return await exchange(deps, ctx, toRequest(act), { secrets, event: 'automation' }, signal);
  },
};

/** Sends an unsigned request. */
export const requestHttp: CallingAction<'http.request'> = {
  needs,
  call: (deps, ctx, act, signal) => exchange(deps, ctx, toRequest(act), { secrets: [], event: 'automation' }, signal),
};

/** One request of an action. */
interface Request {
  /** The rule or plugin whose share of the worker it uses. */
  readonly gateId: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  /** Idempotency key, by which the receiver recognises retries. */
  readonly key: string;
}

function toRequest({ automationId, action, key }: Act<'webhook.call'> | Act<'http.request'>): Request {
  return { ...action, gateId: automationId, key };
}

/** Sends a request. Its last parameters: the signing secrets, none for an unsigned one, and the event for its headers. */
export async function exchange(
  deps: CallDeps,
  ctx: Context,
  { gateId, url, method = 'POST', headers = {}, body, key }: Request,
  { secrets, event }: { readonly secrets: readonly string[]; readonly event: string },
  signal: AbortSignal,
): Promise<Called> {
  const raw = body === undefined || method === 'GET' ? null : typeof body === 'string' ? body : JSON.stringify(body);
  const timestamp = Math.floor(deps.now().getTime() / 1000);
  const send = async () => {
    try {
      const answer = await deps.outbound.send({
        url,
        method,
        headers: {
          'user-agent': 'business-management-service',
          ...(raw === null || hasContentType(headers)
            ? {}
            : { 'content-type': isJsonBody(body, headers) ? 'application/json' : 'text/plain; charset=utf-8' }),
          ...withoutKey(headers),
          'idempotency-key': key,
          ...(secrets.length === 0 ? {} : deliveryHeaders({ id: key, event }, raw ?? '', secrets, timestamp)),
        },
        body: raw,
        timeoutMs: EXCHANGE_MS,
        maxAnswerBytes: MAX_ANSWER_BYTES + 1,
        signal,
      });
      return { httpStatus: answer.status, error: answer.status < 300 ? null : `HTTP ${answer.status}`, answer };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return { httpStatus: null, error: error.message, answer: null };
    }
  };
  const passage = await deps.gate.pass({ id: gateId, tenantId: ctx.tenantId, url, ...SHARE }, key, send);
  if (passage.kind === 'waits') return passage;
  const { httpStatus, error, answer } = passage.result;
  const detail = { http_status: httpStatus, answer: answer === null ? null : shown(answer.body) };
  if (error === null) return { kind: 'done', detail, answer };
  const retry = httpStatus === null || httpStatus >= 500 || RETRIED_STATUSES.has(httpStatus);
  const after = answer?.retryAfter === undefined ? null : parseRetryAfter(answer.retryAfter, deps.now());
  return { kind: 'failed', error, detail, answer, retry, ...(after === null ? {} : { retryAfter: after }) };
}

/** The headers without an idempotency key of the company's, in whatever case: two would reach the receiver as one other key. */
function withoutKey(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key'));
}

function hasContentType(headers: Readonly<Record<string, string>>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
}

/** The answer as PostgreSQL can store it. */
function shown(body: Buffer): string {
  return shortened(body.toString('utf8').replaceAll('\0', '\u{FFFD}'), SHOWN_CHARACTERS);
}
