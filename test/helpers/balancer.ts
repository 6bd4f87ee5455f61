/** A load balancer as simple as they come: it asks who is ready, sends each request to the next of them, and repeats none. */
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

const CHECK_MS = 200;

export interface Balancer {
  readonly address: string;
  /** Ports of those to which it sends requests now. */
  readonly ready: ReadonlySet<number>;
  close(): Promise<void>;
}

export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<number>();
  const check = async () => {
    for (const port of ports) {
      const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
    }
  };
  await check();
  const timer = setInterval(() => void check(), CHECK_MS);
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const all = [...ready];
    const port = all[turn++ % all.length];
    const { method, url: path, headers } = incoming;
    const sent = request({ port, method, path, headers, agent }, (response) => {
      const { connection: _, ...kept } = response.headers;
      answer.writeHead(response.statusCode ?? 500, kept);
      response.pipe(answer);
    });
    sent.on('error', (error) => {
      if (!answer.headersSent) answer.writeHead(502);
      answer.end(JSON.stringify({ detail: `${port}: ${error.message}` }));
    });
    incoming.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready,
    async close() {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
