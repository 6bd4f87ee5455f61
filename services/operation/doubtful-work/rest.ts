/** Holds the other doubtful work of a company: runs of automations, tasks that send something, invoices for FACe, and daily summaries. */
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { summaryDay } from '../../../domain/messages/notifications/summary-day.ts';
import { nextTimes } from '../../../domain/platform/schedules/next-times.ts';
import type { TaskKind } from '../../../domain/platform/tasks.ts';
import { pauseAutomations } from '../../integrations/automations/pause.ts';
import { cancelRuns } from '../../integrations/automations/run-store.ts';
import { markAllSummaries } from '../../messages/notifications/settings.ts';
import { storedCron } from '../../platform/schedules/known.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { endTask } from '../../platform/tasks/report.ts';
import { settleUnknown } from '../../trade/einvoice/face/settle.ts';
import { unsettledSubmissions } from '../../trade/einvoice/face/submissions.ts';
import { type Held, heldReason, type Restored } from './restored.ts';

/** Tasks whose results may have been mailed, or sent to webhooks. What others do stays inside, once. */
const SENDING: readonly TaskKind[] = ['payslips', 'webhook_recovery', 'report', 'awaited_report'];

/** Holds it, in one transaction. @returns what was held */
export async function holdRest(database: Database, ctx: Context, restored: Restored): Promise<Partial<Held>> {
  return await database.withTenant(ctx, async (trx) => {
    await markSummarised(trx, ctx);
    return {
      runs: await cancelRunning(trx, ctx, restored),
      automations: await pauseOnce(trx, ctx, restored),
      tasks: await endSending(trx, ctx, restored),
      submissions: await doubtSubmissions(trx, ctx, restored),
    };
  });
}

async function cancelRunning(trx: Db, ctx: Context, restored: Restored): Promise<number> {
  const running = await query<{ id: string }>(
    trx,
    `select distinct automation_id as id from automation_runs where status = 'running'`,
    {},
  );
  const ids = running.map(({ id }) => id);
  return ids.length === 0 ? 0 : await cancelRuns(trx, ctx, ids, heldReason(restored).en);
}

/**
 * Pauses automations that look for records by the clock and run once for each, if they were due since: those records would get it
 * again. Others run at their next time, as they would have.
 */
async function pauseOnce(trx: Db, ctx: Context, restored: Restored): Promise<number> {
  const rules = await query<{ id: string; cron: string; timezone: string }>(
    trx,
    `select id, trigger ->> 'expression' as cron, coalesce(trigger ->> 'timezone', 'UTC') as timezone from automations
     where status = 'active' and trigger ->> 'type' = 'schedule.cron' and trigger -> 'query' ->> 'once' = 'true' order by id`,
    {},
  );
  const due = rules.filter(({ cron, timezone }) => {
    const [next] = nextTimes(storedCron(cron), timezone, restored.backedUpAt, 1);
    return next !== undefined && Date.parse(next) <= restored.now.getTime();
  });
  if (due.length === 0) return 0;
  await pauseAutomations(
    trx,
    ctx,
    due.map(({ id }) => id),
    heldReason(restored),
  );
  return due.length;
}

async function endSending(trx: Db, ctx: Context, restored: Restored): Promise<number> {
  const sql = `select id from tasks where status = 'running' and kind = any(:kinds::text[]) order by id`;
  const running = await query<{ id: string }>(trx, sql, { kinds: [...SENDING] });
  for (const { id } of running) await endTask(trx, ctx, id, { message: 'Held', error: heldReason(restored).en });
  return running.length;
}

async function doubtSubmissions(trx: Db, ctx: Context, restored: Restored): Promise<number> {
  const unsettled = await unsettledSubmissions(trx);
  const errors = [{ code: 'restored', text: heldReason(restored).en }];
  for (const one of unsettled) await settleUnknown(trx, ctx, one, errors, ['waiting', 'sending']);
  return unsettled.length;
}

/** Takes the daily summaries of today for sent: they may have been. */
async function markSummarised(trx: Db, { now }: Context): Promise<void> {
  const { timezone } = await loadSettings(trx, 'format');
  const day = summaryDay(now, timezone);
  if (day !== null) await markAllSummaries(trx, day);
}
