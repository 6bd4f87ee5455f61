import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { TargetPolicy } from '../../../../domain/integrations/webhooks/targets.ts';
import { publicNames, type Resolve } from '../../../../services/platform/outbound/connect.ts';
import { Outbound, OutboundError } from '../../../../services/platform/outbound/outbound.ts';
import { useReceiver } from '../../../helpers/hooks.ts';
import { startNames } from '../../../helpers/names.ts';
import { startReceiver, status } from '../../../helpers/receiver.ts';
import { LOCAL_TARGETS, PUBLIC_TARGETS } from '../../../helpers/targets.ts';

describe('outgoing HTTP', () => {
  const open = new Outbound({ targets: LOCAL_TARGETS });
  const guarded = new Outbound({ targets: PUBLIC_TARGETS });

  const receiver = useReceiver();
  after(async () => {
    await open.close();
    await guarded.close();
  });

  const send = (outbound: Outbound, url: string, timeoutMs = 5000) =>
    outbound.send({ url, method: 'POST', headers: {}, body: 'x', timeoutMs, maxAnswerBytes: 10 });
  const code = (expected: OutboundError['code']) => (error: unknown) =>
    error instanceof OutboundError && error.code === expected;

  it('reaches no private address, by whatever spelling or name', async () => {
    const { port } = new URL(receiver.url);
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ];
    for (const host of hosts) {
      await assert.rejects(send(guarded, `http://${host}:${port}/private`), code('blocked_address'), host);
    }
    assert.equal(receiver.at('/private').length, 0);
    assert.equal((await send(open, `http://localhost:${port}/private`)).status, 200);
  });

  it('does not follow redirects', async () => {
    receiver.answer('/away', status(307, { Location: `${receiver.url}/target` }));
    assert.equal((await send(open, `${receiver.url}/away`)).status, 307);
    assert.equal(receiver.at('/target').length, 0);
  });

  it('bounds the whole exchange, a body that drips included', async () => {
    receiver.answer('/drip', (response) => {
      const timer = setInterval(() => response.write('x'), 50);
      response.on('close', () => clearInterval(timer));
    });
    const drip = open.send({
      url: `${receiver.url}/drip`,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: 400,
      maxAnswerBytes: 1_000_000,
    });
    await assert.rejects(drip, code('timeout'));
    receiver.answer('/silent', () => undefined);
    await assert.rejects(send(open, `${receiver.url}/silent`, 300), code('timeout'));
  });

  it('reads no more of an answer than asked for', async () => {
    receiver.answer('/endless', (response) => {
      const timer = setInterval(() => response.write('x'.repeat(1000)), 5);
      response.on('close', () => clearInterval(timer));
    });
    assert.equal((await send(open, `${receiver.url}/endless`)).body.toString(), 'xxxxxxxxxx');
  });

  it('ends when it is told to, with the reason given', async () => {
    const stop = new AbortController();
    const sending = open.send({
      url: `${receiver.url}/silent`,
      method: 'GET',
      headers: {},
      body: null,
      timeoutMs: 5000,
      maxAnswerBytes: 10,
      signal: stop.signal,
    });
    stop.abort(new Error('the worker stops'));
    await assert.rejects(sending, /the worker stops/);
  });

  it('says nothing of the address when it fails', async () => {
    await assert.rejects(send(open, 'http://secret-name.invalid/token'), (error: unknown) => {
      assert.ok(error instanceof OutboundError);
      assert.doesNotMatch(error.message, /secret-name|token/);
      return true;
    });
  });

  it('sets the headers of the transport itself', async () => {
    for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'CONNECTION', 'accept-encoding', 'Upgrade']) {
      const sending = open.send({
        url: `${receiver.url}/reserved`,
        method: 'POST',
        headers: { [name]: 'x' },
        body: 'x',
        timeoutMs: 5000,
        maxAnswerBytes: 10,
      });
      await assert.rejects(sending, code('invalid_request'), name);
    }
    assert.equal(receiver.at('/reserved').length, 0);
  });

  it('unpacks nothing', async () => {
    const packed = gzipSync('x'.repeat(100));
    receiver.answer('/packed', (response) => response.setHeader('content-encoding', 'gzip').end(packed));
    const url = `${receiver.url}/packed`;
    const request = { url, method: 'GET', headers: {}, body: null, timeoutMs: 5000, maxAnswerBytes: 1000 } as const;
    assert.deepEqual((await open.send(request)).body, packed);
    assert.equal(receiver.at('/packed')[0]?.headers['accept-encoding'], 'identity');
  });

  it('goes past proxies that the environment names', async () => {
    const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = Object.fromEntries(names.map((name) => [name, process.env[name]]));
    const proxy = await startReceiver();
    try {
      for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy.url;
      const outbound = new Outbound({ targets: LOCAL_TARGETS });
      assert.equal((await send(outbound, `${receiver.url}/direct`)).status, 200);
      await outbound.close();
      assert.equal(receiver.at('/direct').length, 1);
      assert.equal(proxy.received.length, 0);
    } finally {
      for (const name of names) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
      await proxy.close();
    }
  });

  describe('to names', () => {
    /** A public address in no assigned network. */
    const NOWHERE = '2fff::1';
    const withNames = async (targets: TargetPolicy, resolve: Resolve, work: (sender: Outbound) => unknown) => {
      const outbound = new Outbound({ targets, resolve });
      try {
        await work(outbound);
      } finally {
        await outbound.close();
      }
    };
    const at = (name: string, path: string) => `http://${name}:${new URL(receiver.url).port}${path}`;

    it('connects to the address that was checked: there is no second look-up', async () => {
      let asked = 0;
      // A name that is public when it is looked at and private from then on.
      const resolve = async () => (++asked === 1 ? [NOWHERE] : ['127.0.0.1']);
      await withNames(PUBLIC_TARGETS, resolve, async (outbound) => {
        await assert.rejects(
          send(outbound, at('rebinding.example', '/rebound'), 700),
          (error) => code('unreachable')(error) || code('timeout')(error),
        );
        assert.equal(asked, 1);
        await assert.rejects(send(outbound, at('rebinding.example', '/rebound')), code('blocked_address'));
        assert.equal(asked, 2);
      });
      assert.equal(receiver.at('/rebound').length, 0);
    });

    it('refuses a name with one private address as a whole', async () => {
      for (const addresses of [
        [NOWHERE, '127.0.0.1'],
        ['127.0.0.1', NOWHERE],
        [NOWHERE, '::ffff:127.0.0.1'],
        ['64:ff9b::7f00:1'],
        ['nonsense'],
      ]) {
        await withNames(
          PUBLIC_TARGETS,
          async () => addresses,
          async (outbound) => {
            await assert.rejects(send(outbound, at('mixed.example', '/mixed')), code('blocked_address'));
          },
        );
      }
      assert.equal(receiver.at('/mixed').length, 0);
    });

    it('never asks for names of this machine or network where only public ones may be called', async () => {
      let asked = 0;
      const resolve = async () => [`2fff::${++asked}`];
      await withNames(PUBLIC_TARGETS, resolve, async (outbound) => {
        for (const name of ['localhost', 'localhost.', 'a.localhost', 'db.internal', 'metadata.google.internal'])
          await assert.rejects(send(outbound, at(name, '/local')), code('blocked_address'), name);
      });
      assert.equal(asked, 0);
    });

    it('keeps off the metadata of clouds also where private addresses are welcome', async () => {
      await withNames(
        { ...LOCAL_TARGETS, allowPrivate: true },
        async () => ['127.0.0.1', '169.254.169.254'],
        async (outbound) => {
          await assert.rejects(send(outbound, at('metadata.example', '/metadata')), code('blocked_address'));
        },
      );
      await assert.rejects(send(open, 'http://169.254.169.254/latest/meta-data/'), code('blocked_address'));
      await assert.rejects(send(open, 'http://[::ffff:a9fe:a9fe]/'), code('blocked_address'));
      assert.equal(receiver.at('/metadata').length, 0);
    });

    it('checks each new connection, and sends only what is for its own host over an open one', async () => {
      const asked: string[] = [];
      const sockets = new Set<Socket | null>();
      receiver.answer('/kept', (response) => {
        sockets.add(response.socket);
        response.end('thanks');
      });
      receiver.answer('/closed', (response) => response.setHeader('connection', 'close').end('bye'));
      const resolve = async (name: string) => {
        asked.push(name);
        return asked.length > 2 ? ['169.254.169.254'] : ['127.0.0.1'];
      };
      await withNames(LOCAL_TARGETS, resolve, async (outbound) => {
        await send(outbound, at('one.example', '/kept'));
        await nextTurn(); // the connection is free again
        await send(outbound, at('one.example', '/kept'));
        assert.equal(sockets.size, 1, 'the connection is used again');
        await send(outbound, at('two.example', '/kept'));
        assert.equal(sockets.size, 2, 'another host has a connection of its own');
        await nextTurn();
        await send(outbound, at('one.example', '/closed'));
        await nextTurn();
        await assert.rejects(send(outbound, at('one.example', '/kept')), code('blocked_address'));
      });
      assert.deepEqual(asked, ['one.example', 'two.example', 'one.example']);
    });

    it('counts the time that DNS takes, and sends nothing afterwards', async () => {
      let answer: (addresses: string[]) => void = () => undefined;
      const resolve = () =>
        new Promise<string[]>((found) => {
          answer = found;
        });
      await withNames(LOCAL_TARGETS, resolve, async (outbound) => {
        await assert.rejects(send(outbound, at('silent.example', '/late'), 200), code('timeout'));
        answer(['127.0.0.1']);
        await send(open, `${receiver.url}/settled`);
        assert.equal(receiver.at('/late').length, 0);
      });
    });

    it('asks the DNS servers for both families; one private answer is enough to refuse', async () => {
      const v6 = (last: number) => [0x2f, 0xff, ...Array<number>(13).fill(0), last];
      const loopback = [...Array<number>(15).fill(0), 1];
      const answers: Record<string, Record<4 | 6, number[][] | null>> = {
        'both.example': { 4: [[9, 9, 9, 9]], 6: [v6(1), v6(2)] },
        'mixed.example': { 4: [[9, 9, 9, 9]], 6: [loopback] },
        'half.example': { 4: [[9, 9, 9, 9]], 6: [] },
        'none.example': { 4: [], 6: [] },
      };
      const names = await startNames((name, family) => answers[name]?.[family] ?? null);
      try {
        const resolve = publicNames([names.address]);
        assert.deepEqual(await resolve('both.example'), ['9.9.9.9', '2fff::1', '2fff::2']);
        assert.deepEqual(await resolve('half.example'), ['9.9.9.9']);
        await withNames(PUBLIC_TARGETS, resolve, async (outbound) => {
          await assert.rejects(send(outbound, at('mixed.example', '/mixed')), code('blocked_address'));
          await assert.rejects(send(outbound, at('none.example', '/none')), /The host name is unknown/);
          await assert.rejects(send(outbound, at('silent.example', '/silent'), 300), code('timeout'));
        });
        assert.ok(names.asked.includes('mixed.example/4') && names.asked.includes('mixed.example/6'));
      } finally {
        await names.close();
      }
    });
  });

  describe('to a peer that is no honest HTTP server', () => {
    /** Talks bytes; resolves with how much it could send before the other side left. */
    async function talking(talk: (socket: Socket) => void, work: (url: string) => Promise<void>): Promise<number> {
      const server = createServer();
      let sent = 0;
      const done: Promise<unknown>[] = [];
      server.on('connection', (socket) => {
        socket.on('error', () => undefined); // resets are what this is about
        done.push(
          new Promise<void>((closed) => {
            socket.on('close', () => {
              sent += socket.bytesWritten;
              closed();
            });
          }),
        );
        socket.once('data', () => talk(socket));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      server.close();
      await Promise.all(done);
      return sent;
    }
    function pour(socket: Socket, chunk: string): void {
      while (!socket.destroyed && socket.write(chunk)) if (socket.writableLength > 1e6) break;
      if (!socket.destroyed) socket.once('drain', () => pour(socket, chunk));
    }

    it('leaves a body of a gigabyte where it is', async () => {
      const sent = await talking(
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
          pour(socket, 'x'.repeat(65_536));
        },
        async (url) => assert.equal((await send(open, url)).body.length, 10),
      );
      assert.ok(sent < 50e6, `${sent} bytes were sent`);
    });

    it('leaves headers without end, and answers that announce another without end', async () => {
      const headers = await talking(
        (socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          pour(socket, `x-more: ${'x'.repeat(1000)}\r\n`);
        },
        (url) => assert.rejects(send(open, url), /headers of the answer are too long/),
      );
      assert.ok(headers < 50e6, `${headers} bytes were sent`);
      await talking(
        (socket) => {
          const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20);
          socket.on('close', () => clearInterval(timer));
        },
        (url) => assert.rejects(send(open, url, 400), code('timeout')),
      );
    });

    it('takes no half answer for a whole one, and no other protocol for HTTP', async () => {
      const cases: [RegExp, (socket: Socket) => void][] = [
        [/closed before/, (socket) => socket.destroy()],
        [/closed before/, (socket) => socket.resetAndDestroy()],
        [/closed before/, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')],
        [/closed before/, (socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf')],
        [/is not HTTP/, (socket) => socket.end('220 mail.example ESMTP\r\n')],
        [
          /is not HTTP|closed before/,
          (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'),
        ],
      ];
      for (const [reason, talk] of cases) {
        await talking(talk, (url) =>
          assert.rejects(send(open, url), (error) => code('unreachable')(error) && reason.test(String(error))),
        );
      }
    });
  });
});
