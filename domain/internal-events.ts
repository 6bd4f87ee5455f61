/**
 * Events by which services start work in the background. They travel through the outbox as all events do, but are no news:
 * no webhook and no rule ever sees them, whatever it subscribes to.
 */
const PREFIX = 'internal.';

export const TASK_STARTED = `${PREFIX}task_started`;
export const TASK_CANCELLED = `${PREFIX}task_cancelled`;
/** Layers of an item in a warehouse are to be worked out again: item_id, warehouse_id, date. */
export const STOCK_REVALUATION_DUE = `${PREFIX}stock_revaluation_due`;
/** That is done: due, the event that asked for it. Nobody is handed it. */
export const STOCK_REVALUED = `${PREFIX}stock_revalued`;
/** A payment is to be matched with open invoices: payment_id. */
export const RECONCILIATION_DUE = `${PREFIX}reconciliation_due`;
/** An event is to be delivered to a webhook once more: webhook_id; the event is the entity. */
export const REDELIVERY_DUE = `${PREFIX}redelivery_due`;
/** An invitation is to be mailed; it is the entity. */
export const INVITATION_DUE = `${PREFIX}invitation_due`;

/** Nothing of a document is left to pay: for automations. Webhooks hear of it by document.updated. */
export const DOCUMENT_PAID = 'document.paid';

/** Whether webhooks may hear of the event: it is not meant for the service itself alone. */
export function isNews(name: string): boolean {
  return !name.startsWith(PREFIX) && name !== DOCUMENT_PAID;
}
