import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { newId } from '../../../db/ids.ts';
import { claimEvents } from '../../../services/platform/outbox/claim.ts';
import { holdLease } from '../../../worker/relay/lease.ts';
import { useDeliveries } from '../../helpers/hooks.ts';
import { eventually } from '../../helpers/worker.ts';

const logger = pino({ level: 'silent' });

describe('the lease on a batch of events', () => {
  const bench = useDeliveries();

  it('is safe for three fifths of its time, and not for the rest that is kept in reserve', async () => {
    const { database } = bench.company;
    const claim = { owner: newId(), seconds: 1000 };
    const isSafeAfter = async (seconds: number) => {
      const lease = holdLease({ database, logger }, claim, [], performance.now() - seconds * 1000);
      const isSafe = lease.isSafe();
      await lease.end();
      return isSafe;
    };
    assert.deepEqual([await isSafeAfter(0), await isSafeAfter(590), await isSafeAfter(601)], [true, true, false]);
  });

  it('stays safe while it is renewed, and does not once it cannot be', async () => {
    const { database, rows } = bench.company;
    const id = await bench.event();
    await database.withSystem((trx) => trx.raw('update outbox set processed_at = null where id = ?', [id]));
    const claim = { owner: newId(), seconds: 2 };
    const claimedAt = performance.now();
    const events = await database.withSystem((trx) => claimEvents(trx, claim, 500));
    assert.ok(events.some((event) => event.id === id));
    const lease = holdLease({ database, logger }, claim, [id], claimedAt);
    const until = async () =>
      String((await rows('select locked_until from outbox where id = ?', [id]))[0]?.locked_until);
    const first = await until();
    await eventually(async () => assert.notEqual(await until(), first));
    // Somebody else holds the row until the lease runs out.
    await database.withSystem(async (trx) => {
      await trx.raw('select 1 from outbox where id = ? for update', [id]);
      await eventually(() => assert.equal(lease.isSafe(), false));
    });
    await eventually(() => assert.equal(lease.isSafe(), true));
    await lease.end();
    const ended = await until();
    await delay(1000);
    assert.equal(await until(), ended);
  });
});
