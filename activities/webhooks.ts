/** Webhook deliveries: one activity, whose retries wait as the webhook's own policy says. */
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { type DeliveryDeps, deliverOnce } from '../services/webhooks/deliver.ts';
import type { WebhookDeliveryInput, WebhookDeliveryResult } from '../workflows/webhooks/contract.ts';
import { workflowContext } from './failures.ts';

export interface WebhookActivities {
  deliverWebhook(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult>;
}

export function createWebhookActivities(deps: DeliveryDeps): WebhookActivities {
  return {
    async deliverWebhook(input) {
      const ctx = workflowContext(input.tenantId, deps.now());
      const outcome = await deliverOnce(deps, ctx, input, cancellationSignal());
      if (outcome.kind === 'waits') {
        throw ApplicationFailure.create({
          message: `Waiting, no attempt is spent: ${outcome.reason}. Looked at again in ${Math.ceil(outcome.retryInSeconds)} s`,
          type: 'webhook_waits',
          nextRetryDelay: Math.max(1, Math.round(outcome.retryInSeconds * 1000)),
        });
      }
      if (outcome.kind !== 'failed') return { outcome: outcome.kind, attempt: outcome.attempt };
      const { attempt, reason, retryInSeconds } = outcome;
      if (retryInSeconds === null) {
        throw ApplicationFailure.nonRetryable(
          `Given up after attempt ${attempt}: ${reason}. See GET /api/webhooks/${input.webhookId}/logs`,
          'webhook_given_up',
        );
      }
      throw ApplicationFailure.create({
        message: `Attempt ${attempt} failed: ${reason}. The next one follows in ${retryInSeconds} s`,
        type: 'webhook_attempt_failed',
        // Zero would mean "as the retry policy says".
        nextRetryDelay: Math.max(1, retryInSeconds * 1000),
      });
    },
  };
}
