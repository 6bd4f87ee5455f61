import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buildApp } from '../../api/app.ts';
import { answerClientErrors } from '../../api/client-errors.ts';
import { ERROR_CODES, type ErrorCode } from '../../domain/errors.ts';
import { useApp } from '../helpers/hooks.ts';

/** Everything that comes back until the connection ends. */
async function exchange(port: number, sent: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(sent);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

function assertRawProblem(answer: string, code: ErrorCode): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1.1 ${ERROR_CODES[code].status} `), answer);
  assert.match(head, /^content-type: application\/problem\+json/im);
  const problem = JSON.parse(body);
  assert.equal(problem.code, code);
  assert.equal(problem.status, ERROR_CODES[code].status);
  assert.match(head, new RegExp(`^x-request-id: ${problem.request_id}`, 'im'));
  assert.match(head, /^connection: close/im);
}

describe('requests that are no HTTP', () => {
  let port: number;
  const app = useApp();
  before(async () => {
    port = Number(new URL(app.address).port);
  });

  it('are answered as problems', async () => {
    const tooLarge = `X-Large: ${'x'.repeat(20_000)}`;
    assertRawProblem(
      await exchange(port, `GET /api/uom HTTP/1.1\r\nHost: x\r\n${tooLarge}\r\n\r\n`),
      'headers_too_large',
    );
    for (const nonsense of [
      'nonsense\r\n\r\n',
      'GET /api/uom HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nHo st: x\r\n\r\n',
    ]) {
      assertRawProblem(await exchange(port, nonsense), 'bad_request');
    }
    const both = 'Content-Length: 5\r\nTransfer-Encoding: chunked';
    assertRawProblem(
      await exchange(port, `POST /api/uom HTTP/1.1\r\nHost: x\r\n${both}\r\n\r\n0\r\n\r\n`),
      'bad_request',
    );
    assert.equal((await app.client.get('/api/uom')).status, 200);
  });

  it('are refused within a body as well, and nothing is written', async () => {
    const head = `POST /api/uom HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.token}\r\nContent-Type: application/json`;
    const before = (await app.client.get('/api/uom')).body.pagination.total;
    const answer = await exchange(port, `${head}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{"code":"X"}\r\n0\r\n\r\n`);
    assertRawProblem(answer, 'bad_request');
    assert.equal(answer.match(/HTTP\/1\.1/g)?.length, 1);
    assert.equal((await app.client.get('/api/uom')).body.pagination.total, before);
  });

  it('are refused where a body comes in thousands of tiny chunks', async () => {
    const head = `POST /api/uom HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.token}\r\nContent-Type: application/json`;
    const send = (body: string) =>
      exchange(port, `${head}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
    const inChunks = (text: string) => [...text].map((letter) => `1\r\n${letter}\r\n`).join('');
    assertRawProblem(await send(inChunks(`{"code":"T1","name":"${'x'.repeat(5000)}"}`)), 'bad_request');
    assertRawProblem(await send(`${inChunks(' '.repeat(501))}`), 'bad_request');
    assert.match(await send(inChunks('{"code":"T1","name":"Tiny"}')), /^HTTP\/1\.1 201 /);
    const long = `c8\r\n${' '.repeat(200)}\r\n`.repeat(2500);
    assert.match(await send(long + inChunks('{"code":"T2","name":"Long"}')), /^HTTP\/1\.1 201 /);
  });

  it('are given up when they do not arrive', async () => {
    const limits = { headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 25 };
    const server = createServer(limits, buildApp(app.deps).callback());
    answerClientErrors(server, app.deps.logger);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const slow = await exchange((server.address() as AddressInfo).port, 'GET /api/uom HTTP/1.1\r\nHost: x\r\n');
      assertRawProblem(slow, 'request_timeout');
    } finally {
      server.close();
    }
  });
});
