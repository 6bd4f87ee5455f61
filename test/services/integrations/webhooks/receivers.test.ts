import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { useDeliveries } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';

/** A server that speaks no better HTTP than it is told to. */
async function rawServer(answer: (socket: Socket) => void) {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    // The other side hangs up when it has read enough.
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      requests++;
      answer(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

describe('receivers that behave badly', function () {
  this.timeout(60_000);
  const bench = useDeliveries();

  /** Sends one attempt and returns what it logs. */
  async function logged(url: string) {
    const webhook = await bench.register('/raw', { url });
    const eventId = await bench.event();
    const outcome = await bench.attempt(webhook.id, eventId);
    const [entry, ...others] = await bench.log(webhook.id);
    assert.equal(others.length, 0);
    assert.equal(entry?.attempt, 1);
    assert.equal(outcome.kind, entry?.status === 'success' ? 'delivered' : 'failed');
    return entry;
  }
  async function against(answer: (socket: Socket) => void) {
    const server = await rawServer(answer);
    try {
      const entry = await logged(server.url);
      assert.equal(server.requests(), 1);
      return entry;
    } finally {
      await server.close();
    }
  }

  it('one that answers a gigabyte is read up to 64 KiB', async () => {
    let written = 0;
    const block = Buffer.alloc(1024 * 1024, 'x');
    const entry = await against((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
      const more = () => {
        while (!socket.destroyed && written < 1024 && socket.write(block)) written++;
      };
      socket.on('drain', more);
      more();
    });
    assert.deepEqual(
      { status: entry?.status, http_status: entry?.http_status, error: entry?.error },
      { status: 'success', http_status: 200, error: null },
    );
    assert.equal(String(entry?.response_body).length, 64 * 1024);
    assert.ok(written < 100, `${written} MiB were written`);
  });

  it('one that drips bytes fails when its time is over', async () => {
    const entry = await against((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('close', () => clearInterval(timer));
    });
    assert.deepEqual([entry?.status, entry?.http_status], ['failed', null]);
    assert.match(String(entry?.error), /No complete answer within/);
  });

  it('one that answers after its time has failed', async () => {
    const entry = await against((socket) => {
      const timer = setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'), 4000);
      socket.on('close', () => clearTimeout(timer));
    });
    assert.match(String(entry?.error), /No complete answer within/);
    assert.equal(entry?.status, 'failed');
  });

  it('one that says nothing, or hangs up in the middle, has failed', async () => {
    for (const beginning of [
      '',
      'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
      'HTTP/1.1 200 OK\r\nContent-Le',
    ]) {
      const entry = await against((socket) => {
        if (beginning === '') socket.resetAndDestroy();
        else socket.write(beginning, () => socket.destroy());
      });
      assert.deepEqual(
        { status: entry?.status, http_status: entry?.http_status, response_body: entry?.response_body },
        { status: 'failed', http_status: null, response_body: null },
        beginning,
      );
      assert.match(String(entry?.error), /closed before/, beginning);
    }
  });

  it('one that sends headers without end, or no HTTP, has failed', async () => {
    const endless = await against((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        while (!socket.destroyed && socket.write(`X-More: ${'y'.repeat(1000)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    assert.equal(endless?.status, 'failed');
    assert.ok(String(endless?.error).length > 10, String(endless?.error));
    const garbage = await against((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    assert.equal(garbage?.status, 'failed');
  });

  it('one that only ever gives hints (103) has failed; what follows them counts', async () => {
    const never = await against((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    assert.equal(never?.status, 'failed');
    const then = await against((socket) => {
      socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n');
    });
    assert.deepEqual(
      { status: then?.status, http_status: then?.http_status, response_body: then?.response_body },
      { status: 'success', http_status: 204, response_body: '' },
    );
    const switched = await against((socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    );
    assert.equal(switched?.status, 'failed');
  });

  for (const code of [300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 418, 500, 599]) {
    it(`an answer ${code} is a failure, and nothing is followed`, async () => {
      const { receiver } = bench;
      receiver.answer(`/status-${code}`, status(code, { Location: 'http://169.254.169.254/latest/meta-data/' }));
      const entry = await logged(`${receiver.url}/status-${code}`);
      assert.deepEqual(
        { status: entry?.status, http_status: entry?.http_status, error: entry?.error },
        { status: 'failed', http_status: code, error: `HTTP ${code}` },
      );
      assert.equal(receiver.at(`/status-${code}`).length, 1);
    });
  }

  for (const code of [200, 201, 202, 204, 205, 299]) {
    it(`an answer ${code} is a success`, async () => {
      bench.receiver.answer(`/status-${code}`, (response) => response.writeHead(code).end());
      const entry = await logged(`${bench.receiver.url}/status-${code}`);
      assert.deepEqual(
        { status: entry?.status, http_status: entry?.http_status, error: entry?.error },
        { status: 'success', http_status: code, error: null },
      );
    });
  }

  it('an answer that is not text can be stored', async () => {
    const bodies: [string, Buffer][] = [
      ['nul', Buffer.from('a\u0000b')],
      ['not-utf8', Buffer.from([0xff, 0xfe, 0x61, 0xc3])],
      ['lone-surrogate', Buffer.from([0xed, 0xa0, 0x80, 0x62])],
    ];
    for (const [name, body] of bodies) {
      bench.receiver.answer(`/${name}`, (response) => response.end(body));
      const entry = await logged(`${bench.receiver.url}/${name}`);
      assert.equal(entry?.status, 'success', name);
      assert.match(String(entry?.response_body), /[ab]/, name);
    }
  });

  it('no compression is requested, and compressed answers are never unpacked', async () => {
    const { receiver } = bench;
    const bomb = gzipSync(Buffer.alloc(10 * 1024 * 1024));
    receiver.answer('/gzip', (response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb));
    const entry = await logged(`${receiver.url}/gzip`);
    assert.equal(entry?.status, 'success');
    assert.equal(entry?.response_body, `(${bomb.length} bytes of gzip, not unpacked)`);
    assert.equal(receiver.at('/gzip')[0]?.headers['accept-encoding'], 'identity');
  });
});
