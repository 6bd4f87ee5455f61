import assert from 'node:assert/strict';
import { ProcessorShares } from '../../../api/pipeline/processor-shares.ts';
import { ServiceError } from '../../../domain/errors.ts';

const TICK_MS = 200;
const TICKS = 10;

describe('shares of busy processors', () => {
  let now: number;
  let isBusy: boolean;
  let used: number;
  let shares: ProcessorShares;
  beforeEach(() => {
    now = 0;
    isBusy = true;
    shares = new ProcessorShares(
      5,
      {
        now: () => now,
        async sleep(ms) {
          now += ms;
          // Another company asks for something now and then, which costs nothing.
          const end = await shares.turn('other');
          used = 0;
          shares.tick();
          end();
          await new Promise(setImmediate);
        },
      },
      () => ({ used, isBusy }),
    );
  });
  /** Has companies' requests under way for two seconds, in which the process takes so much of the processors. */
  async function take(ms: number, requests: Readonly<Record<string, number>>): Promise<void> {
    const ends: (() => void)[] = [];
    for (const [company, count] of Object.entries(requests))
      for (let at = 0; at < count; at += 1) ends.push(await shares.turn(company));
    used = ms / TICKS;
    for (let tick = 0; tick < TICKS; tick += 1) {
      now += TICK_MS;
      shares.tick();
    }
    for (const end of ends) end();
  }
  /** @returns how long a request waits for its turn */
  async function wait(company: string): Promise<number> {
    const before = now;
    (await shares.turn(company))();
    return now - before;
  }

  it('make the company wait that took most, and nobody else', async () => {
    await take(2000, { hostile: 19, other: 1 });
    assert.equal(await wait('other'), 0);
    const waited = await wait('hostile');
    assert.ok(waited >= 2000, `waited ${waited} ms`);
  });

  it('make companies wait that took as much as the others', async () => {
    await take(4000, { one: 5, another: 5 });
    (await shares.turn('other'))();
    for (const waited of await Promise.all([wait('one'), wait('another')]))
      assert.ok(waited >= 500, `waited ${waited} ms`);
  });

  it('do not matter while the processors have time to spare', async () => {
    isBusy = false;
    await take(4000, { hostile: 19, other: 1 });
    assert.equal(await wait('hostile'), 0);
  });

  it('do not matter any more once the processors have had time to spare for a second', async () => {
    await take(2000, { hostile: 19, other: 1 });
    const waiting = wait('hostile');
    isBusy = false;
    const waited = await waiting;
    assert.ok(waited <= 1100, `waited ${waited} ms`);
  });

  it('do not matter to a company that is alone', async () => {
    await take(4000, { alone: 20 });
    assert.equal(await wait('alone'), 0);
  });

  it('never make anybody wait longer than some seconds for what they took', async () => {
    await take(12_000, { hostile: 19, other: 1 });
    (await shares.turn('other'))();
    const waited = await wait('hostile');
    assert.ok(waited > 5000 && waited <= 6500, `waited ${waited} ms`);
  });

  it('refuse what would wait for too many others', async () => {
    await take(4000, { hostile: 19, other: 1 });
    (await shares.turn('other'))();
    const all = await Promise.allSettled(Array.from({ length: 250 }, () => shares.turn('hostile')));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as ServiceError] : []));
    assert.ok(refused.length >= 40 && refused.length < 250, `${refused.length} refused`);
    assert.ok(refused.every((error) => error instanceof ServiceError && error.code === 'too_many_requests'));
  });

  it('count a request that is over once, however often it is said', async () => {
    const [first] = [await shares.turn('hostile'), await shares.turn('hostile')];
    first();
    first();
    await take(2800, { third: 1 });
    (await shares.turn('other'))();
    assert.ok((await wait('hostile')) >= 1000, 'half of the time was that of its other request');
  });

  it('leave out requests that last long: they wait for something else', async () => {
    await shares.turn('patient');
    now += 2000;
    await take(4000, { hostile: 1 });
    (await shares.turn('other'))();
    assert.equal(await wait('patient'), 0);
    assert.ok((await wait('hostile')) >= 1000);
  });
});
