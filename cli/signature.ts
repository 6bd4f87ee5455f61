/** The signature of webhooks, for those that the command line sends. */
import { createHmac } from 'node:crypto';

/** Headers with which the service signs a webhook (docs/webhooks.md). */
export function signature(secret: string, id: string, body: string, now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const hmac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  // Standard Webhooks, with which many receivers check.
  const key = Buffer.from(secret.replace(/^whsec_/, ''), secret.startsWith('whsec_') ? 'base64' : 'utf8');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': `sha256=${hmac}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  };
}
