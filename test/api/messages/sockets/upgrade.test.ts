import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { useApp } from '../../../helpers/hooks.ts';

describe('requests to upgrade to other protocols', () => {
  const app = useApp();
  const login = JSON.stringify({ email: 'nobody@example.test', password: 'not the right password' });

  /** Sends requests on one connection. @returns all answers */
  async function answers(requests: readonly string[]): Promise<string> {
    const { hostname, port } = new URL(app.address);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
    });
    socket.write(requests.join(''));
    await once(socket, 'end');
    return received;
  }

  it('answers them over HTTP/1.1, with their bodies, since some clients ask for HTTP/2 with every first request', async () => {
    const head = (line: string, more: readonly string[]) =>
      `${[line, 'Host: localhost', ...more].join('\r\n')}\r\n\r\n`;
    const upgrade = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAAB'];
    const json = ['Content-Type: application/json', `Content-Length: ${login.length}`];
    const received = await answers([
      head('GET /health/live HTTP/1.1', upgrade),
      `${head('POST /api/auth/login HTTP/1.1', [...upgrade, ...json])}${login}`,
      head('GET /nothing HTTP/1.1', ['Connection: close']),
    ]);
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
    assert.deepEqual(statuses, [200, 401, 404]);
    assert.match(received, /invalid_credentials/);
  });
});
