/** The contract of pushes between relay and workers. Constants, types and start options only. */
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';
import { WEBHOOKS_QUEUE } from '../webhooks/contract.ts';

export const PUSH_DELIVERY = 'pushDelivery';

/** Ids only: what it says is in the database. */
export interface PushInput {
  readonly tenantId: string;
  readonly notificationId: string;
}

/** At how many browsers it arrived, how many were unsubscribed, and at how many it did not arrive. */
export interface PushResult {
  readonly sent: number;
  readonly gone: number;
  readonly failed: number;
}

export function pushDeliveryId({ tenantId, notificationId }: PushInput): string {
  return `${tenantId}/push/${notificationId}`;
}

/** Start options. Push services are other servers, as endpoints of webhooks are. */
export function pushStart(input: PushInput) {
  const { tenantId, notificationId } = input;
  return {
    workflow: PUSH_DELIVERY,
    workflowId: pushDeliveryId(input),
    taskQueue: WEBHOOKS_QUEUE,
    args: [input] as [PushInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Notification', entityId: notificationId }),
    priority: priorityOf('push', tenantId),
    staticSummary: `Push of notification ${notificationId}`,
  };
}
