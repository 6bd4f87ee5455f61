import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { AT_A_TIME, Turns } from '../../db/turns.ts';

/** Longer than a case may take. */
const FOREVER_MS = 120_000;

describe('turns', () => {
  /** Work that lasts until it is told to end, in the order in which it began. */
  function workers(turns: Turns, count: number) {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = Array.from({ length: count }, (_, index) =>
      turns.in(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => {
          ends[index] = resolve;
        });
      }),
    );
    return { begun, end: (index: number) => ends[index]?.(), all: Promise.all(all) };
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

  it('let so many work at a time, and others in the order in which they came', async () => {
    const turns = new Turns(FOREVER_MS);
    const { begun, end, all } = workers(turns, AT_A_TIME + 2);
    await turn();
    assert.deepEqual(begun, upTo(AT_A_TIME));
    assert.equal(turns.waiting, 2);
    end(3);
    await turn();
    assert.deepEqual(begun, upTo(AT_A_TIME + 1));
    end(0);
    await turn();
    assert.deepEqual(begun, upTo(AT_A_TIME + 2));
    assert.equal(turns.waiting, 0);
    for (const index of begun) end(index);
    await all;
  });

  it('pass on when work fails', async () => {
    const turns = new Turns(FOREVER_MS);
    const failing = upTo(AT_A_TIME).map(() =>
      turns.in(async () => {
        await turn();
        throw new Error('no');
      }),
    );
    const next = turns.in(async () => 'done');
    assert.equal((await Promise.allSettled(failing)).filter(({ status }) => status === 'rejected').length, AT_A_TIME);
    assert.equal(await next, 'done');
  });

  it('keep nobody waiting behind those who do not end, not even for work within theirs', async () => {
    const turns = new Turns(1);
    const within = await Promise.all(upTo(AT_A_TIME).map((index) => turns.in(() => turns.in(async () => index))));
    assert.deepEqual(within, upTo(AT_A_TIME));
  });
});
