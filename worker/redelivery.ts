/** How an event is delivered once more: by the delivery that is under way, else by a new one of the same id. */
import { type Client, WorkflowIdReusePolicy } from '@temporalio/client';
import {
  type DeliveryAbout,
  deliveryStart,
  type Redelivery,
  redeliver,
  WEBHOOK_DELIVERY,
  type WebhookDeliveryInput,
} from '../workflows/webhooks/contract.ts';

/**
 * One id for all deliveries of an event to a webhook, so that two are never under way at once: one that waits for its next
 * attempt makes it now, one that is being sent just ends. May be repeated.
 */
export async function startRedelivery(
  client: Client,
  input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
  about: DeliveryAbout,
): Promise<void> {
  await client.workflow.signalWithStart(WEBHOOK_DELIVERY, {
    ...deliveryStart(input, about, input.redelivery.again ? 'redelivery' : 'recoveredDelivery'),
    signal: redeliver,
    signalArgs: [input.redelivery],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
  });
}
