/** A receiver of webhooks on this machine. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Stage } from './stage.ts';

const EVENT = 'stock.low';

export interface Receiver {
  /** Commits a number of events at once, each of which is delivered here. @returns a promise that resolves when all have arrived */
  deliver(count: number): Promise<{ readonly all: Promise<void> }>;
  stop(): Promise<void>;
}

/** Starts the receiver, and registers a webhook for its events. */
export async function openReceiver({ client, fill, tenantId }: Stage): Promise<Receiver> {
  let expected = 0;
  let arrived: () => void = () => undefined;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.end();
      expected -= 1;
      if (expected === 0) arrived();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { status, body } = await client.post('/api/webhooks', { name: 'bench', url, events: [EVENT] });
  if (status !== 201) throw new Error(`The webhook was answered ${status}: ${JSON.stringify(body)}`);
  return {
    async deliver(count) {
      expected = count;
      const all = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await fill(
        `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
         select gen_random_uuid(), $1, '${EVENT}', 'Item', gen_random_uuid(), '{"item_id": "x", "code": "A", "stock": "1"}', now()
         from generate_series(1, ${count})`,
        [tenantId],
      );
      await fill('notify outbox');
      return { all };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
