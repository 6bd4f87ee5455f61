/** Compares the schedules in Temporal with their rows, and takes over what operators pause and resume there. */

import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { type KnownSchedule, knownSchedules } from '../../services/platform/schedules/known.ts';
import { removeSchedule } from '../../services/platform/schedules/temporal.ts';
import type { ServiceClient } from '../../services/platform/temporal/client.ts';
import type { KeptInput, SchedulesCompared } from '../../workflows/platform/schedules/contract.ts';
import { ENTITY_TYPE } from '../../workflows/platform/search-attributes/contract.ts';
import { failureMessage, isOwnFailure } from '../relay/failures.ts';
import { put } from './keep.ts';
import { SCHEDULE_KINDS, type ScheduleKind } from './kinds.ts';

export interface CompareDeps {
  readonly database: Database;
  readonly client: ServiceClient;
  readonly now: () => Date;
}

/**
 * Compares all rows with Temporal's schedules. The schedules are read first, so that a schedule without a row was deleted. A row that
 * Temporal refuses does not stop the others.
 * @throws AggregateError after the comparison, with all refusals
 */
export async function compareSchedules(deps: CompareDeps, alive: () => void): Promise<SchedulesCompared> {
  const { database, client } = deps;
  const pausedById = new Map<string, boolean>();
  const types = SCHEDULE_KINDS.map(({ entityType }) => `'${entityType}'`).join(', ');
  const query = `${ENTITY_TYPE.name} in (${types})`;
  for await (const { scheduleId, state } of client.schedule.list({ query })) pausedById.set(scheduleId, state.paused);
  let [schedules, made, taken, removed] = [0, 0, 0, 0];
  const refused: unknown[] = [];
  for (const kind of SCHEDULE_KINDS) {
    for await (const page of knownSchedules(database, kind.rows)) {
      alive();
      schedules += page.length;
      for (const row of page) {
        const scheduleId = kind.toScheduleId(row);
        const paused = pausedById.get(scheduleId);
        pausedById.delete(scheduleId);
        try {
          if (paused === undefined) {
            await put(client, kind, row, deps.now());
            made++;
          } else if (paused === row.active && (await settle(deps, kind, row))) {
            taken++;
          }
        } catch (error) {
          if (!isOwnFailure(error)) throw error;
          refused.push(new Error(`${scheduleId}: ${failureMessage(error)}`));
        }
      }
    }
  }
  for (const scheduleId of pausedById.keys()) {
    await removeSchedule(client, scheduleId);
    removed++;
  }
  if (refused.length > 0) throw new AggregateError(refused, refused.map(String).join('; ').slice(0, 2000));
  return { schedules, made, taken, removed };
}

/** Takes over the state of a schedule that has the current version of the row; updates one that has an older version. */
async function settle(
  { database, client, now }: CompareDeps,
  kind: ScheduleKind,
  row: KnownSchedule,
): Promise<boolean> {
  const { action, state } = await client.schedule.getHandle(kind.toScheduleId(row)).describe();
  const [known] = (action.args ?? []) as [KeptInput?];
  if (known === undefined || known.version < row.version) {
    await put(client, kind, row, now());
    return false;
  }
  if (known.version > row.version || state.paused !== row.active) return false;
  const { tenantId } = row;
  const ctx: Context = { tenantId, userId: null, actor: 'temporal', requestId: newId(), now: now() };
  const note = state.note ? `: ${state.note}` : '';
  return await database.withTenant(ctx, (trx) => kind.takeOver(trx, ctx, row, `Paused in Temporal${note}`));
}
