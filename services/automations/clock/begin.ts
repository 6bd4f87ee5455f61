/** Begins what a rule by the clock does at one of its times: one run, or one for each record that its query selects. */
import type { Context } from '../../../db/context.ts';
import type { Database, Reader } from '../../../db/database.ts';
import { Automation } from '../../../db/models/automations.ts';
import { findRow } from '../../../db/queries/find.ts';
import { dueMinute } from '../../../domain/schedules/next-times.ts';
import type { BegunRuns, ScheduleOutcome } from '../../../workflows/automation-schedules/contract.ts';
import { permissionsNow } from '../../identity/permissions-now.ts';
import { storedCron } from '../../schedules/known.ts';
import { ruleOf } from '../manage.ts';
import { matching } from '../match.ts';
import { NOT_ALLOWED, type PauseReason, pauseAutomation } from '../pause.ts';
import { MOST_RECORDS, recordIds, type Selection, selectionOf } from '../records/select.ts';
import { beginRuns, type Cause, type Match } from '../runs.ts';
import type { RecordQuery, Trigger } from '../schemas.ts';
import { atTheTime } from '../subject.ts';

export interface ScheduledRun {
  readonly automationId: string;
  /** When it was due: its relative days are seen from here. */
  readonly due: Date;
  /** The last record that was looked at; null at the beginning. */
  readonly after: string | null;
  /** How many were looked at. */
  readonly selected: number;
}

type ByClock = Extract<Trigger, { type: 'schedule.cron' }>;

/** Records looked at together; their runs are begun in one transaction. */
const PAGE = 50;
const MINUTE = 60_000;
const TOO_MANY_RECORDS = `The query selects more than ${MOST_RECORDS} records: what was left of them was not looked at`;

/** @returns the next runs; a repetition begins none anew */
export async function beginScheduled(database: Database, ctx: Context, run: ScheduledRun): Promise<BegunRuns> {
  const found = await database.readTenant(ctx, async (db) => {
    const automation = await findRow(db, Automation, { id: run.automationId });
    if (automation === undefined) return 'gone';
    const { trigger } = ruleOf(automation);
    if (automation.status !== 'active') return 'paused';
    const time = trigger.type === 'schedule.cron' ? timeOf(trigger, run.due) : null;
    if (trigger.type !== 'schedule.cron' || time === null) return 'not_due';
    return trigger.query === undefined
      ? { automation, ...(await once(db, automation, time, run)) }
      : { automation, ...(await perRecord(db, ctx, { automation, query: trigger.query, time, run })) };
  });
  if (typeof found === 'string') return nothing(found);
  return await database.withTenant(ctx, async (trx) => {
    if ('reason' in found) {
      await pauseAutomation(trx, ctx, run.automationId, found.reason);
      return nothing('paused');
    }
    const runs = await beginRuns(trx, ctx, found.matches);
    const outcome = runs.length > 0 ? 'begun' : 'none';
    return {
      outcome,
      runs: runs.map(({ cause: _, ...input }) => input),
      selected: found.selected,
      after: found.after,
    };
  });
}

/** What identifies a run: the minute that the clock shows or, when an operator wants one now, the moment. Null if none is due. */
function timeOf({ expression, timezone = 'UTC' }: ByClock, due: Date): string | null {
  if (due.getTime() % MINUTE !== 0) return due.toISOString();
  return dueMinute(storedCron(expression), timezone, due);
}

interface Found {
  readonly matches: readonly Match[];
  readonly selected: number;
  readonly after: string | null;
}

async function once(db: Reader, automation: Automation, time: string, { due }: ScheduledRun): Promise<Found> {
  const cause = causeAt(time, due, null);
  return { matches: await matching(db, cause, [automation]), selected: 0, after: null };
}

async function perRecord(
  db: Reader,
  ctx: Context,
  { automation, query, time, run }: { automation: Automation; query: RecordQuery; time: string; run: ScheduledRun },
): Promise<Found | { readonly reason: PauseReason }> {
  const selection = await selectionOf(db, ctx, query, run.due, query.once === true ? automation.id : null);
  if ('faults' in selection) return { reason: noLongerValid(selection.faults[0]?.message ?? '') };
  if (!(await mayRead(db, ctx, automation, selection))) return { reason: NOT_ALLOWED };
  const rest = MOST_RECORDS - run.selected;
  const most = Math.min(PAGE, rest);
  const ids = await recordIds(db, selection, run.after, most + 1);
  const page = ids.slice(0, most);
  const matches: Match[] = [];
  for (const id of page) {
    const record = { subject: selection.resource.subject, id };
    const cause = causeAt(query.once === true ? 'once' : time, run.due, record);
    matches.push(...(await matching(db, cause, [automation])));
  }
  const isCut = ids.length > most && most === rest;
  if (isCut)
    matches.push({ automation, cause: { ...causeAt(`${time}/rest`, run.due, null) }, fault: TOO_MANY_RECORDS });
  const after = ids.length > most && !isCut ? (page.at(-1) ?? null) : null;
  return { matches, selected: page.length, after };
}

function causeAt(time: string, due: Date, record: Parameters<typeof atTheTime>[1]): Cause {
  const key = record === null ? time : `${time}/${record.id}`;
  return { key, eventId: null, depth: 0, ...atTheTime(due.toISOString(), record) };
}

async function mayRead(db: Reader, { now }: Context, { runsAs, actor }: Automation, { resource }: Selection) {
  return (await permissionsNow(db, { userId: runsAs, actor }, now)).has(resource.permission);
}

function noLongerValid(message: string): PauseReason {
  return { en: `Its query is no longer valid: ${message}`, es: `Su consulta ya no es válida: ${message}` };
}

function nothing(outcome: ScheduleOutcome): BegunRuns {
  return { outcome, runs: [], selected: 0, after: null };
}
