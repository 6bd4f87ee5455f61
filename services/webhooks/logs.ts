/** Reading the log of delivery attempts. */
import type { Db } from '../../db/database.ts';

export interface LogFilter {
  /** Days in the tenant's time zone, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly status?: string | undefined;
  readonly event?: string | undefined;
  readonly page: number;
  readonly limit: number;
}

/** Attempts, the newest first, under their REST names. */
export async function listAttempts(
  db: Db,
  webhookId: string,
  filter: LogFilter,
): Promise<{ readonly entries: Record<string, unknown>[]; readonly total: number }> {
  const bindings = {
    webhookId,
    from: filter.from ?? null,
    to: filter.to ?? null,
    status: filter.status ?? null,
    event: filter.event ?? null,
    limit: filter.limit,
    offset: (filter.page - 1) * filter.limit,
  };
  const matching = `
    from webhook_attempts a,
      (select coalesce((select value ->> 'timezone' from settings where name = 'format'), 'Europe/Madrid') as name) as zone
    where a.webhook_id = :webhookId
      and (cast(:from as date) is null or a.sent_at >= cast(:from as timestamp) at time zone zone.name)
      and (cast(:to as date) is null or a.sent_at < (cast(:to as timestamp) + interval '1 day') at time zone zone.name)
      and (cast(:status as text) is null or a.status = :status)
      and (cast(:event as text) is null or a.event = :event)`;
  const { rows: counted } = (await db.raw(`select count(*) as total ${matching}`, bindings as never)) as {
    rows: [{ total: number }];
  };
  const { rows } = (await db.raw(
    `select a.id, a.event, a.event_id, a.document_id, a.attempt, a.status, a.http_status, a.response_body, a.response_time_ms,
       a.error, a.sent_at ${matching} order by a.sent_at desc, a.id desc limit :limit offset :offset`,
    bindings as never,
  )) as { rows: Record<string, unknown>[] };
  return { entries: rows, total: counted[0].total };
}
