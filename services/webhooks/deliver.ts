/** One attempt to bring one event to one webhook, and its record. What a retry means is the workflow's business. */

import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { Webhook } from '../../db/models/webhooks.ts';
import { patchRow } from '../../db/write.ts';
import { nextDelay, parseRetryAfter } from '../../domain/webhooks/retry.ts';
import { unseal } from '../encryption/seal.ts';
import { type Outbound, OutboundError } from '../outbound/outbound.ts';
import { attemptsSoFar, logAttempt, skippedAttempt } from './attempts.ts';
import { deliveryHeaders, envelope, type StoredEvent } from './sign.ts';

const EXCHANGE_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
const GONE = 410;

export interface DeliveryDeps {
  readonly database: Database;
  readonly outbound: Outbound;
  readonly encryptionKey: string | undefined;
  readonly now: () => Date;
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered' | 'skipped' | 'gone'; readonly attempt: number }
  /** `retryInSeconds` null: no further attempt. */
  | {
      readonly kind: 'failed';
      readonly attempt: number;
      readonly reason: string;
      readonly retryInSeconds: number | null;
    };

/**
 * Sends the event once, unless it has arrived already, and logs the attempt.
 * @param ctx on whose behalf a webhook is switched off when its receiver says 410
 * @param signal ends the exchange early; then nothing is logged and its reason is thrown
 */
export async function deliverOnce(
  deps: DeliveryDeps,
  ctx: Context,
  delivery: { readonly webhookId: string; readonly eventId: string },
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { database } = deps;
  const { webhookId, eventId } = delivery;
  const { webhook, event, logged } = await database.readTenant(ctx, async (db) => ({
    webhook: await Webhook.query(db).findById(webhookId),
    event: await storedEvent(db, eventId),
    logged: await attemptsSoFar(db, webhookId, eventId),
  }));
  if (webhook === undefined || event === undefined) return { kind: 'gone', attempt: 0 };
  if (logged.succeeded !== null) return { kind: 'delivered', attempt: logged.succeeded };
  if (webhook.status === 'inactive') {
    await database.withTenant(ctx, (trx) => logAttempt(trx, skippedAttempt(event, webhookId, deps.now())));
    return { kind: 'skipped', attempt: 0 };
  }
  const attempt = logged.count + 1;
  if (attempt > webhook.retryPolicy.max_attempts) {
    return { kind: 'failed', attempt: logged.count, reason: 'no attempt is left', retryInSeconds: null };
  }

  const sentAt = deps.now();
  const exchange = await send(deps, webhook, event, sentAt, signal);
  await database.withTenant(ctx, async (trx) => {
    await logAttempt(trx, {
      tenantId: ctx.tenantId,
      webhookId,
      eventId,
      event: event.event,
      documentId: event.documentId,
      attempt,
      status: exchange.error === null ? 'success' : 'failed',
      httpStatus: exchange.httpStatus,
      responseBody: exchange.body,
      responseTimeMs: exchange.ms,
      error: exchange.error,
      sentAt: sentAt.toISOString(),
    });
    if (exchange.httpStatus === GONE) {
      const current = await Webhook.query(trx).findById(webhookId).forUpdate();
      if (current) await patchRow(trx, ctx, Webhook, current, { status: 'inactive' });
    }
  });
  if (exchange.error === null) return { kind: 'delivered', attempt };
  if (exchange.httpStatus === GONE) {
    return { kind: 'failed', attempt, reason: 'HTTP 410: the webhook is now inactive', retryInSeconds: null };
  }
  const retryInSeconds = nextDelay(webhook.retryPolicy, attempt, exchange.retryAfter);
  return { kind: 'failed', attempt, reason: exchange.error, retryInSeconds };
}

interface Exchange {
  readonly httpStatus: number | null;
  readonly body: string | null;
  readonly ms: number;
  readonly error: string | null;
  readonly retryAfter: number | null;
}

async function send(
  deps: DeliveryDeps,
  webhook: Webhook,
  event: StoredEvent,
  at: Date,
  signal: AbortSignal,
): Promise<Exchange> {
  const raw = envelope(event);
  const secret =
    webhook.secretEncrypted === null
      ? null
      : unseal(deps.encryptionKey, secretPlace(webhook.tenantId, webhook.id), webhook.secretEncrypted);
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
        ...webhook.headers,
        ...deliveryHeaders(event, raw, secret, Math.floor(at.getTime() / 1000)),
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
      // PostgreSQL's text holds everything but this character.
      body: answer.body.toString('utf8').replaceAll('\u0000', '\ufffd'),
      ms: ms(),
      error: success ? null : `HTTP ${answer.status}`,
      retryAfter: patient ? parseRetryAfter(answer.retryAfter, deps.now()) : null,
    };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { httpStatus: null, body: null, ms: ms(), error: error.message, retryAfter: null };
  }
}

/** What a stored webhook secret is bound to. */
export function secretPlace(tenantId: string, webhookId: string): string {
  return `webhook/${tenantId}/${webhookId}`;
}

/** GET carries the envelope in the query; that text is what is signed. */
function withPayload(url: string, raw: string): string {
  const target = new URL(url);
  target.searchParams.set('payload', raw);
  return target.href;
}

async function storedEvent(db: Parameters<typeof attemptsSoFar>[0], eventId: string): Promise<StoredEvent | undefined> {
  const { rows } = (await db.raw(
    `select id, tenant_id as "tenantId", event, created_at as "createdAt", payload ->> 'document_id' as "documentId",
       payload::text as payload
     from outbox where id = ?`,
    [eventId],
  )) as { rows: StoredEvent[] };
  return rows[0];
}
