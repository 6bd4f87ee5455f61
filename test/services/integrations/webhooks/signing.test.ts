import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { deliveryHeaders } from '../../../../services/integrations/webhooks/envelope.ts';
import { rotateSecret } from '../../../../services/integrations/webhooks/manage.ts';
import { NOW, POLICY } from '../../../helpers/deliveries.ts';
import { useDeliveries } from '../../../helpers/hooks.ts';
import type { Received } from '../../../helpers/receiver.ts';

/** Signs like a receiver who has only read the documentation: the text is the timestamp, a dot and the raw payload. */
function hmac(secret: string, { headers, body, path }: Received): string {
  const raw = body === '' ? (new URL(path, 'http://x').searchParams.get('payload') ?? '') : body;
  return `sha256=${createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${raw}`).digest('hex')}`;
}

describe('signatures', () => {
  const event = {
    id: '0198f7a0-0000-7000-8000-000000000001',
    tenantId: 't',
    event: 'document.created',
    createdAt: NOW,
    documentId: null,
    aboutWebhookId: null,
    test: false,
    payload: '{}',
  };

  it('match an independent HMAC and the library of Standard Webhooks, for any secrets and bytes', () => {
    const key = fc.uint8Array({ minLength: 1, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    const secret = fc.oneof(
      key.map((text) => `whsec_${text}`),
      fc.string({ unit: 'binary', minLength: 1 }),
      // Looks like one of Standard Webhooks, but holds no base64: its bytes are the key.
      fc.constantFrom('whsec_', 'whsec_not base64', 'whsec_abc', 'whsec_====', 'whsec_YWJj\n'),
    );
    fc.assert(
      fc.property(fc.array(secret, { minLength: 1, maxLength: 5 }), fc.string({ unit: 'binary' }), (secrets, raw) => {
        const now = Math.floor(Date.now() / 1000);
        const headers = deliveryHeaders(event, raw, secrets, now) as Record<string, string>;
        const expected = secrets.map((one) => createHmac('sha256', one).update(`${now}.${raw}`).digest('hex'));
        assert.equal(headers['x-service-signature'], expected.map((hex) => `sha256=${hex}`).join(','));
        for (const one of secrets) {
          const standard =
            /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(one) && one.length > 6;
          const verifier = new StandardWebhook(standard ? one : Buffer.from(one).toString('base64'));
          verifier.verify(raw === '' ? raw : JSON.stringify(raw), {
            ...headers,
            ...(raw === '' ? {} : deliveryHeaders(event, JSON.stringify(raw), secrets, now)),
          });
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are left out without a secret, while sender and event are still named', () => {
    assert.deepEqual(deliveryHeaders(event, '{}', [], 1), {
      'x-service-event': 'document.created',
      'x-service-timestamp': '1',
      'webhook-id': event.id,
      'webhook-timestamp': '1',
    });
  });
});

describe('secrets of webhooks', function () {
  this.timeout(60_000);
  const bench = useDeliveries();

  const hours = (count: number) => new Date(Date.parse(NOW) + count * 3_600_000).toISOString();
  const rotate = (id: string, secret: string | null, at = NOW) =>
    bench.company.run((trx) => rotateSecret(trx, bench.context(at), POLICY, id, secret, null));
  async function sent(id: string, path: string, at: string): Promise<Received> {
    assert.equal((await bench.attempt(id, await bench.event(), at)).kind, 'delivered');
    return bench.receiver.at(path).at(-1) as Received;
  }
  const signatures = ({ headers }: Received) => String(headers['x-service-signature']).split(',');

  for (const method of ['POST', 'GET'] as const) {
    it(`are replaced with 24 hours in which both sign (${method})`, async () => {
      const path = `/rotated-${method}`;
      const webhook = await bench.register(path, { method, secret: 'the first secret' });
      assert.deepEqual(await rotate(webhook.id, 'the second secret'), {
        secret: 'the second secret',
        previousUntil: hours(24),
      });
      for (const at of [NOW, hours(23.999)]) {
        const request = await sent(webhook.id, path, at);
        assert.deepEqual(signatures(request), [hmac('the second secret', request), hmac('the first secret', request)]);
        assert.equal(String(request.headers['webhook-signature']).split(' ').length, 2);
      }
      const later = await sent(webhook.id, path, hours(24));
      assert.deepEqual(signatures(later), [hmac('the second secret', later)]);
    });
  }

  it('are generated if none is given, in the form of the library of Standard Webhooks', async () => {
    const webhook = await bench.register('/made');
    const first = await rotate(webhook.id, null, new Date().toISOString());
    assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.equal(first.previousUntil, null);
    const second = await rotate(webhook.id, null, new Date().toISOString());
    assert.notEqual(second.secret, first.secret);
    // The library takes no timestamp older than five minutes.
    const { body, headers } = await sent(webhook.id, '/made', new Date().toISOString());
    for (const { secret } of [first, second])
      new StandardWebhook(secret).verify(body, headers as Record<string, string>);
    const other = `whsec_${randomBytes(32).toString('base64')}`;
    assert.throws(() => new StandardWebhook(other).verify(body, headers as Record<string, string>));
  });

  it('end early beyond five, and one that is set again signs only once', async () => {
    const webhook = await bench.register('/often', { secret: 'secret number 0' });
    for (let number = 1; number <= 6; number++) await rotate(webhook.id, `secret number ${number}`, hours(number));
    const often = await sent(webhook.id, '/often', hours(7));
    const expected = [6, 5, 4, 3, 2].map((number) => hmac(`secret number ${number}`, often));
    assert.deepEqual(signatures(often), expected);
    await rotate(webhook.id, 'secret number 4', hours(8));
    const back = await sent(webhook.id, '/often', hours(9));
    assert.deepEqual(
      signatures(back),
      [4, 6, 5, 3, 2].map((number) => hmac(`secret number ${number}`, back)),
    );
    // Each has its own end: number 2 was replaced in hour 3, number 6 in hour 8.
    const late = await sent(webhook.id, '/often', hours(31.5));
    assert.deepEqual(
      signatures(late),
      [4, 6].map((number) => hmac(`secret number ${number}`, late)),
    );
  });
});
