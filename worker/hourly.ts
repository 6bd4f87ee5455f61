/** Maintenance workflows that Temporal starts every hour. */
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import {
  LIFECYCLE_COMPARISON,
  LIFECYCLE_COMPARISON_ID,
  MAINTENANCE,
  PRUNING_ID,
} from '../workflows/maintenance/contract.ts';
import { priorityOf, type Work } from '../workflows/priorities/contract.ts';
import { TASKS_QUEUE } from '../workflows/tasks/contract.ts';

interface Hourly {
  /** Id of the schedule and, with the time appended, of the workflows. */
  readonly id: string;
  readonly workflow: string;
  /** Minutes after the full hour. */
  readonly minute: number;
  readonly work: Work;
  /** Shown to operators. */
  readonly summary: string;
}

const HOURLY: readonly Hourly[] = [
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
];

/** Schedules each workflow every hour, skipped while its last run continues. Idempotent: existing schedules are updated. */
export async function scheduleHourly(client: Client): Promise<void> {
  for (const one of HOURLY) await schedule(client, one);
}

async function schedule(client: Client, { id, workflow, minute, work, summary }: Hourly): Promise<void> {
  const schedule = {
    spec: { intervals: [{ every: '1 hour' as const, offset: minute * 60_000 }], jitter: '5 minutes' as const },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: id,
      taskQueue: TASKS_QUEUE,
      args: [],
      priority: priorityOf(work, null),
      staticSummary: `Hourly: ${summary}`,
    },
  };
  try {
    await client.schedule.create({ scheduleId: id, ...schedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(id).update(({ state }) => ({
      ...schedule,
      state: { paused: state.paused, ...(state.note ? { note: state.note } : {}) },
    }));
  }
}
