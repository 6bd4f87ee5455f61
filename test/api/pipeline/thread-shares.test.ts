import assert from 'node:assert/strict';
import { ThreadShares } from '../../../api/pipeline/thread-shares.ts';
import { ServiceError } from '../../../domain/errors.ts';

describe('shares of the main thread', () => {
  let now: number;
  /** Another company asks for something now and then. */
  let isOtherThere: boolean;
  let isBusy: boolean;
  let shares: ThreadShares;
  beforeEach(() => {
    now = 0;
    isOtherThere = true;
    isBusy = false;
    const busy = () => isBusy;
    shares = new ThreadShares(5, busy, {
      now: () => now,
      async sleep(ms) {
        now += ms;
        if (isOtherThere) await request('other', 0);
        // Whoever waits for something else goes on first.
        await new Promise(setImmediate);
      },
    });
  });
  /** A request that keeps the thread for so many milliseconds. @returns how long it waited for its turn */
  async function request(company: string, ms: number): Promise<number> {
    const before = now;
    const use = await shares.turn(company);
    const waited = now - before;
    use.addBytes(ms * 4 * 1024);
    use.end();
    return waited;
  }
  const requests = async (company: string, ms: number, count: number) => {
    const waited: number[] = [];
    for (let at = 0; at < count; at += 1) waited.push(await request(company, ms));
    return waited;
  };

  it('do not matter while a company is alone', async () => {
    assert.deepEqual(await requests('large', 100, 5), [0, 0, 0, 0, 0]);
  });

  it('make a company wait that keeps the thread, for twenty times as long', async () => {
    await request('other', 0);
    const waited = await requests('large', 100, 6);
    assert.deepEqual(waited.slice(0, 3), [0, 0, 0], 'a quarter of a second is free');
    for (const ms of waited.slice(4)) assert.ok(ms >= 1900 && ms <= 2100, `waited ${ms} ms`);
    assert.equal(await request('other', 100), 0, 'others do not wait for it');
  });

  it('are smaller while processors are busy, but never refuse who sends one request after the other', async () => {
    await request('other', 0);
    isBusy = true;
    const waited = await requests('large', 100, 6);
    for (const ms of waited.slice(4)) assert.ok(ms >= 4900 && ms <= 5100, `waited ${ms} ms`);
    await request('large', 60_000);
    const longest = await request('large', 0);
    assert.ok(longest >= 17_000 && longest <= 18_000, `waited ${longest} ms`);
  });

  it('leave out what takes two milliseconds or less, however often it comes', async () => {
    await request('other', 0);
    const waited = await requests('small', 2, 1000);
    assert.equal(Math.max(...waited), 0);
  });

  it('let a company go on when the others have gone', async () => {
    await request('other', 0);
    await requests('large', 200, 3);
    isOtherThere = false;
    const waited = await request('large', 200);
    assert.ok(waited >= 900 && waited <= 1100, `waited ${waited} ms, and would have waited 7000`);
  });

  it('let requests that wait together go one after the other, in their order', async () => {
    await request('other', 0);
    await requests('large', 100, 4);
    const turns: [string, number][] = [];
    await Promise.all(
      ['first', 'second', 'third'].map(async (name) => {
        const use = await shares.turn('large');
        turns.push([name, now]);
        use.addBytes(100 * 4 * 1024);
        use.end();
      }),
    );
    assert.deepEqual(
      turns.map(([name]) => name),
      ['first', 'second', 'third'],
    );
    const [first = 0, second = 0, third = 0] = turns.map(([, at]) => at);
    assert.ok(second - first > 500 && third - second > 500, `went on at ${turns.join(', ')}`);
  });

  it('never let one act be paid for longer than some seconds', async () => {
    await request('other', 0);
    await request('large', 60_000);
    const waited = await request('large', 0);
    assert.ok(waited >= 6900 && waited <= 7100, `waited ${waited} ms`);
  });

  it('refuse what would wait too long, and too many that wait', async () => {
    await request('other', 0);
    await request('large', 1000);
    const all = await Promise.allSettled(Array.from({ length: 250 }, () => request('large', 1000)));
    const refused = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as ServiceError] : []));
    assert.ok(refused.length >= 50);
    assert.ok(refused.every((error) => error instanceof ServiceError && error.code === 'too_many_requests'));
    assert.ok(all.length > refused.length, 'the first ones were let through');
  });
});
