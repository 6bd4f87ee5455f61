/** Handles requests to upgrade to another protocol: only WebSockets are supported, other upgrades are ignored. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

const UPGRADE_HEADERS = /^(upgrade|http2-settings)$/i;

/** Whether a request asks for a WebSocket. */
export function wantsSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Answers a request as if it had not asked for an upgrade, which a server may ignore (RFC 9110, 7.8). Some clients ask for HTTP/2 with
 * every first request.
 */
export function answerAsHttp(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    const value = request.rawHeaders[at + 1] ?? '';
    if (/^connection$/i.test(name)) lines.push(`${name}: ${withoutUpgrade(value)}`);
    else if (!UPGRADE_HEADERS.test(name)) lines.push(`${name}: ${value}`);
  }
  const again = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]);
  // The server parses the request again, now with its body, once it has finished with the upgrade.
  const gone = () => undefined;
  socket.on('error', gone);
  setImmediate(() => {
    socket.off('error', gone);
    if (socket.destroyed) return;
    socket.unshift(again);
    server.emit('connection', socket);
  });
}

/** Returns whatever else it says of the connection, such as that it ends with the answer. */
function withoutUpgrade(value: string): string {
  const options = value.split(',').map((option) => option.trim());
  return options.filter((option) => !UPGRADE_HEADERS.test(option)).join(', ');
}
