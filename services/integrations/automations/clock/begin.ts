/** Begins the runs of a scheduled rule at one of its times: one run, or one for each record that its query selects. */
import type { Context } from '../../../../db/context.ts';
import type { Database, Reader } from '../../../../db/database.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { findRow } from '../../../../db/queries/find.ts';
import { translate } from '../../../../domain/locale/messages.ts';
import { dueMinute } from '../../../../domain/platform/schedules/next-times.ts';
import type { BegunRuns, ScheduleOutcome } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { loadPermissions } from '../../../access/sessions/current-permissions.ts';
import { storedCron } from '../../../platform/schedules/known.ts';
import { beginRuns, type Cause, type Match } from '../begin-runs.ts';
import { automationRule } from '../manage.ts';
import { matchRules, rightsAt } from '../match.ts';
import { NOT_ALLOWED, type PauseReason, pauseAutomation } from '../pause.ts';
import { MAX_RECORDS, readSelection, recordIds, type Selection } from '../records/select.ts';
import type { RecordQuery, Trigger } from '../schemas.ts';
import { scheduledHappening } from '../subject.ts';

export interface ScheduledRun {
  readonly automationId: string;
  /** Scheduled time, on which its relative days are based. */
  readonly due: Date;
  /** The last record examined; null at the beginning. */
  readonly after: string | null;
  /** Number of records examined. */
  readonly selected: number;
}

type ByClock = Extract<Trigger, { type: 'schedule.cron' }>;

/** Records per page; their runs are begun in one transaction. */
const PAGE_SIZE = 50;
const MINUTE = 60_000;
const TOO_MANY_RECORDS = `The query selects more than ${MAX_RECORDS} records: what was left of them was not looked at`;

/** Begins the next runs; a retry begins none again. @returns these runs */
export async function beginScheduled(database: Database, ctx: Context, run: ScheduledRun): Promise<BegunRuns> {
  const found = await database.readTenant(ctx, async (db) => {
    const automation = await findRow(db, Automation, { id: run.automationId });
    if (automation === undefined) return 'gone';
    const { trigger } = automationRule(automation);
    if (automation.status !== 'active') return 'paused';
    const time = trigger.type === 'schedule.cron' ? scheduledTime(trigger, run.due) : null;
    if (trigger.type !== 'schedule.cron' || time === null) return 'not_due';
    return trigger.query === undefined
      ? { automation, ...(await matchOnce(db, ctx, automation, time, run)) }
      : { automation, ...(await matchRecords(db, ctx, { automation, query: trigger.query, time, run })) };
  });
  if (typeof found === 'string') return noRuns(found);
  return await database.withTenant(ctx, async (trx) => {
    if ('reason' in found) {
      await pauseAutomation(trx, ctx, run.automationId, found.reason);
      return noRuns('paused');
    }
    const runs = await beginRuns(trx, ctx, found.matches);
    const outcome = runs.length > 0 ? 'begun' : 'none';
    return {
      outcome,
      runs,
      selected: found.selected,
      after: found.after,
    };
  });
}

/** The key of a run: its minute by the clock or, if an operator triggers it, the current time. Null if none is due. */
function scheduledTime({ expression, timezone = 'UTC' }: ByClock, due: Date): string | null {
  if (due.getTime() % MINUTE !== 0) return due.toISOString();
  return dueMinute(storedCron(expression), timezone, due);
}

interface Found {
  readonly matches: readonly Match[];
  readonly selected: number;
  readonly after: string | null;
}

async function matchOnce(
  db: Reader,
  { now }: Context,
  automation: Automation,
  time: string,
  { due }: ScheduledRun,
): Promise<Found> {
  const cause = scheduledCause(time, due, null);
  const matches = await matchRules(db, cause, [automation], rightsAt(db, now), due);
  return { matches, selected: 0, after: null };
}

async function matchRecords(
  db: Reader,
  ctx: Context,
  { automation, query, time, run }: { automation: Automation; query: RecordQuery; time: string; run: ScheduledRun },
): Promise<Found | { readonly reason: PauseReason }> {
  const selection = await readSelection(db, ctx, query, run.due, query.once === true ? automation.id : null);
  if ('faults' in selection) return { reason: noLongerValid(selection.faults[0]?.message ?? '') };
  if (!(await mayRead(db, ctx, automation, selection))) return { reason: NOT_ALLOWED };
  const rest = MAX_RECORDS - run.selected;
  const most = Math.min(PAGE_SIZE, rest);
  const ids = await recordIds(db, selection, run.after, most + 1);
  const page = ids.slice(0, most);
  const matches: Match[] = [];
  const rights = rightsAt(db, ctx.now);
  for (const id of page) {
    const record = { subject: selection.resource.subject, id };
    const cause = scheduledCause(query.once === true ? 'once' : time, run.due, record);
    matches.push(...(await matchRules(db, cause, [automation], rights, run.due)));
  }
  const isCut = ids.length > most && most === rest;
  if (isCut)
    matches.push({ automation, cause: { ...scheduledCause(`${time}/rest`, run.due, null) }, fault: TOO_MANY_RECORDS });
  const after = ids.length > most && !isCut ? (page.at(-1) ?? null) : null;
  return { matches, selected: page.length, after };
}

function scheduledCause(time: string, due: Date, record: Parameters<typeof scheduledHappening>[1]): Cause {
  const key = record === null ? time : `${time}/${record.id}`;
  return { key, eventId: null, depth: 0, ...scheduledHappening(due.toISOString(), record) };
}

async function mayRead(db: Reader, { now }: Context, { runsAs, actor }: Automation, { resource }: Selection) {
  return (await loadPermissions(db, { userId: runsAs, actor }, now)).has(resource.permission);
}

function noLongerValid(message: string): PauseReason {
  return {
    en: `Its query is no longer valid: ${message}`,
    es: `Su consulta ya no es válida: ${translate(message, 'es')}`,
  };
}

function noRuns(outcome: ScheduleOutcome): BegunRuns {
  return { outcome, runs: [], selected: 0, after: null };
}
