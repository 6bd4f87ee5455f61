/** Lifecycles of documents at Temporal: what each is told, and how those that are missing are started again. */
import type { Client } from '@temporalio/client';
import type { Database } from '../db/database.ts';
import { isFinal } from '../domain/documents/transitions.ts';
import { DOCUMENT_STATUS } from '../domain/documents/types.ts';
import { documentsNow, type OpenDocument } from '../services/documents/open-documents.ts';
import type { Due } from '../services/due/work.ts';
import { signalWithStart, unlessEnded } from '../services/temporal/start.ts';
import {
  type DocumentChange,
  documentChanged,
  documentLifecycleId,
  lifecycleStart,
} from '../workflows/documents/contract.ts';
import { inParallel } from './relay/in-parallel.ts';

/** Calls at once. */
const PARALLEL = 10;
/** Between nothing and the first event of the outbox, so that every event that is told of is newer. */
const BEFORE_ALL_EVENTS = 0.25;
const AFTER_THAT = 0.5;

/** Tells the lifecycle of a change of its document, and starts it unless it runs. */
export async function tellLifecycle(client: Client, document: OpenDocument, change: DocumentChange): Promise<void> {
  await signalWithStart(client, lifecycleStart(document), documentChanged, change);
}

/** Tells the lifecycle of a change that is its document's last: one that has ended wants it no more. */
export async function tellRunningLifecycle(
  client: Client,
  { tenantId, documentId }: Pick<OpenDocument, 'tenantId' | 'documentId'>,
  change: DocumentChange,
): Promise<void> {
  await unlessEnded(() =>
    client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).signal(documentChanged, change),
  );
}

/** Starts the lifecycle unless it runs, and tells it the state of its document. */
export async function startLifecycle(client: Client, document: OpenDocument): Promise<void> {
  const { documentId, status, code } = document;
  await tellLifecycle(client, document, {
    eventId: `comparison/${documentId}`,
    event: 'document.updated',
    status,
    sequence: BEFORE_ALL_EVENTS,
    code,
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
  document: Pick<OpenDocument, 'tenantId' | 'documentId'>,
): Promise<void> {
  await tellRunningLifecycle(client, document, {
    eventId: `comparison-over/${document.documentId}`,
    event: 'document.updated',
    status: DOCUMENT_STATUS.closed,
    sequence: AFTER_THAT,
  });
}
