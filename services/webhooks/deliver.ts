/** One attempt to bring one event to one webhook, and its record. What a retry means is the workflow's business. */

import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { Webhook } from '../../db/models/webhooks.ts';
import { patchRow } from '../../db/write.ts';
import { nextDelay } from '../../domain/webhooks/retry.ts';
import { attemptsSoFar, logAttempt, skippedAttempt } from './attempts.ts';
import { storedEvent } from './envelope.ts';
import { type ExchangeDeps, exchange } from './exchange.ts';

const GONE = 410;

export interface DeliveryDeps extends ExchangeDeps {
  readonly database: Database;
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
  const { httpStatus, body, ms, error, retryAfter } = await exchange(deps, webhook, event, sentAt, signal);
  await database.withTenant(ctx, async (trx) => {
    await logAttempt(trx, {
      tenantId: ctx.tenantId,
      webhookId,
      eventId,
      event: event.event,
      documentId: event.documentId,
      attempt,
      status: error === null ? 'success' : 'failed',
      httpStatus,
      responseBody: body,
      responseTimeMs: ms,
      error,
      sentAt: sentAt.toISOString(),
    });
    if (httpStatus === GONE) {
      const current = await Webhook.query(trx).findById(webhookId).forUpdate();
      if (current) await patchRow(trx, ctx, Webhook, current, { status: 'inactive' });
    }
  });
  if (error === null) return { kind: 'delivered', attempt };
  if (httpStatus === GONE) {
    return { kind: 'failed', attempt, reason: 'HTTP 410: the webhook is now inactive', retryInSeconds: null };
  }
  return {
    kind: 'failed',
    attempt,
    reason: error,
    retryInSeconds: nextDelay(webhook.retryPolicy, attempt, retryAfter),
  };
}
