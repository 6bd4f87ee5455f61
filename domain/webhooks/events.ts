/** The events that webhooks can subscribe to (specification, section Events). */

export const WEBHOOK_EVENTS = [
  'document.created',
  'document.updated',
  'document.deleted',
  'document.sent',
  'document.locked',
  'document.cancelled',
  'payment.received',
  'payment.made',
  'stock.movement',
  'stock.low',
  'user.created',
  'user.deleted',
  'automation.triggered',
  'notification.created',
  'plugin.installed',
  'plugin.error',
] as const;

/** Every event. */
export const ALL_EVENTS = '*';

/** Whether a subscription names a known event, a known group (`document.*`) or all (`*`). */
export function isSubscription(text: string): boolean {
  if (text === ALL_EVENTS) return true;
  if (!text.endsWith('.*')) return (WEBHOOK_EVENTS as readonly string[]).includes(text);
  const group = text.slice(0, -1);
  return group.length > 1 && WEBHOOK_EVENTS.some((event) => event.startsWith(group));
}
