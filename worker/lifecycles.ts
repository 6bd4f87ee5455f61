/** Lifecycles as Temporal knows them: which run, and how those that are missing are started; and the hourly comparison. */
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy, WorkflowNotFoundError } from '@temporalio/client';
import type { LifecycleDeps } from '../activities/lifecycles.ts';
import {
  DOCUMENT_CHANGED,
  DOCUMENT_LIFECYCLE,
  type DocumentChange,
  documentLifecycleId,
  lifecycleStart,
} from '../workflows/documents/contract.ts';
import { LIFECYCLE_COMPARISON, LIFECYCLE_COMPARISON_ID } from '../workflows/maintenance/contract.ts';
import { priorityOf } from '../workflows/priorities/contract.ts';
import { ENTITY_ID } from '../workflows/search-attributes/contract.ts';
import { TASKS_QUEUE } from '../workflows/tasks/contract.ts';
import { inParallel } from './relay/in-parallel.ts';

/** Calls at once. */
const PARALLEL = 10;
const LISTED = 1000;
/** Between nothing and the first event of the outbox, so that every event that is told of is newer. */
const BEFORE_ALL_EVENTS = 0.25;
const AFTER_THAT = 0.5;

export function lifecyclesOf(client: Client): LifecycleDeps['lifecycles'] {
  return {
    async running(first, last) {
      const query = `WorkflowType = "${DOCUMENT_LIFECYCLE}" and ExecutionStatus = "Running" and ${ENTITY_ID.name} between "${first}" and "${last}"`;
      const found = new Set<string>();
      for await (const { workflowId } of client.workflow.list({ query, pageSize: LISTED })) found.add(workflowId);
      return found;
    },

    async start(documents) {
      await inParallel(documents, PARALLEL, async (document) => {
        const { documentId, status, code } = document;
        const change: DocumentChange = {
          eventId: `comparison/${documentId}`,
          event: 'document.updated',
          status,
          sequence: BEFORE_ALL_EVENTS,
          code,
        };
        await client.workflow.signalWithStart(DOCUMENT_LIFECYCLE, {
          ...lifecycleStart(document),
          signal: DOCUMENT_CHANGED,
          signalArgs: [change],
        });
      });
    },

    async end(documents) {
      await inParallel(documents, PARALLEL, async ({ tenantId, documentId }) => {
        const change: DocumentChange = {
          eventId: `comparison-over/${documentId}`,
          event: 'document.updated',
          status: 'C',
          sequence: AFTER_THAT,
        };
        try {
          await client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).signal(DOCUMENT_CHANGED, change);
        } catch (error) {
          // The event of its end has reached it.
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        }
      });
    },
  };
}

/** Has the comparison run every hour. May be repeated: what is scheduled already becomes what is declared here. */
export async function scheduleComparison(client: Client): Promise<void> {
  const schedule = {
    spec: { intervals: [{ every: '1 hour' as const }], jitter: '5 minutes' as const },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 hour' as const },
    action: {
      type: 'startWorkflow' as const,
      workflowType: LIFECYCLE_COMPARISON,
      workflowId: LIFECYCLE_COMPARISON_ID,
      taskQueue: TASKS_QUEUE,
      args: [],
      priority: priorityOf('comparison', null),
      staticSummary: 'Hourly: lifecycles that open documents lack are started again',
    },
  };
  try {
    await client.schedule.create({ scheduleId: LIFECYCLE_COMPARISON_ID, ...schedule });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    await client.schedule.getHandle(LIFECYCLE_COMPARISON_ID).update(({ state }) => ({
      ...schedule,
      state: { paused: state.paused, ...(state.note ? { note: state.note } : {}) },
    }));
  }
}
