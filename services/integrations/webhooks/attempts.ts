/** The log of delivery attempts: one row per attempt, written once. */
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { query } from '../../../db/sql.ts';

export interface AttemptRecord {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly event: string;
  readonly documentId: string | null;
  /** 1, 2, … over all redeliveries; 0 for a skipped one. */
  readonly attempt: number;
  readonly status: 'success' | 'failed' | 'skipped';
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly responseTimeMs: number | null;
  readonly error: string | null;
  readonly sentAt: string;
  /** The redelivery that it belongs to; null for the event's own delivery. */
  readonly redeliveryId: string | null;
  readonly test: boolean;
}

/** Columns of an attempt that clients see. */
export const ATTEMPT_COLUMNS = [
  'id',
  'event',
  'event_id',
  'document_id',
  'attempt',
  'status',
  'http_status',
  'response_body',
  'response_time_ms',
  'error',
  'sent_at',
  'redelivery_id',
  'test',
] as const;

/** SQL that writes one attempt, with the members of `AttemptRecord`; does nothing and returns no row if it is already logged. */
const INSERT = `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, document_id, attempt, status, http_status,
    response_body, response_time_ms, error, sent_at, redelivery_id, test)
  values (:id, :tenantId, :webhookId, :eventId, :event, :documentId, :attempt, :status, :httpStatus, :responseBody, :responseTimeMs,
    :error, :sentAt, :redeliveryId, :test)
  on conflict (tenant_id, webhook_id, event_id, attempt) do nothing
  returning tenant_id, webhook_id, sent_at`;

/** Unsent events per statement. */
const BATCH_SIZE = 1000;

/**
 * Logs unsent events (`skippedAttempt`, `unfilteredAttempt`) in batches, since a thousand webhooks may want an event. Skips webhooks
 * deleted in the meantime.
 */
export async function logUnsent(trx: Db, records: readonly AttemptRecord[]): Promise<void> {
  for (let from = 0; from < records.length; from += BATCH_SIZE) {
    const some = records.slice(from, from + BATCH_SIZE).map((record) => ({
      id: newId(),
      tenant_id: record.tenantId,
      webhook_id: record.webhookId,
      event_id: record.eventId,
      event: record.event,
      document_id: record.documentId,
      attempt: record.attempt,
      status: record.status,
      error: record.error,
      sent_at: record.sentAt,
    }));
    await query(
      trx,
      `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, document_id, attempt, status, error, sent_at)
       select r.id, r.tenant_id, r.webhook_id, r.event_id, r.event, r.document_id, r.attempt, r.status, r.error, r.sent_at
       from json_to_recordset(:some::json) as r (id uuid, tenant_id uuid, webhook_id uuid, event_id uuid, event text, document_id uuid,
         attempt integer, status text, error text, sent_at timestamptz)
       join webhooks w on w.tenant_id = r.tenant_id and w.id = r.webhook_id
       on conflict (tenant_id, webhook_id, event_id, attempt) do nothing`,
      { some: JSON.stringify(some) },
    );
  }
}

/** Logs an attempt that does not affect the webhook's health: a skipped one, or a test. */
export async function logAttempt(trx: Db, record: AttemptRecord): Promise<void> {
  await query(trx, INSERT, { ...record, id: newId() });
}

/** Logs a successful attempt: the webhook is healthy again. */
export async function logSuccess(trx: Db, record: AttemptRecord): Promise<void> {
  await query(
    trx,
    `with logged as (${INSERT})
     update webhook_health h set failing_since = null, failures = 0, warned_percent = 0
     from logged where h.webhook_id = logged.webhook_id and h.failing_since is not null`,
    { ...record, id: newId() },
  );
}

/** Failures since the last success. */
export interface FailureCount {
  readonly failingSince: string;
  readonly failures: number;
  readonly warnedPercent: number;
}

/** Logs a failed attempt and counts it. @returns null if it was already logged */
export async function logFailure(trx: Db, record: AttemptRecord): Promise<FailureCount | null> {
  const [counted] = await query<FailureCount>(
    trx,
    `with logged as (${INSERT})
     insert into webhook_health as h (tenant_id, webhook_id, failing_since, failures)
     select tenant_id, webhook_id, sent_at, 1 from logged
     on conflict (webhook_id) do update set failures = h.failures + 1, failing_since = coalesce(h.failing_since, excluded.failing_since)
     returning failing_since as "failingSince", failures, warned_percent as "warnedPercent"`,
    { ...record, id: newId() },
  );
  return counted ?? null;
}

interface UnsentEvent {
  readonly tenantId: string;
  readonly id: string;
  readonly event: string;
  readonly documentId: string | null;
}

/** The log entry of an event that occurred while the webhook was inactive. */
export function skippedAttempt(event: UnsentEvent, webhookId: string, at: Date): AttemptRecord {
  return unsent(event, webhookId, at, { status: 'skipped', error: 'The webhook is inactive' });
}

/** The log entry of an event on which the webhook's filters failed, so that it is unknown whether it is wanted. */
export function unfilteredAttempt(event: UnsentEvent, webhookId: string, reason: string, at: Date): AttemptRecord {
  return unsent(event, webhookId, at, {
    status: 'failed',
    error: `The filters cannot be applied to this event: ${reason}`,
  });
}

function unsent(
  event: UnsentEvent,
  webhookId: string,
  at: Date,
  outcome: Pick<AttemptRecord, 'status' | 'error'>,
): AttemptRecord {
  return {
    tenantId: event.tenantId,
    webhookId,
    eventId: event.id,
    event: event.event,
    documentId: event.documentId,
    attempt: 0,
    httpStatus: null,
    responseBody: null,
    responseTimeMs: null,
    sentAt: at.toISOString(),
    redeliveryId: null,
    test: false,
    ...outcome,
  };
}

export interface AttemptsSoFar {
  /** The number of the last attempt. */
  readonly last: number;
  /** Attempts of this delivery or redelivery: what the retry policy counts. */
  readonly count: number;
  /** The last successful attempt, if any. */
  readonly succeeded: number | null;
  /** The last successful attempt of this delivery or redelivery, if any. */
  readonly succeededNow: number | null;
  /** Whether this delivery or redelivery was skipped. */
  readonly skipped: boolean;
  /** Error of the last attempt; null if it succeeded, or there was none. */
  readonly error: string | null;
}

/** The attempts for an event so far. @param redeliveryId null for the event's own delivery */
export async function attemptsSoFar(
  db: Db,
  webhookId: string,
  eventId: string,
  redeliveryId: string | null,
): Promise<AttemptsSoFar> {
  const [found] = await query<AttemptsSoFar>(
    db,
    `select coalesce(max(attempt), 0) as last, count(*) filter (where attempt > 0 and now)::int as count,
       max(attempt) filter (where status = 'success') as succeeded,
       max(attempt) filter (where status = 'success' and now) as "succeededNow",
       coalesce(bool_or(status = 'skipped' and now), false) as skipped,
       (array_agg(error order by attempt desc) filter (where attempt > 0))[1] as error
     from (select attempt, status, error, redelivery_id is not distinct from :redeliveryId::uuid as now
       from webhook_attempts where webhook_id = :webhookId::uuid and event_id = :eventId::uuid) a`,
    { webhookId, eventId, redeliveryId },
  );
  return found ?? { last: 0, count: 0, succeeded: null, succeededNow: null, skipped: false, error: null };
}
