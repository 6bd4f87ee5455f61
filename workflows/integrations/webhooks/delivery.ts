/** Delivers one event to one webhook. The activity schedules each next attempt by the webhook's retry policy. */
import { ActivityCancellationType, CancellationScope, proxyActivities, setHandler } from '@temporalio/workflow';
import type { WebhookActivities } from '../../../activities/integrations/webhooks.ts';
import { shown } from '../../details.ts';
import { type Redelivery, redeliver, type WebhookDeliveryInput, type WebhookDeliveryResult } from './contract.ts';

const webhooks = proxyActivities<WebhookActivities>({
  // The request takes at most 15 s; the rest is for writing the log.
  startToCloseTimeout: '25 seconds',
  // Only for the service's own failures (database down, worker killed): after a receiver's failure the activity sets the delay.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  // A request being sent is not aborted; a delivery that waits for its next attempt ends at once.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Shown in the UI next to Temporal's own count, in which each check of a busy endpoint is an attempt. */
const SUMMARY = 'Send the event; Pending Activities shows the attempt';

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  return shown(deliveryTexts(input), () => deliver(input));
}

async function deliver(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  let current = input;
  let requested: Redelivery | null = null;
  let attempts: CancellationScope | null = null;
  setHandler(redeliver, (redelivery) => {
    // The redelivery that started this workflow also arrives as a signal.
    if (redelivery.id === current.redelivery?.id) return;
    requested = redelivery;
    attempts?.cancel();
  });
  const takeRequest = (): Redelivery | null => {
    const taken = requested;
    requested = null;
    return taken;
  };
  for (;;) {
    attempts = new CancellationScope();
    let result: WebhookDeliveryResult | null = null;
    let failure: unknown;
    try {
      result = await attempts.run(() => webhooks.deliverWebhook.executeWithOptions({ summary: SUMMARY }, [current]));
    } catch (error) {
      failure = error;
    }
    const next = takeRequest();
    // What has arrived meanwhile is sent once more only to those who asked for that.
    if (result !== null && next?.again !== true) return result;
    if (next === null) throw failure;
    current = { ...input, redelivery: next };
  }
}

function deliveryTexts({ webhookId }: WebhookDeliveryInput) {
  return {
    what: 'Delivery of an event to a webhook',
    begun: 'Pending Activities › Last Failure shows the attempt; Reset there retries now',
    done: ({ outcome, attempt }: WebhookDeliveryResult) => OUTCOMES[outcome].replace('{}', String(attempt)),
    outcome: ({ outcome }: WebhookDeliveryResult) => (outcome === 'delivered' ? null : ('skipped' as const)),
    failed: 'It can be redelivered through the API, see below',
    cancelled: 'It will not be sent. It can be redelivered through the API, see below',
    more: [
      `Redeliver it: \`POST /api/webhooks/${webhookId}/logs/<entry>/redeliver\`; redeliver everything missed: \`POST ` +
        `/api/webhooks/${webhookId}/recover\``,
      '“Request Cancellation” gives up this delivery',
      "Temporal's own count of attempts is higher if the delivery had to wait for a busy endpoint: waiting uses no attempt",
    ],
  };
}

const OUTCOMES: Readonly<Record<WebhookDeliveryResult['outcome'], string>> = {
  delivered: 'Accepted by the receiver at attempt {} of the log',
  skipped: 'Not sent: the webhook is inactive. Missed events can be recovered',
  gone: 'Not sent: the webhook or the event was deleted',
};
