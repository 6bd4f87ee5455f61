/** Contract for webhook deliveries between API, relay and workers: constants, types and start options only. */
import { defineSignal } from '@temporalio/workflow';
import { taskPriority, type Work } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

/** Task queue of outgoing HTTP: many slots, since most of the time is spent waiting for receivers. */
export const WEBHOOKS_QUEUE = 'webhooks';
export const WEBHOOK_DELIVERY = 'webhookDelivery';

/** A request to deliver an event once more. */
export interface Redelivery {
  /** Id of the request; repeating it changes nothing. */
  readonly id: string;
  /** Deliver it even if it was delivered before; otherwise only if it was missed. */
  readonly again: boolean;
}

/** Makes a delivery that waits for its next attempt try at once, and restarts its retry policy. */
export const redeliver = defineSignal<[Redelivery]>('redeliver');

/** Ids only: the histories never hold data or secrets. */
export interface WebhookDeliveryInput {
  readonly tenantId: string;
  readonly webhookId: string;
  readonly eventId: string;
  /** Absent for the delivery that the event itself started. */
  readonly redelivery?: Redelivery;
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

/** Description of a delivery for operators. */
export interface DeliveryAbout {
  /** Name of the delivery, for operators; null for a general one. */
  readonly title: string | null;
  readonly documentCode?: string | null;
  readonly entityType?: string;
  readonly entityId?: string;
}

/** Start options of the first delivery of an event, which happens once. */
export function deliveryStart(
  input: WebhookDeliveryInput,
  about: DeliveryAbout,
  work: Extract<Work, 'webhookDelivery' | 'webhookTest' | 'recoveredDelivery'>,
) {
  return { ...start(input, about, work), workflowIdReusePolicy: 'REJECT_DUPLICATE' as const };
}

/** Start options of a redelivery; a running delivery gets the signal `redeliver` instead. */
export function redeliveryStart(
  input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
  about: DeliveryAbout,
) {
  const work = input.redelivery.again ? 'redelivery' : 'recoveredDelivery';
  return { ...start(input, about, work), workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const };
}

function start(input: WebhookDeliveryInput, about: DeliveryAbout, work: Work) {
  const { tenantId, webhookId, eventId } = input;
  const { title, documentCode, entityType, entityId } = about;
  return {
    workflow: WEBHOOK_DELIVERY,
    workflowId: webhookDeliveryId(tenantId, webhookId, eventId),
    taskQueue: WEBHOOKS_QUEUE,
    args: [input] as [WebhookDeliveryInput],
    typedSearchAttributes: searchAttributes({ tenantId, entityType, entityId, documentCode, ruleId: webhookId }),
    priority: taskPriority(work, tenantId),
    staticSummary: title ?? `Delivery to webhook ${webhookId}`,
    staticDetails: `All attempts: \`GET /api/webhooks/${webhookId}/logs?event_id=${eventId}\``,
  };
}
