/** A receiver of webhooks that fails now and then, and remembers what has arrived. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ChaosReceiver {
  readonly url: string;
  /** Accepted deliveries by document: the ids of their events. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  /** Milliseconds from each event to its first acceptance, with when that was (`performance.now()`). */
  readonly delays: readonly { readonly at: number; readonly ms: number }[];
  stop(): void;
}

/** @param random numbers from 0 to 1; one delivery in eight fails */
export async function openReceiver(random: () => number): Promise<ChaosReceiver> {
  const events = new Map<string, string[]>();
  const delays: { at: number; ms: number }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.statusCode = random() < 1 / 8 ? 500 : 204;
      if (response.statusCode === 204) {
        const { id, data, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as {
          id: string;
          timestamp: string;
          data: { document_id: string };
        };
        if (!events.has(data.document_id))
          delays.push({ at: performance.now(), ms: Date.now() - Date.parse(timestamp) });
        events.set(data.document_id, [...(events.get(data.document_id) ?? []), id]);
      }
      response.end();
    });
    request.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    events,
    delays,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
