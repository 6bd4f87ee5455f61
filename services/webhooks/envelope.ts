/** What is delivered: an event as the outbox holds it, and the bytes that are made of it. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { eventFor, type Listener, nameFor } from '../../domain/webhooks/forms.ts';

/** An event as the outbox holds it. */
export interface StoredEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly createdAt: string;
  readonly documentId: string | null;
  /** It never happened: a sample that somebody has sent to see what comes. */
  readonly test: boolean;
  /** The webhook that a notification is about. */
  readonly aboutWebhookId: string | null;
  /** The data as JSON text, exactly as it was written. */
  readonly payload: string;
  /** For webhooks of the second form: the envelope holds event, timestamp and data only. */
  readonly short?: boolean;
}

/** @returns undefined when there is no such event */
export async function storedEvent(db: Db, eventId: string): Promise<StoredEvent | undefined> {
  const [event] = await query<StoredEvent>(
    db,
    `select o.id, o.tenant_id as "tenantId", o.event, o.created_at as "createdAt", o.payload ->> 'document_id' as "documentId", o.test,
       o.payload::text as payload, n.metadata ->> 'webhook_id' as "aboutWebhookId"
     from outbox o
     left join notifications n on o.event = 'notification.created' and n.tenant_id = o.tenant_id and n.id = o.entity_id
     where o.id = :eventId::uuid`,
    { eventId },
  );
  return event;
}

/** The event under the name and with the data that a webhook hears of it by. */
export function heardBy(listener: Listener, event: StoredEvent): StoredEvent {
  const short = listener.form === 'event';
  if (nameFor(listener, event.event) === event.event) return { ...event, short };
  const told = eventFor(listener, { event: event.event, data: JSON.parse(event.payload) as unknown });
  return { ...event, event: told.event, payload: JSON.stringify(told.data), short };
}

/** The envelope: the same bytes for every attempt, since it holds only what never changes. */
export function envelope(event: StoredEvent): string {
  const { id, event: name, createdAt, tenantId, test, short = false } = event;
  const said = {
    event: name,
    timestamp: createdAt,
    ...(short ? {} : { tenant_id: tenantId }),
    ...(test ? { test } : {}),
  };
  const head = short ? said : { id, ...said };
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.payload}}`;
}
