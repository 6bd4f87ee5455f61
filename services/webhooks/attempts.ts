/** The log of delivery attempts: one row for each attempt, written once. */
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';

export interface AttemptRecord {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly event: string;
  readonly documentId: string | null;
  /** 1, 2, …; 0 for a skipped one. */
  readonly attempt: number;
  readonly status: 'success' | 'failed' | 'skipped';
  readonly httpStatus: number | null;
  readonly responseBody: string | null;
  readonly responseTimeMs: number | null;
  readonly error: string | null;
  readonly sentAt: string;
}

/** Writes an attempt; one that is logged already stays as it is. */
export async function logAttempt(trx: Db, record: AttemptRecord): Promise<void> {
  await trx.raw(
    `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, document_id, attempt, status, http_status,
       response_body, response_time_ms, error, sent_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (tenant_id, webhook_id, event_id, attempt) do nothing`,
    [
      newId(),
      record.tenantId,
      record.webhookId,
      record.eventId,
      record.event,
      record.documentId,
      record.attempt,
      record.status,
      record.httpStatus,
      record.responseBody,
      record.responseTimeMs,
      record.error,
      record.sentAt,
    ] as never,
  );
}

/** The attempt that stands for an event that arrived while the webhook was inactive. */
export function skippedAttempt(
  event: {
    readonly tenantId: string;
    readonly id: string;
    readonly event: string;
    readonly documentId: string | null;
  },
  webhookId: string,
  at: Date,
): AttemptRecord {
  return {
    tenantId: event.tenantId,
    webhookId,
    eventId: event.id,
    event: event.event,
    documentId: event.documentId,
    attempt: 0,
    status: 'skipped',
    httpStatus: null,
    responseBody: null,
    responseTimeMs: null,
    error: 'The webhook is inactive',
    sentAt: at.toISOString(),
  };
}

/** How often the event was tried so far, and the number of the attempt that succeeded, if any. */
export async function attemptsSoFar(
  db: Db,
  webhookId: string,
  eventId: string,
): Promise<{ readonly count: number; readonly succeeded: number | null }> {
  const { rows } = (await db.raw(
    `select coalesce(max(attempt), 0) as count, max(attempt) filter (where status = 'success') as succeeded
     from webhook_attempts where webhook_id = ? and event_id = ?`,
    [webhookId, eventId],
  )) as { rows: { count: number; succeeded: number | null }[] };
  return rows[0] ?? { count: 0, succeeded: null };
}
