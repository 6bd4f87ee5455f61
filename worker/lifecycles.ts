/** Lifecycles as Temporal knows them: which run, and how those that are missing are started; and the hourly comparison. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { LifecycleDeps } from '../activities/lifecycles.ts';
import {
  DOCUMENT_CHANGED,
  DOCUMENT_LIFECYCLE,
  type DocumentChange,
  documentLifecycleId,
  lifecycleStart,
} from '../workflows/documents/contract.ts';
import { LIFECYCLE_COMPARISON, LIFECYCLE_COMPARISON_ID } from '../workflows/maintenance/contract.ts';
import { ENTITY_ID } from '../workflows/search-attributes/contract.ts';
import { runHourly } from './hourly.ts';
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

/** Has the comparison run every hour. */
export async function scheduleComparison(client: Client): Promise<void> {
  await runHourly(client, {
    id: LIFECYCLE_COMPARISON_ID,
    workflow: LIFECYCLE_COMPARISON,
    minute: 0,
    work: 'comparison',
    summary: 'lifecycles that open documents lack are started again',
  });
}
