/** Redelivers an event: by the delivery under way, else by a new one with the same id. */
import type { Client } from '@temporalio/client';
import { signalWithStart } from '../services/platform/temporal/start.ts';
import {
  type DeliveryAbout,
  type Redelivery,
  redeliver,
  redeliveryStart,
  type WebhookDeliveryInput,
} from '../workflows/integrations/webhooks/contract.ts';

/**
 * All deliveries of an event to a webhook have one id, so that two are never under way at once: one waiting for its next attempt makes it
 * now, one being sent just ends. Repeatable.
 */
export async function startRedelivery(
  client: Client,
  input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
  about: DeliveryAbout,
): Promise<void> {
  await signalWithStart(client, redeliveryStart(input, about), redeliver, input.redelivery);
}
