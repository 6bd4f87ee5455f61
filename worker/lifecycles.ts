/** Lifecycles as Temporal knows them: how those that are missing are started again; and the hourly comparison. */
import type { Client } from '@temporalio/client';
import type { Database } from '../db/database.ts';
import { isFinal } from '../domain/documents/transitions.ts';
import { DOCUMENT_STATUS } from '../domain/documents/types.ts';
import { documentsNow, type OpenDocument } from '../services/documents/open-documents.ts';
import type { Due } from '../services/due/work.ts';
import {
  DOCUMENT_LIFECYCLE,
  type DocumentChange,
  documentChanged,
  documentLifecycleId,
  lifecycleStart,
} from '../workflows/documents/contract.ts';
import { LIFECYCLE_COMPARISON, LIFECYCLE_COMPARISON_ID } from '../workflows/maintenance/contract.ts';
import { runHourly } from './hourly.ts';
import { unlessEnded } from './reactions/reaction.ts';
import { inParallel } from './relay/in-parallel.ts';

/** Calls at once. */
const PARALLEL = 10;
/** Between nothing and the first event of the outbox, so that every event that is told of is newer. */
const BEFORE_ALL_EVENTS = 0.25;
const AFTER_THAT = 0.5;

/** Starts the lifecycle unless it runs, and tells it the state of its document. */
export async function startLifecycle(client: Client, document: OpenDocument): Promise<void> {
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
    signal: documentChanged,
    signalArgs: [change],
  });
}

/** Ends lifecycles that were just started for documents that were closed or deleted meanwhile: nothing ran that could be told. */
export async function endClosedLifecycles(database: Database, client: Client, started: readonly Due[]): Promise<void> {
  const documents = started.filter((due) => due.kind === 'lifecycles');
  if (documents.length === 0) return;
  const ids = documents.map(({ documentId }) => documentId);
  const now = new Map((await documentsNow(database, ids)).map((one) => [one.documentId, one.status]));
  const closed = documents.filter(({ documentId }) => {
    const status = now.get(documentId);
    return status === undefined || isFinal(status);
  });
  await inParallel(closed, PARALLEL, (document) => endLifecycle(client, document));
}

/** Tells the lifecycle that its document is not open any more. */
export async function endLifecycle(
  client: Client,
  { tenantId, documentId }: Pick<OpenDocument, 'tenantId' | 'documentId'>,
): Promise<void> {
  const change: DocumentChange = {
    eventId: `comparison-over/${documentId}`,
    event: 'document.updated',
    status: DOCUMENT_STATUS.closed,
    sequence: AFTER_THAT,
  };
  // Else the event of its end has reached it.
  await unlessEnded(() =>
    client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).signal(documentChanged, change),
  );
}

/** Has the comparison run every hour. */
export async function scheduleComparison(client: Client): Promise<void> {
  await runHourly(client, {
    id: LIFECYCLE_COMPARISON_ID,
    workflow: LIFECYCLE_COMPARISON,
    minute: 0,
    work: 'comparison',
    summary: 'lifecycles that open documents lack are started again, what else is missing is counted',
  });
}
