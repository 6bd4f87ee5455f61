import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSubscription } from '../../../../domain/integrations/webhooks/events.ts';
import { DEFAULT_RETRY_POLICY, nextDelay, parseRetryAfter } from '../../../../domain/integrations/webhooks/retry.ts';
import { isPublicAddress, mayConnect, targetFault } from '../../../../domain/integrations/webhooks/targets.ts';
import { LOCAL_TARGETS, PUBLIC_TARGETS } from '../../../helpers/targets.ts';

/** Private networks are open. */
const OPEN = { ...PUBLIC_TARGETS, allowPrivate: true };

describe('retry policies', () => {
  it('wait as listed, then repeat the last interval, then end', () => {
    const policy = { max_attempts: 5, retry_delay_seconds: [5, 60] };
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((attempt) => nextDelay(policy, attempt, null)),
      [5, 60, 60, 60, null],
    );
    assert.equal(nextDelay({ max_attempts: 2, retry_delay_seconds: [] }, 1, null), 60);
    assert.deepEqual(
      [1, 7, 8].map((attempt) => nextDelay(DEFAULT_RETRY_POLICY, attempt, null)),
      [5, 86_400, null],
    );
  });

  it('honour Retry-After up to an hour, never below the policy', () => {
    const policy = { max_attempts: 3, retry_delay_seconds: [10, 7200] };
    assert.equal(nextDelay(policy, 1, 5), 10);
    assert.equal(nextDelay(policy, 1, 600), 600);
    assert.equal(nextDelay(policy, 1, 999_999), 3600);
    assert.equal(nextDelay(policy, 2, 999_999), 7200);
  });

  it('never wait less or try more often than the policy says', () => {
    const policies = fc.record({
      max_attempts: fc.integer({ min: 1, max: 20 }),
      retry_delay_seconds: fc.array(fc.integer({ min: 0, max: 86_400 }), { maxLength: 20 }),
    });
    fc.assert(
      fc.property(policies, fc.option(fc.integer({ min: 0 })), (policy, retryAfter) => {
        for (let attempt = 1; attempt <= 21; attempt++) {
          const delay = nextDelay(policy, attempt, retryAfter);
          if (attempt >= policy.max_attempts) assert.equal(delay, null);
          else assert.ok(delay !== null && delay >= 0 && delay <= 86_400);
        }
      }),
    );
  });

  it('read Retry-After as seconds or a date', () => {
    const now = new Date('2026-01-01T00:00:00Z');
    assert.equal(parseRetryAfter('120', now), 120);
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now), 60);
    assert.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0);
    assert.equal(parseRetryAfter('soon', now), null);
    assert.equal(parseRetryAfter(undefined, now), null);
  });
});

describe('webhook targets and subscriptions', () => {
  it('distinguish the public internet from private networks', () => {
    for (const address of ['8.8.8.8', '2606:4700::1111']) assert.ok(isPublicAddress(address), address);
    const own = [
      '127.0.0.1',
      '10.0.0.1',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      '::ffff:127.0.0.1',
      '64:ff9b::7f00:1',
      'ff02::1',
      // Addresses that only look public: translated, compatible, local and unassigned IPv6; Azure's own address; a zone.
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2001::1',
      '::7f00:1',
      '::ffff:0:7f00:1',
      '::5efe:a00:1',
      'fec0::1',
      '4000::1',
      '168.63.129.16',
      '192.0.0.192',
      '198.18.0.1',
      '2606:4700::1111%eth0',
      'none',
    ];
    for (const address of own) assert.ok(!isPublicAddress(address), address);
  });

  it('may be private only where that is allowed', () => {
    assert.equal(targetFault('http://127.0.0.1:8080/x', LOCAL_TARGETS), null);
    assert.equal(targetFault('http://127.0.0.1:8080/x', PUBLIC_TARGETS)?.code, 'private_address');
    assert.equal(targetFault('https://example.com/x?y=1', PUBLIC_TARGETS), null);
    assert.equal(targetFault('https://example.com/#x', OPEN)?.code, 'invalid_url');
  });

  it('are never the addresses where clouds reveal their secrets', () => {
    const secret = [
      '169.254.169.254',
      '0xa9fea9fe',
      '0251.0376.0251.0376',
      '169.254.170.2',
      '100.100.100.200',
      '168.63.129.16',
      'fd00:ec2::254',
      'fd20:ce::254',
      'fe80::a9fe:a9fe%eth0',
      '::ffff:169.254.169.254',
      '::169.254.169.254',
      '64:ff9b::a9fe:a9fe',
      '2002:a9fe:a9fe::1',
    ];
    for (const address of secret) {
      assert.ok(!mayConnect({ address, port: 80 }, OPEN), address);
      assert.ok(!mayConnect({ address, port: 80 }, PUBLIC_TARGETS), address);
    }
    for (const address of ['10.0.0.1', 'fd00::1', '2002:a00:1::1', '8.8.8.8'])
      assert.ok(mayConnect({ address, port: 80 }, OPEN), address);
    assert.equal(targetFault('http://169.254.169.254/latest', OPEN)?.code, 'private_address');
    assert.equal(targetFault('http://[fd00:ec2::254]/', OPEN)?.code, 'private_address');
  });

  it('are refused as literals in whatever way they are written', () => {
    const hosts = [
      ...['2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '127.1', '127.0.0.1.', '127.0.1', '%31%32%37.0.0.1'],
      ...['１２７.0.0.1', '①②⑦.0.0.1', '[::1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '0', '10.1'],
      ...['localhost', 'LOCALHOST.', 'x.localhost', 'printer.local', 'db.internal', 'metadata.google.internal.'],
    ];
    for (const host of hosts)
      assert.equal(targetFault(`http://${host}/x`, PUBLIC_TARGETS)?.code, 'private_address', host);
    for (const url of ['javascript:alert(1)', 'file:///etc/passwd', 'ftp://x.example', 'http://[fe80::1%25eth0]/', 'x'])
      assert.equal(targetFault(url, OPEN)?.code, 'invalid_url', url);
  });

  it('know events, groups and all', () => {
    for (const text of ['*', 'document.created', 'document.*', 'plugin.*']) assert.ok(isSubscription(text), text);
    for (const text of ['', '.*', '**', 'document', 'document.', 'doc.*', 'document.created.*'])
      assert.ok(!isSubscription(text), text);
  });
});
