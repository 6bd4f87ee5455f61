/** Builds deliveries: an event as stored in the outbox, its bytes, and the signature headers. */
import { createHmac } from 'node:crypto';
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { eventFor, type Listener, nameFor } from '../../../domain/integrations/webhooks/forms.ts';

/** An event as stored in the outbox. */
export interface StoredEvent {
  readonly id: string;
  readonly tenantId: string;
  readonly event: string;
  readonly createdAt: string;
  readonly documentId: string | null;
  /** Whether it is a sample for a test, which never happened. */
  readonly test: boolean;
  /** The webhook that a notification is about. */
  readonly aboutWebhookId: string | null;
  /** The data as JSON text, exactly as it was written. */
  readonly payload: string;
  /** For webhooks of the second form: the envelope holds event, timestamp and data only. */
  readonly short?: boolean;
}

/** Loads an event. @returns undefined if there is none */
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

/** The event with the name and data that a webhook gets. */
export function heardBy(listener: Listener, event: StoredEvent): StoredEvent {
  const short = listener.form === 'event';
  if (nameFor(listener, event.event) === event.event) return { ...event, short };
  const renamed = eventFor(listener, { event: event.event, data: JSON.parse(event.payload) as unknown });
  return { ...event, event: renamed.event, payload: JSON.stringify(renamed.data), short };
}

/** The envelope: the same bytes for every attempt, since it contains only what never changes. */
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

/** Prefix of Standard Webhooks secrets; base64 follows. */
export const STANDARD_PREFIX = 'whsec_';

/** `sha256=<hex>` of `<timestamp>.<raw>`. */
export function serviceSignature(secret: string, timestamp: number, raw: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`;
}

const BASE64 = /^(?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Standard Webhooks: `v1,<base64>` of `<id>.<timestamp>.<raw>`; the key is the base64 after `whsec_`, else the secret's bytes. */
export function standardSignature(secret: string, id: string, timestamp: number, raw: string): string {
  const encoded = secret.startsWith(STANDARD_PREFIX) ? secret.slice(STANDARD_PREFIX.length) : '';
  const key = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${raw}`).digest('base64')}`;
}

/**
 * Headers of one attempt; with several secrets, one signature each.
 * @param secrets newest first; none for an unsigned webhook
 * @param timestamp Unix seconds of this attempt
 */
export function deliveryHeaders(
  event: Pick<StoredEvent, 'id' | 'event'>,
  raw: string,
  secrets: readonly string[],
  timestamp: number,
) {
  return {
    'x-service-event': event.event,
    'x-service-timestamp': String(timestamp),
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    ...(secrets.length === 0
      ? {}
      : {
          'x-service-signature': secrets.map((secret) => serviceSignature(secret, timestamp, raw)).join(','),
          'webhook-signature': secrets.map((secret) => standardSignature(secret, event.id, timestamp, raw)).join(' '),
        }),
  };
}
