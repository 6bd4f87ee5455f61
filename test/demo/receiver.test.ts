import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signatureFault, WebhookReceiver } from '../../demo/receiver.ts';

const SECRET = `whsec_${Buffer.from('a secret of the tests, long enough').toString('base64')}`;
const BODY = JSON.stringify({ id: 'e1', event: 'document.created', tenant_id: 't', data: { document_id: 'd' } });

/** The headers of a delivery, signed as the specification and Standard Webhooks say. */
function signed(body = BODY, at = new Date(), secret = SECRET): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'content-type': 'application/json',
    'x-service-event': 'document.created',
    'x-service-timestamp': String(timestamp),
    'x-service-signature': `sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    'webhook-id': 'e1',
    'webhook-timestamp': String(timestamp),
    'webhook-signature': new Webhook(secret).sign('e1', at, body),
  };
}

describe("the demo's webhook receiver", () => {
  it('accepts signatures of both forms, and two of them after a rotation', () => {
    assert.equal(signatureFault(SECRET, signed(), BODY), undefined);
    const headers = signed();
    const rotated = {
      ...headers,
      'x-service-signature': `sha256=${'0'.repeat(64)}, ${headers['x-service-signature']}`,
    };
    assert.equal(signatureFault(SECRET, rotated, BODY), undefined);
  });

  // Signed when its test runs: a suite takes longer than a signature lives.
  const faults: readonly [string, () => Record<string, string>, string, RegExp][] = [
    ['another body', signed, BODY.replace('"d"', '"x"'), /webhook-signature/],
    [
      'another secret',
      () => signed(BODY, new Date(), `whsec_${Buffer.from('other').toString('base64')}`),
      BODY,
      /webhook-signature/,
    ],
    [
      'only the standard form',
      () => ({ ...signed(), 'x-service-signature': 'sha256=00' }),
      BODY,
      /X-Service-Signature/,
    ],
    [
      'no prefix',
      () => ({ ...signed(), 'x-service-signature': (signed()['x-service-signature'] ?? '').slice(7) }),
      BODY,
      /X-Service-Signature/,
    ],
    ['no timestamp', () => ({ ...signed(), 'x-service-timestamp': '' }), BODY, /X-Service-Timestamp is missing/],
    ['an old one', () => signed(BODY, new Date(Date.now() - 600_000)), BODY, /timestamp/i],
  ];
  for (const [what, headers, body, message] of faults) {
    it(`refuses ${what}`, () => assert.match(signatureFault(SECRET, headers(), body) ?? '', message));
  }

  it('answers 400 to what it refuses, and counts an event that arrives twice only once', async () => {
    const receiver = await WebhookReceiver.start();
    receiver.expectSecret(SECRET);
    const send = (headers: Record<string, string>) => fetch(receiver.url, { method: 'POST', headers, body: BODY });
    const statuses = [
      (await send(signed())).status,
      (await send(signed())).status,
      (await send({ ...signed(), 'x-service-event': 'document.deleted' })).status,
      (await send({ ...signed(), 'webhook-signature': 'v1,AAAA' })).status,
    ];
    await receiver.stop();
    assert.deepEqual(statuses, [204, 204, 400, 400]);
    assert.deepEqual(
      { deliveries: receiver.deliveries.length, repeats: receiver.repeats, faults: receiver.faults.length },
      { deliveries: 1, repeats: 1, faults: 2 },
    );
    assert.equal(receiver.deliveries[0]?.data.document_id, 'd');
  });
});
