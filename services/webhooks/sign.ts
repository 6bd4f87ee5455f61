/** The headers that prove who sent a delivery (specification, section Signing). */
import { createHmac } from 'node:crypto';
import type { StoredEvent } from './envelope.ts';

const STANDARD_PREFIX = 'whsec_';

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
