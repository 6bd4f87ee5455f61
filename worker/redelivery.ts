/** Redelivers an event by the running delivery, or else by a new one with the same id. */
import type { ServiceClient } from '../services/platform/temporal/client.ts';
import { signalWithStart } from '../services/platform/temporal/start.ts';
import {
  type DeliveryAbout,
  type Redelivery,
  redeliver,
  redeliveryStart,
  type WebhookDeliveryInput,
} from '../workflows/integrations/webhooks/contract.ts';

/**
 * Starts a redelivery; may be repeated. All deliveries of an event to a webhook have the same id, so that two never run at once: a delivery
 * waiting for its next attempt makes it now, one that is being sent is sent once more if that was asked for.
 */
export async function startRedelivery(
  client: ServiceClient,
  input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
  about: DeliveryAbout,
): Promise<void> {
  await signalWithStart(client, redeliveryStart(input, about), redeliver, input.redelivery);
}
