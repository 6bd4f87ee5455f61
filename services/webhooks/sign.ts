/** What is sent: the envelope's bytes, and the headers that prove who sent them (specification, section Signing). */
import { createHmac } from 'node:crypto';

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

const STANDARD_PREFIX = 'whsec_';

/** The envelope: the same bytes for every attempt, since it holds only what never changes. */
export function envelope(event: StoredEvent): string {
  const head = { id: event.id, event: event.event, timestamp: event.createdAt, tenant_id: event.tenantId };
  return `${JSON.stringify(head).slice(0, -1)},"data":${event.payload}}`;
}

/** `sha256=<hex>` of `<timestamp>.<raw>`. */
export function serviceSignature(secret: string, timestamp: number, raw: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${timestamp}.${raw}`).digest('hex')}`;
}

/** Standard Webhooks: `v1,<base64>` of `<id>.<timestamp>.<raw>`; the key is the base64 after `whsec_`, else the secret's bytes. */
export function standardSignature(secret: string, id: string, timestamp: number, raw: string): string {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64')
    : Buffer.from(secret);
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${raw}`).digest('base64')}`;
}

/**
 * Headers of one attempt.
 * @param timestamp seconds since 1970, of this attempt
 */
export function deliveryHeaders(event: StoredEvent, raw: string, secret: string | null, timestamp: number) {
  return {
    'x-service-event': event.event,
    'x-service-timestamp': String(timestamp),
    'webhook-id': event.id,
    'webhook-timestamp': String(timestamp),
    ...(secret === null
      ? {}
      : {
          'x-service-signature': serviceSignature(secret, timestamp, raw),
          'webhook-signature': standardSignature(secret, event.id, timestamp, raw),
        }),
  };
}
