/** One event to one webhook. The activity decides about each next attempt by the webhook's own retry policy. */
import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks.ts';
import { REDELIVER, type Redelivery, type WebhookDeliveryInput, type WebhookDeliveryResult } from './contract.ts';

const webhooks = proxyActivities<WebhookActivities>({
  // The exchange takes at most 15 s, the rest is the log.
  startToCloseTimeout: '25 seconds',
  // Only for failures of our own (database down, worker killed): a receiver's answer brings its own delay.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // What is being sent is not cut off; what waits for its next attempt ends at once.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

const redeliver = defineSignal<[Redelivery]>(REDELIVER);

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  let current = input;
  let asked: Redelivery | null = null;
  let attempts: CancellationScope | null = null;
  setHandler(redeliver, (redelivery) => {
    // The request that started this delivery comes as a signal too.
    if (redelivery.id === current.redelivery?.id) return;
    asked = redelivery;
    attempts?.cancel();
  });
  for (;;) {
    attempts = new CancellationScope();
    try {
      return await attempts.run(() =>
        webhooks.deliverWebhook.executeWithOptions({ summary: 'Send the event' }, [current]),
      );
    } catch (error) {
      if (asked === null) throw reasonOf(error);
      current = { ...input, redelivery: asked };
      asked = null;
    }
  }
}

function reasonOf(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}
