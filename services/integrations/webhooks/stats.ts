/** Statistics of a webhook over some days: from the log's index alone, in one round trip. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { TIME_ZONE, TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { disablesAt } from '../../../domain/integrations/webhooks/failing.ts';

/** The default number of days, including today. */
export const STATS_DAYS = 30;

interface Counted {
  /** null in the total row. */
  readonly status: 'success' | 'failed' | 'skipped' | null;
  readonly http_status: number | null;
  readonly count: number;
  readonly times: readonly [number, number] | null;
  readonly last: string | null;
  readonly over_all: boolean;
}

interface Health {
  readonly failing_since: string | null;
  readonly failures: number;
  readonly disabled_at: string | null;
  readonly disabled_reason: string | null;
}

interface LastError {
  readonly id: string;
  readonly event: string;
  readonly http_status: number | null;
  readonly error: string | null;
  readonly sent_at: string;
}

interface Found {
  readonly from: string;
  readonly to: string;
  readonly counted: Counted[];
  readonly lastError: LastError | null;
  readonly health: Health | null;
}

/** Computes the statistics of a webhook. @param days in the company's time zone, inclusive */
export async function webhookStats(
  reader: Reader,
  ctx: Context,
  webhookId: string,
  days: { readonly from?: string | undefined; readonly to?: string | undefined },
) {
  const [found] = await query<Found>(
    reader,
    `with days as (
       select "from", "to", "from"::timestamp at time zone zone as begins, ("to" + 1)::timestamp at time zone zone as ends
       from (select ${TIME_ZONE} as zone, coalesce(:to::date, ${TODAY}) as "to",
         coalesce(:from::date, coalesce(:to::date, ${TODAY}) - ${STATS_DAYS - 1}) as "from") d
     ), counted as (
       select a.status, a.http_status, count(*)::int as count, max(a.sent_at) as last,
         percentile_disc(array[0.5, 0.95]) within group (order by a.response_time_ms) as times, grouping(a.status) = 1 as over_all
       from webhook_attempts a, days
       where a.webhook_id = :webhookId::uuid and a.sent_at >= days.begins and a.sent_at < days.ends and not a.test
       group by grouping sets ((a.status, a.http_status), ())
     )
     select days.from, days.to, (select json_agg(counted) from counted) as counted,
       (select row_to_json(e) from (
         select a.id, a.event, a.http_status, a.error, a.sent_at from webhook_attempts a
         where a.webhook_id = :webhookId::uuid and a.status = 'failed'
           and a.sent_at >= days.begins and a.sent_at < days.ends and not a.test
         order by a.sent_at desc nulls last, a.id desc limit 1) e) as "lastError",
       (select json_build_object('failing_since', h.failing_since, 'failures', h.failures,
         'disabled_at', h.disabled_at, 'disabled_reason', h.disabled_reason)
         from webhook_health h where h.webhook_id = :webhookId::uuid) as health
     from days`,
    { webhookId, now: ctx.now.toISOString(), from: days.from ?? null, to: days.to ?? null },
  );
  if (found === undefined) throw new Error('Statistics without a row');
  return toJson(found);
}

function toJson({ from, to, counted, lastError, health }: Found) {
  const groups = counted.filter((group) => !group.over_all);
  const times = counted.find((group) => group.over_all)?.times ?? [null, null];
  const countStatus = (status: Counted['status']) =>
    groups.filter((group) => group.status === status).reduce((sum, { count }) => sum + count, 0);
  const [success, failed, skipped] = [countStatus('success'), countStatus('failed'), countStatus('skipped')];
  const sent = success + failed;
  const codes = new Map<number | null, number>();
  for (const { status, http_status, count } of groups) {
    if (status !== 'skipped') codes.set(http_status, (codes.get(http_status) ?? 0) + count);
  }
  const successes = groups.filter(({ status }) => status === 'success').map(({ last }) => last ?? '');
  return {
    from,
    to,
    attempts: sent,
    success_rate: sent === 0 ? null : Math.round((success / sent) * 10_000) / 100,
    by_status: { success, failed, skipped },
    by_http_status: [...codes]
      .map(([http_status, count]) => ({ http_status, count }))
      .sort((a, b) => b.count - a.count || (a.http_status ?? 0) - (b.http_status ?? 0)),
    response_time_ms: { p50: times[0], p95: times[1] },
    last_success_at: instant(successes.sort().at(-1)),
    last_error: lastError === null ? null : { ...lastError, sent_at: instant(lastError.sent_at) },
    failing: failingState(health),
    disabled: health?.disabled_at ? { at: instant(health.disabled_at), reason: health.disabled_reason ?? '' } : null,
  };
}

function failingState(health: Health | null) {
  if (health === null || health.failing_since === null || health.disabled_at !== null) return null;
  const { failing_since: since, failures } = health;
  return { since: instant(since), failures, switched_off_at: disablesAt(since).toISOString() };
}

/** Converts an instant from PostgreSQL's JSON to the form that clients see. */
function instant(text: string | undefined): string | null {
  return text === undefined ? null : new Date(text).toISOString();
}
