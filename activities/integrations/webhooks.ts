/** Delivers events to webhooks, with retries by the webhook's own policy. */
import { cancellationSignal } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { endInWords, failureInWords, waitInWords } from '../../domain/integrations/webhooks/texts.ts';
import { type DeliveryDeps, deliverOnce } from '../../services/integrations/webhooks/deliver.ts';
import type { WebhookDeliveryInput, WebhookDeliveryResult } from '../../workflows/integrations/webhooks/contract.ts';
import { workflowContext } from '../failures.ts';

export interface WebhookActivities {
  deliverWebhook(input: WebhookDeliveryInput): Promise<WebhookDeliveryResult>;
}

export function createWebhookActivities(deps: DeliveryDeps): WebhookActivities {
  return {
    async deliverWebhook(input) {
      const ctx = workflowContext(input.tenantId, deps.now());
      const outcome = await deliverOnce(deps, ctx, input, cancellationSignal());
      if (outcome.kind === 'waits') {
        const { next, retryInSeconds: seconds } = outcome;
        throw failureWithoutStack({
          message: waitInWords(next, { ...outcome, seconds }, deps.now()),
          type: 'webhook_waits',
          nextRetryDelay: Math.max(1, Math.round(seconds * 1000)),
          // Not an error: no warning in the log.
          category: ApplicationFailureCategory.BENIGN,
        });
      }
      if (outcome.kind !== 'failed') return { outcome: outcome.kind, attempt: outcome.attempt };
      const { made, reason, retryInSeconds } = outcome;
      if (retryInSeconds === null) {
        const log = `/api/webhooks/${input.webhookId}/logs?event_id=${input.eventId}`;
        const message = `${endInWords(made, reason)}. See GET ${log}`;
        throw failureWithoutStack({ message, type: 'webhook_given_up', nonRetryable: true });
      }
      throw failureWithoutStack({
        message: failureInWords(made, reason, retryInSeconds, deps.now()),
        type: 'webhook_attempt_failed',
        // Zero would mean "as in the retry policy".
        nextRetryDelay: Math.max(1, retryInSeconds * 1000),
      });
    },
  };
}

/** Creates a failure without a stack, which would not help operators and clutter the UI. */
function failureWithoutStack(options: Parameters<typeof ApplicationFailure.create>[0]): ApplicationFailure {
  const failure = ApplicationFailure.create(options);
  failure.stack = '';
  return failure;
}
