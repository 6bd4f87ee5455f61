/** How an event is delivered once more: by the delivery that is under way, else by a new one of the same id. */
import type { Client } from '@temporalio/client';
import { signalWithStart } from '../services/temporal/start.ts';
import {
  type DeliveryAbout,
  type Redelivery,
  redeliver,
  redeliveryStart,
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
  await signalWithStart(client, redeliveryStart(input, about), redeliver, input.redelivery);
}
