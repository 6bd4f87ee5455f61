import assert from 'node:assert/strict';
import { Outbound, OutboundError } from '../../services/outbound/outbound.ts';
import { type Receiver, startReceiver, status } from '../helpers/receiver.ts';

describe('outgoing HTTP', () => {
  let receiver: Receiver;
  const open = new Outbound({ allowPrivateTargets: true });
  const guarded = new Outbound({ allowPrivateTargets: false });

  before(async () => {
    receiver = await startReceiver();
  });
  after(async () => {
    await open.close();
    await guarded.close();
    await receiver.close();
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
});
