/** What is delivered: an event as the outbox holds it, and the bytes that are made of it. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';

/** An event as the outbox holds it. */
export interface StoredEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly createdAt: string;
  readonly documentId: string | null;
  /** The data as JSON text, exactly as it was written. */
  readonly payload: string;
}

/** @returns undefined when there is no such event */
export async function storedEvent(db: Db, eventId: string): Promise<StoredEvent | undefined> {
  const [event] = await query<StoredEvent>(
    db,
    `select id, tenant_id as "tenantId", event, created_at as "createdAt", payload ->> 'document_id' as "documentId",
       payload::text as payload
     from outbox where id = :eventId::uuid`,
    { eventId },
  );
  return event;
}

/** The envelope: the same bytes for every attempt, since it holds only what never changes. */
export function envelope(event: StoredEvent): string {
  const head = { id: event.id, event: event.event, timestamp: event.createdAt, tenant_id: event.tenantId };
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.payload}}`;
}
