/** Makes schedules in Temporal equal to their rows. */

import { KNOWN_MEMBERS, type KnownSchedule, storedCron } from '../../services/platform/schedules/known.ts';
import { putSchedule, removeSchedule } from '../../services/platform/schedules/temporal.ts';
import { namedStart, type ServiceClient } from '../../services/platform/temporal/client.ts';
import type { KeptInput } from '../../workflows/platform/schedules/contract.ts';
import type { Follower } from '../followers/follower.ts';
import type { ScheduleKind } from './kinds.ts';

/** Makes the schedule equal to the row after changes; only the last one matters. */
export function keeps(kind: ScheduleKind): Follower {
  return {
    reads: KNOWN_MEMBERS,
    follows: ({ event }) => event === kind.changed || event === kind.removed,
    newestOnly: true,

    async handOver({ client }, { event: { event, tenantId, entityId: id, data, createdAt } }) {
      if (event === kind.removed) return await removeSchedule(client, kind.toScheduleId({ tenantId, id }));
      await put(
        client,
        kind,
        {
          tenantId,
          id,
          version: Number(data.version),
          active: data.active === 'true',
          title: data.title ?? kind.entityType,
          cron: String(data.cron),
          timezone: String(data.timezone),
        },
        new Date(createdAt),
      );
    },
  };
}

/**
 * Creates or updates a schedule. A pause or resumption in Temporal stays unless the row has since been paused or resumed. A schedule that
 * has this version of the row is left alone: a comparison must not undo what an operator does at that moment.
 */
export async function put(client: ServiceClient, kind: ScheduleKind, row: KnownSchedule, now: Date): Promise<void> {
  const { version, active, cron: expression } = row;
  const made = kind.toSchedule({ ...row, expression, cron: storedCron(expression), year: now.getUTCFullYear() });
  const wanted = { ...made, action: await namedStart(client.names, made.action) };
  await putSchedule(client, wanted, ({ action, state }) => {
    const [known] = (action.args ?? []) as [KeptInput?];
    if (known !== undefined && known.version >= version) return null;
    // An unchanged state keeps the operator's note.
    const isTheirs = known?.active === active || state.paused === !active;
    return isTheirs ? { paused: state.paused, note: state.note ?? '' } : wanted.state;
  });
}
