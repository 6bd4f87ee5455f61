/** The demo's own webhook: registered for the run and switched off at its end; its log stays. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, ApiProblem } from './api-client.ts';
import { WebhookReceiver } from './receiver.ts';
import { DemoError } from './session.ts';

const NAME = 'Demo receiver';

export interface DemoWebhook {
  readonly id: string;
  readonly receiver: WebhookReceiver;
  /** Waits for the event of each document. @returns the documents whose event did not arrive in time */
  waitFor(event: string, documentIds: readonly string[], timeoutMs: number): Promise<string[]>;
  close(): Promise<void>;
}

/**
 * Starts a receiver on this machine and has the events delivered to it; receivers of earlier runs are removed.
 * @param port of the receiver; 0 = a free one
 * @throws DemoError when the port is taken, or closed to the service
 */
export async function openWebhook(client: ApiClient, events: readonly string[], port: number): Promise<DemoWebhook> {
  for (const old of await client.all<{ id: string; name: string }>('/api/webhooks')) {
    if (old.name === NAME) await client.delete(`/api/webhooks/${old.id}`);
  }
  const receiver = await WebhookReceiver.start(port).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE'
      ? new DemoError(`Port ${port} is taken: give the demo another with --receiver-port, and the service with it`)
      : error;
  });
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  receiver.expectSecret(secret);
  try {
    const body = { name: NAME, url: receiver.url, method: 'POST', events, secret };
    const { id } = await client.create<{ id: string }>('/api/webhooks', body);
    return {
      id,
      receiver,
      waitFor: (event, documentIds, timeoutMs) => waitFor(receiver, event, documentIds, timeoutMs),
      async close() {
        await client.patch(`/api/webhooks/${id}`, { status: 'inactive' });
        await receiver.stop();
      },
    };
  } catch (error) {
    await receiver.stop();
    // All but the address is as the service wants it.
    if (!(error instanceof ApiProblem) || error.code !== 'validation_failed') throw error;
    const { host } = new URL(receiver.url);
    throw new DemoError(
      `The service may not call the demo's receiver: start it with OUTBOUND_ALLOWED_TARGETS=${host}, or run the demo with --no-webhook`,
    );
  }
}

async function waitFor(
  receiver: WebhookReceiver,
  event: string,
  documentIds: readonly string[],
  timeoutMs: number,
): Promise<string[]> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const seen = new Set(
      receiver.deliveries.filter((delivery) => delivery.event === event).map(({ data }) => data.document_id),
    );
    const missing = documentIds.filter((id) => !seen.has(id));
    if (missing.length === 0 || Date.now() > deadline) return missing;
    await sleep(100);
  }
}
