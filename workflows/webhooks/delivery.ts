/** One event to one webhook. The activity decides about each next attempt by the webhook's own retry policy. */
import { ActivityCancellationType, CancellationScope, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks.ts';
import { shown } from '../details.ts';
import { type Redelivery, redeliver, type WebhookDeliveryInput, type WebhookDeliveryResult } from './contract.ts';

const webhooks = proxyActivities<WebhookActivities>({
  // The exchange takes at most 15 s, the rest is the log.
  startToCloseTimeout: '25 seconds',
  // Only for failures of our own (database down, worker killed): a receiver's answer brings its own delay.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // What is being sent is not cut off; what waits for its next attempt ends at once.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** The UI shows it beside its own count, in which each look at a busy endpoint is an attempt. */
const SUMMARY = 'Send the event; Pending Activities tells which attempt it is';

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  return shown(textsOf(input), () => deliver(input));
}

async function deliver(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
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
      return await attempts.run(() => webhooks.deliverWebhook.executeWithOptions({ summary: SUMMARY }, [current]));
    } catch (error) {
      if (asked === null) throw error;
      current = { ...input, redelivery: asked };
      asked = null;
    }
  }
}

function textsOf({ webhookId }: WebhookDeliveryInput) {
  return {
    what: 'Delivery of an event to a webhook',
    begun: 'Pending Activities › Last Failure tells the attempt; Reset there tries now',
    done: ({ outcome, attempt }: WebhookDeliveryResult) => OUTCOMES[outcome].replace('{}', String(attempt)),
    failed: 'It can be sent once more through the API, see below',
    cancelled: 'Nothing more is sent. It can be sent once more through the API, see below',
    more: [
      `Once more: \`POST /api/webhooks/${webhookId}/logs/<entry>/redeliver\`; all that was missed: \`POST ` +
        `/api/webhooks/${webhookId}/recover\``,
      '“Request Cancellation” gives this delivery up',
      "Temporal's own count of attempts is higher where the delivery has waited for its endpoint: a wait spends none",
    ],
  };
}

const OUTCOMES: Readonly<Record<WebhookDeliveryResult['outcome'], string>> = {
  delivered: 'Taken by the receiver at attempt {} of the log',
  skipped: 'Not sent: the webhook is inactive. What it misses can be recovered',
  gone: 'Not sent: the webhook or the event was deleted',
};
