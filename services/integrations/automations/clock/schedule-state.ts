/** State of scheduled rules as Temporal must know it. */
import type { DomainEvent } from '../../../../db/changes/trail.ts';
import type { Automation } from '../../../../db/models/integrations/automations.ts';
import {
  AUTOMATION_SCHEDULE_CHANGED,
  AUTOMATION_SCHEDULE_REMOVED,
} from '../../../../domain/platform/internal-events.ts';
import { scheduleEvent } from '../../../platform/schedules/known.ts';
import type { Trigger } from '../schemas.ts';

type Stated = Pick<Automation, 'version' | 'status' | 'trigger' | 'actions'>;

/** Query of all scheduled rules, for `knownSchedules`. */
export const AUTOMATION_SCHEDULES_SQL = `select tenant_id as "tenantId", id, version, status = 'active' as active,
    (select string_agg(a ->> 'type', ', ' order by nth) from jsonb_array_elements(actions) with ordinality as x (a, nth)) as title,
    trigger ->> 'expression' as cron, trigger ->> 'timezone' as timezone
  from automations where trigger ->> 'type' = 'schedule.cron'`;

/** The events by which the relay updates the schedule in Temporal; none for rules without a schedule. */
export function clockEvents(before: Stated | null, after: Stated | null): DomainEvent[] {
  const trigger = after?.trigger as Trigger | undefined;
  if (after !== null && trigger?.type === 'schedule.cron') {
    const { version, status, actions } = after;
    const title = actions.map(({ type }) => type).join(', ');
    const { expression: cron, timezone = 'UTC' } = trigger;
    return [
      scheduleEvent(AUTOMATION_SCHEDULE_CHANGED, { version, active: status === 'active', title, cron, timezone }),
    ];
  }
  return before?.trigger.type === 'schedule.cron' ? [{ name: AUTOMATION_SCHEDULE_REMOVED, payload: {} }] : [];
}
