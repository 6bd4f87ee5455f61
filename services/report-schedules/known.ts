/** Schedules of all companies, for the comparison with Temporal. */
import type { Context } from '../../db/context.ts';
import type { Database, Db } from '../../db/database.ts';
import { ReportSchedule } from '../../db/models/tasks.ts';
import { query } from '../../db/sql.ts';
import { setActiveBecause } from './manage.ts';

/** What Temporal needs of a row. */
export type KnownSchedule = Pick<
  ReportSchedule,
  'tenantId' | 'id' | 'version' | 'active' | 'reportName' | 'format' | 'cron' | 'timezone'
>;

const PAGE = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
const KNOWN_SQL = `select tenant_id as "tenantId", id, version, active, report_name as "reportName", format, cron, timezone
  from report_schedules where id > :after::uuid order by id limit ${PAGE}`;

/** All of them, page by page. */
export async function* knownSchedules(database: Database): AsyncGenerator<readonly KnownSchedule[]> {
  let after = FIRST;
  for (;;) {
    const page = await database.withSystem((trx) => query<KnownSchedule>(trx, KNOWN_SQL, { after }));
    yield page;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = last.id;
  }
}

/**
 * Turns the row to the state that an operator has chosen in Temporal.
 * @param row as it was compared
 * @param reason of a pause
 * @returns false when it was changed since
 */
export async function takeOver(trx: Db, ctx: Context, row: KnownSchedule, reason: string): Promise<boolean> {
  const current = (await ReportSchedule.query(trx).findById(row.id).forNoKeyUpdate()) as ReportSchedule | undefined;
  if (current === undefined || current.version !== row.version) return false;
  await setActiveBecause(trx, ctx, current, !row.active, reason);
  return true;
}
