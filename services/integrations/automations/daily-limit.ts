/** The limit of the runs that a company's automations have in a day, and what happens beyond it. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Automation } from '../../../db/models/integrations/automations.ts';
import { query } from '../../../db/sql.ts';
import { localDay, startOfDay } from '../../../domain/records/tables/times.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { insertRuns } from './run-store.ts';

/** A day of a company, with its limit of runs and how many of them are left. */
export interface RunsOfDay {
  readonly day: string;
  readonly most: number;
  readonly left: number;
}

/** Counts what is left of the company's day. */
export async function runsLeftToday(trx: Db, { now }: Context): Promise<RunsOfDay> {
  const [{ timezone }, { max_runs_per_day: most }] = await Promise.all([
    loadSettings(trx, 'format'),
    loadSettings(trx, 'automations'),
  ]);
  const day = localDay(now, timezone);
  const since = startOfDay(day, timezone);
  const [found] = await query<{ count: number }>(
    trx,
    `select coalesce(sum(n), 0)::integer as count from automations a cross join lateral (
       select count(*) as n from (select from automation_runs r where r.automation_id = a.id and r.executed_at >= :since::timestamptz
         and r.status <> 'skipped'
         limit :most::bigint) one) of_rule`,
    { since, most },
  );
  return { day, most, left: Math.max(0, most - (found?.count ?? 0)) };
}

/**
 * Logs for each rule, once a day, that its further runs of the day are left out, and tells the company once.
 * @param rules with runs that are left out
 */
export async function refuseRuns(
  trx: Db,
  ctx: Context,
  rules: readonly Automation[],
  { day, most }: RunsOfDay,
): Promise<void> {
  if (rules.length === 0) return;
  const cause = `limit:${day}`;
  const isTold = await isLogged(trx, cause);
  const reason = `429: the company's automations have run ${most} times on ${day}; what would run until midnight is left out`;
  const rows = rules.map(({ id, version, trigger, actions, stopOnError }) => ({
    id: newId(),
    automation_id: id,
    automation_version: version,
    trigger: trigger.type,
    cause,
    event: {},
    actions,
    stop_on_error: stopOnError,
    depth: 0,
    status: 'skipped',
    reason,
    duration_ms: 0,
  }));
  await insertRuns(trx, ctx, rows);
  if (isTold) return;
  await alertAdmins(trx, ctx, {
    title: 'Automations have reached their limit of the day',
    body: `They have run ${most} times on ${day}. What would run until midnight is left out.`,
    actionLabel: 'Show',
    es: {
      title: 'Las automatizaciones han llegado a su límite del día',
      body: `Se han ejecutado ${most} veces el ${day}. Hasta medianoche no se ejecutará ninguna más.`,
      actionLabel: 'Ver',
    },
    actionUrl: '/api/automations',
  });
}

async function isLogged(trx: Db, cause: string): Promise<boolean> {
  const [found] = await query<{ found: boolean }>(
    trx,
    `select exists (select from automations a join automation_runs r on r.automation_id = a.id and r.cause = :cause) as found`,
    { cause },
  );
  return found?.found ?? false;
}
