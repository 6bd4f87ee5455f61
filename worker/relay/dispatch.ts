/** Hands over one event to those who want it. Every call may be repeated: ids and event ids make the repetition a no-op. */
import type { Client } from '@temporalio/client';
import pMap from 'p-map';
import { deliveryTitle } from '../../domain/integrations/webhooks/texts.ts';
import type { ClaimedEvent } from '../../services/platform/outbox/claim.ts';
import type { InterestedWebhook } from '../../services/platform/outbox/interest.ts';
import { startOnce } from '../../services/platform/temporal/start.ts';
import { automationRunStart, type RunToStart } from '../../workflows/integrations/automations/contract.ts';
import { deliveryStart, type WebhookDeliveryInput } from '../../workflows/integrations/webhooks/contract.ts';
import { registerSearchAttributes } from '../connect.ts';
import { type Call, callsFor } from '../reactions/calls.ts';
import { isUnprepared } from './failures.ts';

/** Time limit of one call to Temporal. */
const CALL_MS = 4000;
/** How many deliveries of one event are started at once: enough to keep the server busy, few enough that other events get in between. */
const STARTS = 24;

export class Dispatcher {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Runs the reactions to the event, and starts its deliveries.
   * @param calls the reactions, where earlier or later events of its entity are handed over with it
   * @throws Error when one of the calls fails or takes too long; completed ones are no-ops when repeated
   */
  async dispatch(
    event: ClaimedEvent,
    webhooks: readonly InterestedWebhook[],
    calls: readonly Call[] = callsFor([event]).get(event) ?? [],
  ): Promise<void> {
    try {
      await this.#handOver(event, webhooks, calls);
    } catch (error) {
      // Temporal was lost and starts over: the next try finds it prepared.
      if (isUnprepared(error)) {
        const { connection, options } = this.#client;
        await registerSearchAttributes(connection, options.namespace);
      }
      throw error;
    }
  }

  /** Starts the run of a rule, once. @throws Error when Temporal cannot accept it */
  async startRun(run: RunToStart): Promise<void> {
    await this.#inTime(async () => {
      await startOnce(this.#client, automationRunStart(run));
    });
  }

  async #handOver(event: ClaimedEvent, webhooks: readonly InterestedWebhook[], calls: readonly Call[]): Promise<void> {
    await Promise.all([
      this.#inTime(async () => {
        await Promise.all(calls.map(({ reaction, merged }) => reaction.react(this.#client, event, merged)));
      }),
      pMap(webhooks, (webhook) => this.#inTime(() => this.#startDelivery(event, webhook)), { concurrency: STARTS }),
    ]);
  }

  async #inTime(calls: () => Promise<void>): Promise<void> {
    await this.#client.withDeadline(Date.now() + CALL_MS, calls);
  }

  async #startDelivery(event: ClaimedEvent, webhook: InterestedWebhook): Promise<void> {
    const { tenantId, entityType, entityId, documentCode } = event;
    const input: WebhookDeliveryInput = { tenantId, webhookId: webhook.webhookId, eventId: event.id };
    const title = deliveryTitle(webhook.event, documentCode, webhook.name);
    await startOnce(
      this.#client,
      deliveryStart(input, { title, documentCode, entityType, entityId }, 'webhookDelivery'),
    );
  }
}
