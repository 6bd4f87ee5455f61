/** What happens beyond the runs that a company has in a day. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import type { Automation } from '../../../db/models/integrations/automations.ts';
import { query } from '../../../db/sql.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { insertRuns } from './run-store.ts';

/** A limit that is reached. */
interface Reached {
  /** The company's day. */
  readonly day: string;
  readonly most: number;
}

/**
 * Logs for each rule, once a day, that its further runs of the day are left out, and tells the company once.
 * @param rules with runs that are left out
 */
export async function refuseRuns(
  trx: Db,
  ctx: Context,
  rules: readonly Automation[],
  { day, most }: Reached,
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
