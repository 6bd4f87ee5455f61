/** Maintenance workflows that Temporal starts every hour, or every minute. */
import { type Client, ScheduleOverlapPolicy } from '@temporalio/client';
import { putSchedule } from '../services/temporal/schedules.ts';
import {
  LIFECYCLE_COMPARISON,
  LIFECYCLE_COMPARISON_ID,
  MAINTENANCE,
  PRUNING_ID,
  REPORT_SCHEDULES_ID,
} from '../workflows/maintenance/contract.ts';
import { priorityOf, type Work } from '../workflows/priorities/contract.ts';
import { REPORT_SCHEDULE_COMPARISON } from '../workflows/report-schedules/contract.ts';
import { TASKS_QUEUE } from '../workflows/tasks/contract.ts';

interface Regular {
  /** Id of the schedule and, with the time appended, of the workflows. */
  readonly id: string;
  readonly workflow: string;
  /** Minutes after the full hour; null for every minute. */
  readonly minute: number | null;
  readonly work: Work;
  /** Shown to operators. */
  readonly summary: string;
}

const REGULAR: readonly Regular[] = [
  {
    id: LIFECYCLE_COMPARISON_ID,
    workflow: LIFECYCLE_COMPARISON,
    minute: 0,
    work: 'comparison',
    summary: 'restarts missing lifecycles of open documents, and counts other missing work',
  },
  {
    id: PRUNING_ID,
    workflow: MAINTENANCE,
    minute: 30,
    work: 'pruning',
    summary: 'deletes data past its retention (handed-over events, delivery logs, ended tasks …)',
  },
  {
    id: REPORT_SCHEDULES_ID,
    workflow: REPORT_SCHEDULE_COMPARISON,
    minute: null,
    work: 'comparison',
    summary: 'takes over what was paused or resumed here of scheduled reports, and makes missing schedules again',
  },
];

/** Schedules each workflow, skipped while its last run continues. Idempotent: existing schedules are updated. */
export async function scheduleMaintenance(client: Client): Promise<void> {
  for (const one of REGULAR) await schedule(client, one);
}

async function schedule(client: Client, { id, workflow, minute, work, summary }: Regular): Promise<void> {
  const intervals =
    minute === null ? [{ every: '1 minute' as const }] : [{ every: '1 hour' as const, offset: minute * 60_000 }];
  const wanted = {
    scheduleId: id,
    spec: { intervals, ...(minute === null ? {} : { jitter: '5 minutes' as const }) },
    policies: {
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: minute === null ? ('1 minute' as const) : ('1 hour' as const),
    },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: id,
      taskQueue: TASKS_QUEUE,
      args: [],
      priority: priorityOf(work, null),
      staticSummary: `${minute === null ? 'Every minute' : 'Hourly'}: ${summary}`,
    },
  };
  await putSchedule(client, wanted, ({ state }) => ({
    paused: state.paused,
    ...(state.note ? { note: state.note } : {}),
  }));
}
