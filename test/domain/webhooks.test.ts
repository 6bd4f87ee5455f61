import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isSubscription } from '../../domain/webhooks/events.ts';
import { DEFAULT_RETRY_POLICY, nextDelay, parseRetryAfter } from '../../domain/webhooks/retry.ts';
import { isPublicAddress, targetFault } from '../../domain/webhooks/targets.ts';

describe('retry policies', () => {
  it('wait as listed, then as the last, then end', () => {
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

  it('never wait less than the policy says, nor try more often', () => {
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
  it('tell the public internet from one’s own network', () => {
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
      'none',
    ];
    for (const address of own) assert.ok(!isPublicAddress(address), address);
  });

  it('may be private only where that is wanted', () => {
    assert.equal(targetFault('http://127.0.0.1:8080/x', true), null);
    assert.equal(targetFault('http://127.0.0.1:8080/x', false)?.code, 'private_address');
    assert.equal(targetFault('https://example.com/x?y=1', false), null);
    assert.equal(targetFault('https://example.com/#x', true)?.code, 'invalid_url');
  });

  it('know events, groups and all', () => {
    for (const text of ['*', 'document.created', 'document.*', 'plugin.*']) assert.ok(isSubscription(text), text);
    for (const text of ['', '.*', '**', 'document', 'document.', 'doc.*', 'document.created.*'])
      assert.ok(!isSubscription(text), text);
  });
});
