/** Starts and signals the lifecycles of documents in Temporal, and restarts missing ones. */

import pMap from 'p-map';
import type { Database } from '../db/database.ts';
import { DOCUMENT_PAID } from '../domain/platform/internal-events.ts';
import { isFinished } from '../domain/trade/documents/transitions.ts';
import {
  DOC_TYPES,
  DOCUMENT_STATUS,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
} from '../domain/trade/documents/types.ts';
import type { ExpectedWork } from '../services/operation/missing-work/work.ts';
import type { ClaimedEvent } from '../services/platform/outbox/claim.ts';
import type { ServiceClient } from '../services/platform/temporal/client.ts';
import { signalWithStart, startOnce, unlessEnded, type WorkflowStart } from '../services/platform/temporal/start.ts';
import { type OpenDocument, readCurrentDocuments } from '../services/trade/documents/open-documents.ts';
import {
  type DocumentChange,
  documentChanged,
  documentLifecycleId,
  lifecycleStart,
} from '../workflows/trade/documents/contract.ts';
import type { Follower } from './followers/follower.ts';

/** Concurrent calls. */
const PARALLEL = 10;
/** Sequences between zero and the first event of the outbox, so that every event is newer. */
const BEFORE_ALL_EVENTS = 0.25;
const BEFORE_EVENTS_BUT_LATER = 0.5;
/** A sequence that no event of the outbox reaches. */
export const AFTER_ALL_EVENTS = Number.MAX_SAFE_INTEGER;

/** Signals a change to the document's lifecycle, and starts it if necessary; the last change is signalled only to a running one. */
export const tellLifecycle: Follower = {
  reads: ['status', 'partner_id'],
  follows: (event) => eventDocumentType(event) !== undefined && event.data.status != null,
  newestOnly: true,

  handOver: ({ client }, { event }, merged) => tell(client, event, merged),
};

async function tell(client: ServiceClient, event: ClaimedEvent, merged: readonly ClaimedEvent[]): Promise<void> {
  const { tenantId, entityId: documentId, documentCode: code, lockDueAt, expiresAt, data } = event;
  const status = data.status as DocumentStatus;
  const change = { eventId: event.id, event: event.event, status, sequence: event.seq, code, lockDueAt, expiresAt };
  // The lifecycle may already have ended, for example by the operator's own update.
  if (event.event === 'document.deleted' || isFinished(status, { lockDueAt })) {
    return await signalRunningLifecycle(client, { tenantId, documentId }, change);
  }
  const document = {
    tenantId,
    documentId,
    docType: eventDocumentType(event) as DocType,
    partnerId: data.partner_id ?? null,
  };
  const start = lifecycleStart(document, change);
  const isNew = [event, ...merged].some((one) => one.event === 'document.created');
  // A start alone is cheaper, and it already knows the change.
  if (isNew && (await startOnce(client, start))) return;
  await signalWithStart(client, start, documentChanged, change);
}

function eventDocumentType(event: ClaimedEvent): DocType | undefined {
  // A paid document has also changed, and that event is signalled.
  if (!event.event.startsWith('document.') || event.event === DOCUMENT_PAID) return undefined;
  return DOC_TYPES.find((code) => DOCUMENT_TYPES[code].entityType === event.entityType);
}

/** Signals the last change of a document to its lifecycle, unless that has ended. */
async function signalRunningLifecycle(
  client: ServiceClient,
  { tenantId, documentId }: Pick<OpenDocument, 'tenantId' | 'documentId'>,
  change: DocumentChange,
): Promise<void> {
  await unlessEnded(() =>
    client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).signal(documentChanged, change),
  );
}

/** Start of the lifecycle of a document that has none. */
export function missingLifecycle(document: OpenDocument): WorkflowStart {
  const { documentId, status, code, lockDueAt, expiresAt } = document;
  return lifecycleStart(document, {
    eventId: `comparison/${documentId}`,
    event: 'document.updated',
    status,
    sequence: BEFORE_ALL_EVENTS,
    code,
    lockDueAt,
    expiresAt,
  });
}

/** Ends lifecycles just started for documents that were closed or deleted meanwhile, whose last change found no workflow to signal. */
export async function endClosedLifecycles(
  database: Database,
  client: ServiceClient,
  started: readonly ExpectedWork[],
): Promise<void> {
  const documents = started.filter((due) => due.kind === 'lifecycles');
  if (documents.length === 0) return;
  const { missing, finished } = await withoutOpenDocument(database, documents);
  await pMap([...missing, ...finished], (document) => endLifecycle(client, document), { concurrency: PARALLEL });
}

/** Finds the lifecycles whose documents are not there, and those whose documents are finished. */
export async function withoutOpenDocument<L extends { readonly documentId: string }>(
  database: Database,
  lifecycles: readonly L[],
): Promise<{ readonly missing: readonly L[]; readonly finished: readonly L[] }> {
  const ids = lifecycles.map(({ documentId }) => documentId);
  const now = new Map((await readCurrentDocuments(database, ids)).map((one) => [one.documentId, one]));
  return {
    missing: lifecycles.filter(({ documentId }) => !now.has(documentId)),
    finished: lifecycles.filter(({ documentId }) => {
      const document = now.get(documentId);
      return document !== undefined && isFinished(document.status, document);
    }),
  };
}

/**
 * Signals that the document is no longer open.
 * @param sequence by default one that only ends lifecycles that have seen no event
 */
export async function endLifecycle(
  client: ServiceClient,
  document: Pick<OpenDocument, 'tenantId' | 'documentId'>,
  sequence = BEFORE_EVENTS_BUT_LATER,
): Promise<void> {
  await signalRunningLifecycle(client, document, {
    eventId: `comparison-over/${document.documentId}`,
    event: 'document.updated',
    status: DOCUMENT_STATUS.closed,
    sequence,
    code: null,
    lockDueAt: null,
    expiresAt: null,
  });
}
