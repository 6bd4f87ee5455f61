/** The lifecycle of a document hears of each of its changes. */
import { isFinal } from '../../domain/documents/transitions.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType, type DocumentStatus } from '../../domain/documents/types.ts';
import { DOCUMENT_PAID } from '../../domain/internal-events.ts';
import type { ClaimedEvent } from '../../services/outbox/claim.ts';
import {
  DOCUMENT_LIFECYCLE,
  type DocumentChange,
  documentChanged,
  documentLifecycleId,
  lifecycleStart,
} from '../../workflows/documents/contract.ts';
import { type Reaction, unlessEnded } from './reaction.ts';

/** A change starts the lifecycle where it does not run; the last one is told to what runs only. */
export const tellLifecycle: Reaction = {
  follows: (event) => documentTypeOf(event) !== undefined && event.status !== null,

  async react(client, event) {
    const { tenantId, entityId: documentId, documentCode: code, partnerId } = event;
    const status = event.status as DocumentStatus;
    const change: DocumentChange = { eventId: event.id, event: event.event, status, sequence: event.seq, code };
    if (event.event === 'document.deleted' || isFinal(status)) {
      // It ended before this event, for example by the operator's own update: nobody wants it any more.
      return await unlessEnded(() =>
        client.workflow.getHandle(documentLifecycleId(tenantId, documentId)).signal(documentChanged, change),
      );
    }
    const docType = documentTypeOf(event) as DocType;
    await client.workflow.signalWithStart(DOCUMENT_LIFECYCLE, {
      ...lifecycleStart({ tenantId, documentId, docType, code, status, partnerId }),
      signal: documentChanged,
      signalArgs: [change],
    });
  },
};

function documentTypeOf(event: ClaimedEvent): DocType | undefined {
  // What was paid has changed before, which was told by itself.
  if (!event.event.startsWith('document.') || event.event === DOCUMENT_PAID) return undefined;
  return DOC_TYPES.find((code) => DOCUMENT_TYPES[code].entityType === event.entityType);
}
