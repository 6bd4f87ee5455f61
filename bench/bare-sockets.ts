/** The baseline for connected clients: `ws` alone. Each line of its input goes to all clients. Prints its port once it listens. */
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false }, () => {
  console.log((server.address() as AddressInfo).port);
});
createInterface({ input: process.stdin }).on('line', (line) => {
  for (const client of server.clients) client.send(line);
});
