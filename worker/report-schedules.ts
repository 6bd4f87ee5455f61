/** Schedules of reports in Temporal, kept equal to their rows, and what operators pause there taken over into the rows. */
import type { Client } from '@temporalio/client';
import type { Context } from '../db/context.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../db/ids.ts';
import { REPORT_SCHEDULE_CHANGED, REPORT_SCHEDULE_REMOVED } from '../domain/internal-events.ts';
import { cronOf } from '../services/report-schedules/check.ts';
import { type KnownSchedule, knownSchedules, takeOver } from '../services/report-schedules/known.ts';
import { putSchedule, removeSchedule } from '../services/temporal/schedules.ts';
import {
  REPORT_SCHEDULE,
  reportScheduleId,
  type ScheduledReportInput,
  type SchedulesCompared,
  scheduleOf,
} from '../workflows/report-schedules/contract.ts';
import { ENTITY_TYPE } from '../workflows/search-attributes/contract.ts';
import type { Reaction } from './reactions/reaction.ts';

/** Makes the schedule equal to the row after each change; only the last matters. */
export const keepSchedule: Reaction = {
  reads: ['version', 'active', 'report_name', 'format', 'cron', 'timezone'],
  follows: ({ event }) => event === REPORT_SCHEDULE_CHANGED || event === REPORT_SCHEDULE_REMOVED,
  newestOnly: true,

  async react(client, { event, tenantId, entityId: id, data }) {
    if (event === REPORT_SCHEDULE_REMOVED) {
      return await removeSchedule(client, reportScheduleId({ tenantId, reportScheduleId: id }));
    }
    const { report_name: reportName, format, cron, timezone } = data;
    await put(client, {
      tenantId,
      id,
      version: Number(data.version),
      active: data.active === 'true',
      reportName: String(reportName),
      format: String(format),
      cron: String(cron),
      timezone: String(timezone),
    });
  },
};

/** A pause or a resumption in Temporal stays, unless the row itself has changed in that since. */
async function put(client: Client, row: KnownSchedule): Promise<void> {
  const { tenantId, id, version, active, reportName, format, timezone } = row;
  const wanted = scheduleOf({
    tenantId,
    reportScheduleId: id,
    version,
    active,
    title: `${reportName} as ${format}`,
    expression: row.cron,
    cron: cronOf(row),
    timezone,
  });
  await putSchedule(client, wanted, ({ action, state }) => {
    const [known] = (action.args ?? []) as [ScheduledReportInput?];
    if (known !== undefined && known.version > version) return null;
    // What is as wanted already keeps the operator's note.
    const isTheirs = known?.active === active || state.paused === !active;
    return isTheirs ? { paused: state.paused, note: state.note ?? '' } : wanted.state;
  });
}

export interface CompareDeps {
  readonly database: Database;
  readonly client: Client;
  readonly now: () => Date;
}

/** Compares all rows with Temporal's schedules. Those are read first, so that what has no row was deleted. */
export async function compareSchedules(deps: CompareDeps, alive: () => void): Promise<SchedulesCompared> {
  const { database, client } = deps;
  const pausedById = new Map<string, boolean>();
  const query = `${ENTITY_TYPE.name} = '${REPORT_SCHEDULE}'`;
  for await (const { scheduleId, state } of client.schedule.list({ query })) pausedById.set(scheduleId, state.paused);
  let [schedules, made, taken, removed] = [0, 0, 0, 0];
  for await (const page of knownSchedules(database)) {
    alive();
    schedules += page.length;
    for (const row of page) {
      const scheduleId = reportScheduleId({ tenantId: row.tenantId, reportScheduleId: row.id });
      const paused = pausedById.get(scheduleId);
      pausedById.delete(scheduleId);
      if (paused === undefined) {
        await put(client, row);
        made++;
      } else if (paused === row.active && (await settle(deps, scheduleId, row))) {
        taken++;
      }
    }
  }
  for (const scheduleId of pausedById.keys()) {
    await removeSchedule(client, scheduleId);
    removed++;
  }
  return { schedules, made, taken, removed };
}

/** Takes over the state of a schedule that knows the row as it is; one that knows an older version is brought up to it. */
async function settle(
  { database, client, now }: CompareDeps,
  scheduleId: string,
  row: KnownSchedule,
): Promise<boolean> {
  const { action, state } = await client.schedule.getHandle(scheduleId).describe();
  const [known] = (action.args ?? []) as [ScheduledReportInput?];
  if (known === undefined || known.version < row.version) {
    await put(client, row);
    return false;
  }
  if (known.version > row.version || state.paused !== row.active) return false;
  const { tenantId } = row;
  const ctx: Context = { tenantId, userId: null, actor: 'temporal', requestId: newId(), now: now() };
  const note = state.note ? `: ${state.note}` : '';
  return await database.withTenant(ctx, (trx) => takeOver(trx, ctx, row, `Paused in Temporal${note}`));
}
