/** Contract for pushes between relay and workers: constants, types and start options only. */

import { WEBHOOKS_QUEUE } from '../../integrations/webhooks/contract.ts';
import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

export const PUSH_DELIVERY = 'pushDelivery';

/** Ids only: the text is in the database. */
export interface PushInput {
  readonly tenantId: string;
  readonly notificationId: string;
}

/** Numbers of browsers that were reached, were unsubscribed, and were not reached. */
export interface PushResult {
  readonly sent: number;
  readonly gone: number;
  readonly failed: number;
}

export function pushDeliveryId({ tenantId, notificationId }: PushInput): string {
  return `${tenantId}/push/${notificationId}`;
}

/** Start options of a push. It shares the queue of webhooks, which also call other servers. */
export function pushStart(input: PushInput) {
  const { tenantId, notificationId } = input;
  return {
    workflow: PUSH_DELIVERY,
    workflowId: pushDeliveryId(input),
    taskQueue: WEBHOOKS_QUEUE,
    args: [input] as [PushInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Notification', entityId: notificationId }),
    priority: taskPriority('push', tenantId),
    staticSummary: `Push of notification ${notificationId}`,
  };
}
