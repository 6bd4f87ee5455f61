/** The lifecycle of a document hears of each of its changes. */
import { isFinal } from '../../domain/documents/transitions.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType, type DocumentStatus } from '../../domain/documents/types.ts';
import { DOCUMENT_PAID } from '../../domain/internal-events.ts';
import type { ClaimedEvent } from '../../services/outbox/claim.ts';
import { tellLifecycle, tellRunningLifecycle } from '../lifecycles.ts';
import type { Reaction } from './reaction.ts';

/** A change starts the lifecycle where it does not run; the last one is told to what runs only. */
export const tellOfChange: Reaction = {
  reads: ['status', 'partner_id'],
  follows: (event) => documentTypeOf(event) !== undefined && event.data.status != null,

  async react(client, event) {
    const { tenantId, entityId: documentId, documentCode: code, data } = event;
    const docType = documentTypeOf(event) as DocType;
    const status = data.status as DocumentStatus;
    const change = { eventId: event.id, event: event.event, status, sequence: event.seq, code };
    const document = { tenantId, documentId, docType, code, status, partnerId: data.partner_id ?? null };
    // It may have ended before, for example by the operator's own update.
    const isLast = event.event === 'document.deleted' || isFinal(status);
    await (isLast ? tellRunningLifecycle : tellLifecycle)(client, document, change);
  },
};

function documentTypeOf(event: ClaimedEvent): DocType | undefined {
  // What was paid has changed before, which was told by itself.
  if (!event.event.startsWith('document.') || event.event === DOCUMENT_PAID) return undefined;
  return DOC_TYPES.find((code) => DOCUMENT_TYPES[code].entityType === event.entityType);
}
