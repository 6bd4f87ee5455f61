import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { NOW } from '../../../helpers/deliveries.ts';
import { useDeliveries } from '../../../helpers/hooks.ts';
import { status } from '../../../helpers/receiver.ts';

describe('attempts at a delivery', function () {
  this.timeout(60_000);
  const bench = useDeliveries();

  /** Seconds until the next attempt, where the policy alone says ten. */
  const retryAfter = async (code: number, header: string) => {
    const path = `/${code}/${encodeURIComponent(header)}`;
    bench.receiver.answer(path, status(code, { 'Retry-After': header }));
    const webhook = await bench.register(path, { retry_policy: { max_attempts: 3, retry_delay_seconds: [10] } });
    const outcome = await bench.attempt(webhook.id, await bench.event());
    assert.ok(outcome.kind === 'failed');
    return outcome.retryInSeconds;
  };

  it('wait for as long as a busy or unavailable receiver asks for', async () => {
    const date = new Date(Date.parse(NOW) + 120_000).toUTCString();
    for (const code of [429, 503]) {
      assert.deepEqual([await retryAfter(code, '90'), await retryAfter(code, date)], [90, 120], `${code}`);
    }
    assert.equal(await retryAfter(500, '90'), 10, 'no other answer says when');
  });

  it('are not made again once they are exhausted, however often the delivery is started', async () => {
    bench.receiver.answer('/exhausted', status(500));
    const webhook = await bench.register('/exhausted', { retry_policy: { max_attempts: 2, retry_delay_seconds: [1] } });
    const eventId = await bench.event();
    for (const attempt of [1, 2]) {
      const outcome = await bench.attempt(webhook.id, eventId);
      assert.deepEqual([outcome.kind, outcome.attempt], ['failed', attempt]);
    }
    for (let start = 0; start < 2; start++) {
      const outcome = await bench.attempt(webhook.id, eventId);
      assert.ok(outcome.kind === 'failed');
      assert.deepEqual([outcome.attempt, outcome.retryInSeconds], [2, null]);
    }
    assert.equal(bench.receiver.at('/exhausted').length, 2);
    assert.equal((await bench.log(webhook.id)).length, 2);
    // A redelivery on request gets all attempts anew.
    const redelivery = { id: newId(), again: false };
    assert.equal((await bench.attempt(webhook.id, eventId, NOW, redelivery)).attempt, 3);
  });
});
