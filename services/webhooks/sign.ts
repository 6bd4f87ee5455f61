/** The headers that prove who sent a delivery (specification, section Signing). */
import { createHmac } from 'node:crypto';
import type { StoredEvent } from './envelope.ts';

/** How secrets of Standard Webhooks begin; base64 follows. */
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
 * Headers of one attempt; with several secrets, one signature of each.
 * @param secrets the newest first; none for a webhook that is not signed
 * @param timestamp seconds since 1970, of this attempt
 */
export function deliveryHeaders(event: StoredEvent, raw: string, secrets: readonly string[], timestamp: number) {
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
