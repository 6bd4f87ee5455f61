/** Makes one attempt to deliver an event to a webhook, and logs it. The workflow handles retries. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { Webhook } from '../../../db/models/integrations/webhooks.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { Headers } from '../../../domain/integrations/webhooks/headers.ts';
import { NOT_WANTED } from '../../../domain/integrations/webhooks/notices.ts';
import { nextDelay } from '../../../domain/integrations/webhooks/retry.ts';
import { type AttemptNumbers, hostName, reasonInWords } from '../../../domain/integrations/webhooks/texts.ts';
import type { WebhookDeliveryInput } from '../../../workflows/integrations/webhooks/contract.ts';
import { type EncryptionKeys, SealError } from '../../platform/encryption/seal.ts';
import {
  type AttemptRecord,
  type AttemptsSoFar,
  attemptsSoFar,
  logAttempt,
  logFailure,
  logSuccess,
  skippedAttempt,
} from './attempts.ts';
import { alertUnsignable } from './daily-alerts.ts';
import { heardBy, storedEvent } from './envelope.ts';
import { type Exchange, type ExchangeDeps, exchange } from './exchange.ts';
import type { Gate } from './gate.ts';
import { HEADERS_LOST, openHeaders } from './header-values.ts';
import { disableWebhook, followFailure } from './health.ts';
import { openableSecrets } from './secrets.ts';

const GONE = 410;
/** Maximum wait for the database when logging an attempt. */
const PATIENCE_MS = 7000;
const RETRY_MS = 250;

/** Errors of attempts that are not sent: the receiver could not verify them, or would refuse them. */
const UNSIGNABLE = 'The secret of the webhook cannot be opened, so that nothing can be signed';

type Sent = Exchange & { readonly sentAt: Date };

export interface DeliveryDeps extends ExchangeDeps {
  readonly database: Database;
  readonly encryptionKeys: EncryptionKeys;
  readonly gate: Gate;
}

export type DeliveryOutcome =
  | { readonly kind: 'delivered' | 'skipped' | 'gone'; readonly attempt: number }
  /** Its endpoint has no capacity for it yet: nothing was sent, no attempt is spent. `before`: outcome of the last attempt. */
  | {
      readonly kind: 'waits';
      readonly attempt: number;
      readonly next: AttemptNumbers;
      readonly host: string;
      readonly reason: string;
      readonly before: string | null;
      readonly retryInSeconds: number;
    }
  /** `retryInSeconds` null: no further attempt. */
  | {
      readonly kind: 'failed';
      readonly attempt: number;
      readonly made: AttemptNumbers;
      readonly reason: string;
      readonly retryInSeconds: number | null;
    };

/**
 * Sends the event once, unless it has already arrived, and logs the attempt. A test is sent once, whether or not the webhook is active, and
 * has no effect on it.
 * @param ctx the context in which a webhook is disabled
 * @param signal aborts the exchange; then nothing is logged and its reason is thrown
 */
