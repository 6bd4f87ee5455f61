/** What relay and workers must agree on about webhook deliveries. Only constants and types. */

/** Task queue of outgoing HTTP: many slots, since most of the time is waiting for others. */
export const WEBHOOKS_QUEUE = 'webhooks';
export const WEBHOOK_DELIVERY = 'webhookDelivery';

/** Ids only: the histories never hold data or secrets. */
export interface WebhookDeliveryInput {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
}

export interface WebhookDeliveryResult {
  readonly outcome: 'delivered' | 'skipped' | 'gone';
  /** Number of the attempt that succeeded; 0 when none was made. */
  readonly attempt: number;
}

/** One event to one webhook: `<tenant>/webhook/<webhook>/<event>`. */
export function webhookDeliveryId(tenantId: string, webhookId: string, eventId: string): string {
  return `${tenantId}/webhook/${webhookId}/${eventId}`;
}
