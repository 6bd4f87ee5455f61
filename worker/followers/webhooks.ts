/** Webhooks: a delivery for each active one that wants an event. What is not delivered to the others is logged. */
import pMap from 'p-map';
import { deliveryTitle } from '../../domain/integrations/webhooks/texts.ts';
import { logUnsent, skippedAttempt, unfilteredAttempt } from '../../services/integrations/webhooks/attempts.ts';
import { alertFilterErrors } from '../../services/integrations/webhooks/daily-alerts.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import { type InterestedWebhook, interestedWebhooks, wanting } from '../../services/platform/outbox/interest.ts';
import { startOnce } from '../../services/platform/temporal/start.ts';
import { deliveryStart, type WebhookDeliveryInput } from '../../workflows/integrations/webhooks/contract.ts';
import { type Followed, type Follower, type FollowerDeps, inTime } from './follower.ts';

/** Deliveries of one event started concurrently: enough to keep the server busy, few enough that other events get in between. */
const STARTS = 24;

type Interested = readonly InterestedWebhook[];

export const webhooks: Follower<Interested> = {
  look: interestedWebhooks,

  starts: ({ found }) => wanting(found).length,

  async handOver(deps, { event, found }) {
    await pMap(wanting(found), (webhook) => inTime(deps.client, () => startDelivery(deps, event, webhook)), {
      concurrency: STARTS,
    });
  },

  // While the lease is held, since they may be very many; repeating it changes nothing.
  async forCompany({ database, now }, _, followed) {
    const unsent = followed.flatMap((one) => unsentAttempts(one, now()));
    if (unsent.length === 0) return;
    await database.withSystem((trx) => logUnsent(trx, unsent));
    await alertFilterErrors(database, unsent, now());
  },
};

async function startDelivery(
  { client, deliveryDelay }: FollowerDeps,
  event: ClaimedEvent,
  webhook: InterestedWebhook,
): Promise<void> {
  const { tenantId, entityType, entityId, documentCode } = event;
  const input: WebhookDeliveryInput = { tenantId, webhookId: webhook.webhookId, eventId: event.id };
  const title = deliveryTitle(webhook.event, documentCode, webhook.name);
  const start = deliveryStart(input, { title, documentCode, entityType, entityId }, 'webhookDelivery');
  const seconds = deliveryDelay?.(webhook.webhookId, event.id) ?? 0;
  await startOnce(client, seconds === 0 ? start : { ...start, startDelay: Math.ceil(seconds * 1000) });
}

/** Attempts for webhooks that are inactive, and for those whose filters failed. */
function unsentAttempts({ event, found }: Followed<Interested>, now: Date) {
  return found.flatMap(({ webhookId, active, event: name, filterError }) => {
    if (filterError !== null) return unfilteredAttempt({ ...event, event: name }, webhookId, filterError, now);
    return active ? [] : skippedAttempt({ ...event, event: name }, webhookId, now);
  });
}
