/** One event to one webhook. The activity decides about each next attempt by the webhook's own retry policy. */
import { ActivityFailure, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { WebhookActivities } from '../../activities/webhooks.ts';
import type { WebhookDeliveryInput, WebhookDeliveryResult } from './contract.ts';

const webhooks = proxyActivities<WebhookActivities>({
  // The exchange takes at most 15 s, the rest is the log.
  startToCloseTimeout: '25 seconds',
  // Only for failures of our own (database down, worker killed): a receiver's answer brings its own delay.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export async function webhookDelivery(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult> {
  try {
    return await webhooks.deliverWebhook.executeWithOptions({ summary: 'Send the event' }, [input]);
  } catch (error) {
    throw error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
  }
}
