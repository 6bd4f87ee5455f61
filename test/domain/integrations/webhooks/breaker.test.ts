import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Breaker } from '../../../../domain/integrations/webhooks/breaker.ts';

const fail = (breaker: Breaker, deliveries: number, at = 0) => {
  for (let number = 0; number < deliveries; number++) breaker.end(`failed ${number}`, true, at);
};

describe('the circuit breaker of an endpoint', () => {
  it('opens for half a minute when seven of ten deliveries fail', () => {
    const breaker = new Breaker();
    for (let number = 0; number < 3; number++) breaker.end(`good ${number}`, false, 0);
    fail(breaker, 6);
    assert.equal(breaker.openUntil(0), null);
    breaker.end('one more', true, 1000);
    assert.equal(breaker.openUntil(1000), 31_000);
    assert.equal(breaker.openUntil(30_999), 31_000);
    assert.equal(breaker.openUntil(31_000), null);
    assert.equal(breaker.reason, '7 of the last 10 deliveries failed');
  });

  it('judges deliveries, not their attempts, by their latest outcome', () => {
    const breaker = new Breaker();
    for (let attempt = 0; attempt < 50; attempt++) breaker.end('the same', true, attempt);
    assert.equal(breaker.openUntil(50), null);
    fail(breaker, 8);
    breaker.end('the same', false, 60);
    breaker.end('another', false, 60);
    breaker.end('a third', false, 60);
    breaker.end('a fourth', true, 60);
    assert.notEqual(breaker.openUntil(60), null, '9 of 12');
  });

  it('forgets after five minutes', () => {
    const breaker = new Breaker();
    fail(breaker, 9);
    breaker.end('later', true, 300_001);
    assert.equal(breaker.openUntil(300_001), null);
  });

  it('tries one delivery, which alone decides', () => {
    const breaker = new Breaker();
    breaker.begin('under way');
    fail(breaker, 10);
    breaker.begin('trial');
    assert.equal(breaker.openUntil(40_000), 70_000, 'nobody else while it is tried');
    breaker.end('under way', false, 40_000);
    assert.notEqual(breaker.openUntil(40_000), null, 'what began before says nothing');
    breaker.end('trial', true, 45_000);
    assert.equal(breaker.openUntil(45_000), 75_000);
    breaker.begin('second trial');
    breaker.end('second trial', null, 76_000);
    assert.equal(breaker.openUntil(76_000), null, 'one that was cut off leaves it to the next');
    breaker.begin('third trial');
    breaker.end('third trial', false, 77_000);
    assert.equal(breaker.openUntil(77_000), null);
    breaker.end('afterwards', true, 78_000);
    assert.equal(breaker.openUntil(78_000), null, 'it begins anew');
  });

  it('never stays open for good, whatever happens', () => {
    const step = fc.record({ delivery: fc.nat(15), failed: fc.option(fc.boolean()), wait: fc.nat(40_000) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const breaker = new Breaker();
        let now = 0;
        for (const { delivery, failed, wait } of steps) {
          now += wait;
          const closed = breaker.openUntil(now);
          if (closed !== null) assert.ok(closed > now && closed <= now + 30_000);
          else {
            breaker.begin(String(delivery));
            breaker.end(String(delivery), failed, now);
          }
        }
        assert.equal(breaker.openUntil(now + 30_000), null);
      }),
    );
  });
});
