/** Counts of this worker process that have not been reported yet. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Count, CountedName } from '../services/platform/counters/work-counts.ts';
import type { WebhookDeliveryResult } from '../workflows/integrations/webhooks/contract.ts';

export class Counts {
  readonly #values = new Map<string, Count>();

  add(name: CountedName, labels: Readonly<Record<string, string>>, value = 1): void {
    const key = `${name} ${JSON.stringify(labels)}`;
    this.#values.set(key, { name, labels, value: (this.#values.get(key)?.value ?? 0) + value });
  }

  /** Reports and resets all counts; keeps them if reporting fails. */
  async report(send: (counts: readonly Count[]) => Promise<void>): Promise<void> {
    const counts = [...this.#values.values()];
    this.#values.clear();
    if (counts.length === 0) return;
    try {
      await send(counts);
    } catch (error) {
      for (const { name, labels, value } of counts) this.add(name, labels, value);
      throw error;
    }
  }
}

const FAILURES: Readonly<Record<string, string>> = { webhook_waits: 'waits', webhook_given_up: 'given_up' };

/** Counts deliveries and PDFs by the outcome of their activities. */
export function countingInterceptor(counts: Counts): ActivityInterceptorsFactory {
  return ({ info: { activityType } }) => ({
    inbound: {
      async execute(input, next) {
        try {
          const result = await next(input);
          if (activityType === 'renderDocumentPdf') counts.add('pdfs_total', { outcome: 'made' });
          if (activityType === 'deliverWebhook') {
            counts.add('webhook_deliveries_total', { outcome: (result as WebhookDeliveryResult).outcome });
          }
          return result;
        } catch (error) {
          const type = (error as { type?: string } | undefined)?.type ?? '';
          if (activityType === 'renderDocumentPdf') counts.add('pdfs_total', { outcome: 'failed' });
          if (activityType === 'deliverWebhook') {
            counts.add('webhook_deliveries_total', { outcome: FAILURES[type] ?? 'failed' });
          }
          throw error;
        }
      },
    },
  });
}
