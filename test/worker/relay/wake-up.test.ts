import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { HOLD_MS, WakeUp } from '../../../worker/relay/wake-up.ts';

const silent = pino({ level: 'silent' });
/** Longer than a case may take. */
const FOREVER_MS = 120_000;

describe('waking the relay', () => {
  let now = 0;
  let wakeUp: WakeUp;
  beforeEach(() => {
    now = 0;
    wakeUp = new WakeUp('postgres://nowhere', silent, () => now);
  });
  /** Returns whether the wait has ended shortly after `poke`. */
  async function waiting(ms: number) {
    let ended = false;
    const wait = wakeUp.wait(ms).then(() => {
      ended = true;
    });
    return {
      wait,
      async ended(change: () => void): Promise<boolean> {
        change();
        await turn();
        return ended;
      },
    };
  }

  it('happens at once while nobody is kept waiting, even for earlier events', async () => {
    const { ended } = await waiting(FOREVER_MS);
    assert.equal(await ended(() => wakeUp.wake()), true);
    wakeUp.wake();
    await wakeUp.wait(FOREVER_MS);
  });

  it('waits while people do, but not for longer than events may be held', async () => {
    wakeUp.wake('busy');
    const { wait, ended } = await waiting(1);
    assert.equal(await ended(() => wakeUp.wake()), false, 'events alone do not end it');
    for (now = 100; now < HOLD_MS; now += 100) assert.equal(await ended(() => wakeUp.wake('busy')), false, `${now} ms`);
    assert.equal(await ended(() => wakeUp.wake('busy')), true);
    await wait;
    // 3,000 ms since the end of that wait, not since the last one began.
    const next = await waiting(1);
    assert.equal(await next.ended(() => wakeUp.wake('busy')), false);
    wakeUp.wake('urgent');
  });

  it('ends by itself some moments after people were last kept waiting', async () => {
    wakeUp.wake('busy');
    const { ended } = await waiting(1);
    assert.equal(await ended(() => wakeUp.wake()), false);
    now = 1000;
    assert.equal(await ended(() => wakeUp.wake()), true);
  });

  it('is not held up for others, but leaves out a company whose people wait', async () => {
    wakeUp.wake('busy a');
    wakeUp.wake();
    assert.deepEqual(await wakeUp.wait(FOREVER_MS), ['a']);
    // It ends by itself when that company's events may go, which is when its people wait no longer.
    const next = await waiting(FOREVER_MS);
    assert.equal(await next.ended(() => wakeUp.wake('busy a')), false);
    now = 401;
    assert.equal(await next.ended(() => wakeUp.wake('busy b')), true);
    wakeUp.wake();
    assert.deepEqual(await wakeUp.wait(FOREVER_MS), ['b']);
  });

  it('leaves a company out for three seconds at most, and then anew', async () => {
    const left: string[][] = [];
    for (now = 0; now <= 3300; now += 300) {
      wakeUp.wake('busy a');
      wakeUp.wake();
      left.push([...(await wakeUp.wait(FOREVER_MS))]);
    }
    assert.deepEqual(
      left.map(({ length }) => length),
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    );
    wakeUp.wake('urgent');
    assert.deepEqual(await wakeUp.wait(FOREVER_MS), [], 'somebody waits for it');
  });

  it('happens at once for what somebody waits for', async () => {
    wakeUp.wake('busy');
    const { ended } = await waiting(FOREVER_MS);
    assert.equal(await ended(() => wakeUp.wake('urgent')), true);
    wakeUp.wake('urgent');
    wakeUp.wake();
    wakeUp.wake('busy');
    await wakeUp.wait(FOREVER_MS);
  });

  it('is not caused by late workers, which are remembered for a moment', () => {
    wakeUp.wake('late 4000 a');
    wakeUp.wake('late 2500 a');
    wakeUp.wake('late 3000 b');
    assert.deepEqual(wakeUp.late, [
      ['a', 4000],
      ['b', 3000],
    ]);
    now = 1499;
    wakeUp.wake('late 3500 b');
    now = 1500;
    assert.deepEqual(wakeUp.late, [['b', 3500]]);
    wakeUp.wake('late 2500 a');
    assert.deepEqual(Object.fromEntries(wakeUp.late), { a: 2500, b: 3500 });
  });
});
