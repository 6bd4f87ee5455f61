/** A real HTTP server that receives webhooks and answers as a test wants it to. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The same as it came. */
  readonly bytes: Buffer;
}

export interface Receiver {
  /** http://127.0.0.1:port */
  readonly url: string;
  readonly received: Received[];
  /** Requests by their path without query. */
  at(path: string): Received[];
  /** Sets how requests to a path are answered (200 by default); `nth` counts from 1. */
  answer(path: string, how: (response: ServerResponse, nth: number) => void): void;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const answers = new Map<string, (response: ServerResponse, nth: number) => void>();
  const pathname = (url: string) => url.split('?')[0] ?? '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      const bytes = Buffer.concat(chunks);
      received.push({
        method: request.method ?? '',
        path: url,
        headers: request.headers,
        body: bytes.toString('utf8'),
        bytes,
      });
      const answer = answers.get(pathname(url));
      if (answer === undefined) response.end('thanks');
      else answer(response, received.filter((entry) => pathname(entry.path) === pathname(url)).length);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((entry) => pathname(entry.path) === path),
    answer: (path, how) => void answers.set(path, how),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with a status and nothing else worth reading. */
export function status(code: number, headers: Record<string, string> = {}): (response: ServerResponse) => void {
  return (response) => response.writeHead(code, headers).end(`answer ${code}`);
}
