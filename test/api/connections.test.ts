import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionLimits } from '../../api/connections.ts';
import { loadConfig } from '../../config/index.ts';
import type { TestApp } from '../helpers/app.ts';
import { useApp } from '../helpers/hooks.ts';
import { connectSocket, refusedWith } from '../helpers/sockets.ts';
import { eventually } from '../helpers/worker.ts';

/** A client that keeps a connection open. */
interface Held {
  readonly socket: Socket;
  /** The answers so far. */
  received: string;
  closed: boolean;
}

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n';
const LOGIN =
  'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{';
/** The last that a client sends, before it stops. */
const STOPS = {
  nothing: '',
  'half a head': 'GET /health/live HTTP/1.1\r\nHo',
  'half a body': LOGIN,
  'one request': LIVE,
};

describe('connections', function () {
  this.timeout(60_000);
  const held: Held[] = [];
  const sockets: { terminate(): void }[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    const open = held.splice(0).filter(({ closed }) => !closed);
    const closed = open.map(({ socket }) => once(socket, 'close'));
    for (const { socket } of open) socket.destroy();
    await Promise.all(closed);
  });

  /** Opens a connection from an address of this machine. @returns it once it is open, or has ended */
  async function hold(app: TestApp, from: string, sent: string): Promise<Held> {
    const socket = connect({ port: Number(new URL(app.address).port), host: '127.0.0.1', localAddress: from });
    const one: Held = { socket, received: '', closed: false };
    held.push(one);
    socket.on('data', (chunk: Buffer) => {
      one.received += chunk.toString();
    });
    socket.on('error', () => undefined); // It may be refused.
    socket.on('close', () => {
      one.closed = true;
    });
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    if (sent !== '') socket.write(sent);
    return one;
  }

  /** Sends a request from an address and reads the answer. */
  async function ask(app: TestApp, from: string): Promise<string> {
    const one = await hold(app, from, LIVE.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    if (!one.closed) await once(one.socket, 'close');
    return one.received;
  }
  const assertServed = async (app: TestApp, from: string) => assert.match(await ask(app, from), /^HTTP\/1\.1 200 /);
  const webSocket = (app: TestApp, from: string, headers: Readonly<Record<string, string>> = {}) => {
    const client = connectSocket(app.address, { headers, options: { localAddress: from } });
    sockets.push(client.socket);
    return client;
  };
  const isRefused = ({ received }: Held) => /^HTTP\/1\.1 429 [\s\S]*"code":"too_many_requests"/.test(received);

  describe('by the thousand from one address', () => {
    const app = useApp();
    for (const [what, sent] of Object.entries(STOPS))
      it(`that send ${what} and stop leave others served, and use no more than their part`, async () => {
        for (let number = 0; number < 2000; number += 100)
          await Promise.all(Array.from({ length: 100 }, () => hold(app, '127.0.0.3', sent)));
        await eventually(() => assert.ok(held.filter(({ closed }) => !closed).length <= 500, 'too many are open'));
        await assertServed(app, '127.0.0.2');
        assert.equal((await app.client.get('/api/uom')).status, 200);
        const refused = held.find(isRefused)?.received ?? '';
        assert.match(refused, /^Retry-After: 5\r$/m);
        assert.match(refused, /^Connection: close\r$/m);
        for (const { socket } of held) socket.destroy();
        await eventually(() => assertServed(app, '127.0.0.3'));
      });
  });

  describe('from one address', () => {
    const app = useApp({ env: { CONNECTIONS_PER_ADDRESS: '10', TRUST_PROXY: '127.0.0.4/32' } });

    it('are limited in all where none of them waits', async () => {
      for (let number = 0; number < 10; number += 1) await once(webSocket(app, '127.0.0.3').socket, 'open');
      assert.match(await ask(app, '127.0.0.3'), /^HTTP\/1\.1 429 /);
      assert.equal(await refusedWith(webSocket(app, '127.0.0.3')), 429);
      await assertServed(app, '127.0.0.2');
    });

    it('are not limited if it is a proxy, whose clients are counted by what it says', async () => {
      for (let number = 0; number < 30; number += 1) await hold(app, '127.0.0.4', STOPS['half a head']);
      await assertServed(app, '127.0.0.4');
      const client = { 'X-Forwarded-For': '192.0.2.1' };
      for (let number = 0; number < 10; number += 1) await once(webSocket(app, '127.0.0.4', client).socket, 'open');
      assert.equal(await refusedWith(webSocket(app, '127.0.0.4', client)), 429);
      await once(webSocket(app, '127.0.0.4', { 'X-Forwarded-For': '192.0.2.2' }).socket, 'open');
    });

    it('count once where a request for an upgrade is answered as if it had not asked', async () => {
      const upgrade = LIVE.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
      const one = await hold(app, '127.0.0.3', upgrade);
      await eventually(() => assert.match(one.received, /^HTTP\/1\.1 200 /));
      for (let number = 0; number < 4; number += 1) await hold(app, '127.0.0.3', '');
      await sleep(100);
      assert.deepEqual(
        held.map(({ closed }) => closed),
        [false, false, false, false, false],
      );
      assert.match(await ask(app, '127.0.0.3'), /^HTTP\/1\.1 429 /);
    });
  });

  describe('from many addresses', () => {
    const app = useApp({ env: { CONNECTIONS: '20' } });
    const addresses = Array.from({ length: 30 }, (_, number) => `127.0.1.${number + 1}`);

    it('make room for new ones by closing the one that has waited longest', async () => {
      for (const from of addresses) await hold(app, from, STOPS['half a head']);
      await eventually(() =>
        assert.ok(
          held.slice(0, 10).every(({ closed }) => closed),
          'the oldest are open',
        ),
      );
      assert.ok(
        held.slice(11).every(({ closed }) => !closed),
        'others are closed',
      );
      assert.equal((await app.client.get('/api/uom')).status, 200);
    });

    it('are refused where none waits', async () => {
      const opened = addresses.slice(0, 20).map((from) => once(webSocket(app, from).socket, 'open'));
      await Promise.all(opened);
      assert.match(
        await ask(app, '127.0.0.2'),
        /^HTTP\/1\.1 503 [\s\S]*Retry-After: 30\r\n[\s\S]*"code":"unavailable"/,
      );
    });
  });

  it('have their part of the limits in each process, and of its open files', () => {
    const limits = (env: Record<string, string>, files?: number) => connectionLimits(loadConfig(env), files);
    const env = { API_PROCESSES: '4', CONNECTIONS: '1000', CONNECTIONS_PER_ADDRESS: '10' };
    assert.deepEqual(limits(env, 100_000), { perAddress: 3, whole: 250 });
    assert.deepEqual(limits(env, 200), { perAddress: 3, whole: 150 });
    const none = { CONNECTIONS: '0', CONNECTIONS_PER_ADDRESS: '0' };
    assert.deepEqual(limits(none, Number.POSITIVE_INFINITY), {
      perAddress: Number.POSITIVE_INFINITY,
      whole: Number.POSITIVE_INFINITY,
    });
  });
});