export async function deliverOnce(
  deps: DeliveryDeps,
  ctx: Context,
  delivery: Omit<WebhookDeliveryInput, 'tenantId'>,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { database } = deps;
  const { webhookId, eventId, redelivery = null } = delivery;
  const redeliveryId = redelivery?.id ?? null;
  const { webhook, stored, logged } = await database.readTenant(ctx, async (db) => ({
    webhook: await Webhook.query(db).findById(webhookId),
    stored: await storedEvent(db, eventId),
    logged: await attemptsSoFar(db, webhookId, eventId, redeliveryId),
  }));
  if (webhook === undefined || stored === undefined) return { kind: 'gone', attempt: 0 };
  const event = heardBy(webhook, stored);
  // An alert about this very webhook would feed itself; redeliveries are explicit.
  if (event.aboutWebhookId === webhookId && redelivery === null) return { kind: 'gone', attempt: 0 };
  const arrived = arrivedAt(logged, redelivery?.again ?? false);
  if (arrived !== null) return { kind: 'delivered', attempt: arrived };
  if (logged.skipped) return { kind: 'skipped', attempt: 0 };
  if (webhook.status === 'inactive' && !event.test) {
    await database.withTenant(ctx, (trx) => logAttempt(trx, skippedAttempt(event, webhookId, deps.now())));
    return { kind: 'skipped', attempt: 0 };
  }
  const policy = event.test ? { ...webhook.retryPolicy, max_attempts: 1 } : webhook.retryPolicy;
  const of = policy.max_attempts;
  if (logged.count >= of) {
    const made = { turn: logged.count, of, logged: logged.last };
    return { kind: 'failed', attempt: logged.last, made, reason: 'no attempt is left', retryInSeconds: null };
  }

  const attempt = logged.last + 1;
  const numbers: AttemptNumbers = { turn: logged.count + 1, of, logged: attempt };
  const host = hostName(webhook.url);
  const opened = openSecrets(deps, webhook);
  const send = async (): Promise<Sent> => {
    const at = deps.now();
    if ('error' in opened) return { sentAt: at, httpStatus: null, body: null, ms: 0, retryAfter: null, ...opened };
    return { sentAt: at, ...(await exchange(deps, webhook, { event, ...opened, at }, signal)) };
  };
  const log = (sent: Sent) =>
    record(deps, ctx, {
      tenantId: ctx.tenantId,
      webhookId,
      eventId,
      event: event.event,
      documentId: event.documentId,
      attempt,
      status: sent.error === null ? 'success' : 'failed',
      httpStatus: sent.httpStatus,
      responseBody: sent.body,
      responseTimeMs: sent.ms,
      error: sent.error,
      sentAt: sent.sentAt.toISOString(),
      redeliveryId,
      test: event.test,
    });
  // Tests do not wait. Events without their secrets are not sent, and prove nothing about their endpoint.
  const passage =
    event.test || 'error' in opened
      ? ({ kind: 'passed', result: await sendAndLog(send, log) } as const)
      : await deps.gate.pass(webhook, eventId, send, log);
  if (passage.kind === 'waits') {
    const { reason, seconds: retryInSeconds } = passage;
    return { kind: 'waits', attempt: logged.last, next: numbers, host, reason, before: logged.error, retryInSeconds };
  }
  const { httpStatus, error, retryAfter } = passage.result;
  if (error === null) return { kind: 'delivered', attempt };
  const reason = reasonInWords(error, httpStatus, host);
  if (httpStatus === GONE) {
    return { kind: 'failed', attempt, made: numbers, reason: `${reason}: the receiver is gone`, retryInSeconds: null };
  }
  const retryInSeconds = nextDelay(policy, numbers.turn, retryAfter);
  return { kind: 'failed', attempt, made: numbers, reason, retryInSeconds };
}

async function sendAndLog(send: () => Promise<Sent>, log: (sent: Sent) => Promise<void>): Promise<Sent> {
  const sent = await send();
  await log(sent);
  return sent;
}

/** The signing secrets and headers, or an error if they cannot be decrypted. */
function openSecrets(
  { encryptionKeys, now }: DeliveryDeps,
  webhook: Webhook,
): { readonly secrets: readonly string[]; readonly headers: Headers } | { readonly error: string } {
  const secrets = openableSecrets(encryptionKeys, webhook, now());
  if (secrets === null) return { error: UNSIGNABLE };
  try {
    return { secrets, headers: openHeaders(encryptionKeys, webhook, webhook.headers) };
  } catch (error) {
    if (error instanceof SealError) return { error: HEADERS_LOST };
    throw error;
  }
}

/** The attempt by which it arrived; a redelivery ignores earlier ones. */
function arrivedAt({ succeeded, succeededNow }: AttemptsSoFar, again: boolean): number | null {
  return again ? succeededNow : succeeded;
}

/** Logs the attempt, with its consequences for the webhook. */
async function record({ database, now }: DeliveryDeps, begun: Context, attempt: AttemptRecord): Promise<void> {
  const ctx = { ...begun, now: now() };
  await whenAvailable(() => database.withTenant(ctx, (trx) => enter(trx, ctx, attempt)));
}

async function enter(trx: Db, ctx: Context, attempt: AttemptRecord): Promise<void> {
  const { webhookId, error, httpStatus } = attempt;
  if (attempt.test) return logAttempt(trx, attempt);
  if (error === null) return logSuccess(trx, attempt);
  const counted = await logFailure(trx, attempt);
  if (counted === null) return;
  if (error === UNSIGNABLE) await alertUnsignable(trx, ctx, attempt);
  if (httpStatus === GONE) {
    await disableWebhook(trx, ctx, webhookId, NOT_WANTED);
  } else await followFailure(trx, ctx, { webhookId, error, counted });
}

/**
 * Retries while the database is unavailable: a restart of PostgreSQL must not cause a sent event to be sent again or to be missing in the
 * log. It gives up before the activity times out.
 */
async function whenAvailable(work: () => Promise<void>): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const away = error instanceof ServiceError && error.code === 'unavailable';
      if (!away || performance.now() > end) throw error;
      await delay(RETRY_MS);
    }
  }
}
