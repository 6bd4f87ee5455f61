import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { FairQueue, type QueueRules } from '../../db/fair-queue.ts';
import { ServiceError } from '../../domain/errors.ts';

const refusal = () => new ServiceError('too_many_requests', 'try again');
const REFUSED = { code: 'too_many_requests' };

describe('a fair queue', () => {
  /** Work that lasts until the test ends it. */
  function workshop(rules: QueueRules) {
    const queue = new FairQueue({ refusal, ...rules });
    const begun: string[] = [];
    const running: { readonly name: string; readonly end: () => void }[] = [];
    const all: Promise<void>[] = [];
    const ask = (name: string, caller = name) => {
      const work = () =>
        new Promise<void>((end) => {
          begun.push(name);
          running.push({ name, end });
        });
      all.push(queue.run(work, caller));
    };
    const end = async (name: string) => {
      const index = running.findIndex((one) => one.name === name);
      assert.ok(index >= 0, `${name} does not run`);
      running.splice(index, 1)[0]?.end();
      await turn();
    };
    const endAll = async () => {
      for (let one = running[0]; one !== undefined; one = running[0]) await end(one.name);
      await Promise.all(all);
    };
    return { queue, ask, end, endAll, begun, running: () => running.map(({ name }) => name) };
  }

  it('runs work up to its limit, and the rest in the order of requests', async () => {
    const { queue, ask, end, endAll, begun } = workshop({ places: 2 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, 'one');
    await turn();
    assert.deepEqual(begun, ['a', 'b']);
    assert.equal(queue.waiting, 2);
    await end('b');
    assert.deepEqual(begun, ['a', 'b', 'c']);
    await end('a');
    assert.deepEqual(begun, ['a', 'b', 'c', 'd']);
    assert.equal(queue.waiting, 0);
    await endAll();
  });

  it('never exceeds its limit, even when work is requested as a place becomes free', async () => {
    const { ask, end, endAll, running } = workshop({ places: 1 });
    ask('a');
    ask('b');
    const ended = end('a');
    ask('c');
    await ended;
    assert.deepEqual(running(), ['b']);
    await endAll();
  });

  it('limits the work of each caller and leaves others alone', async () => {
    const { ask, end, endAll, begun } = workshop({ placesPerCaller: 2 });
    for (const name of ['a', 'b', 'c', 'd']) ask(name, 'one');
    ask('x', 'other');
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'x']);
    await end('b');
    assert.deepEqual(begun, ['a', 'b', 'x', 'c']);
    await endAll();
    assert.deepEqual(begun, ['a', 'b', 'x', 'c', 'd']);
  });

  it('gives waiting callers turns in rotation', async () => {
    const { ask, end, endAll, running } = workshop({ places: 2, placesPerCaller: 1 });
    for (let count = 0; count < 5; count++) ask('flood');
    assert.deepEqual(running(), ['flood']);
    ask('one');
    ask('other');
    assert.deepEqual(running(), ['flood', 'one']);
    await end('flood');
    assert.deepEqual(running(), ['one', 'flood'], 'the flood has waited longer');
    await end('one');
    assert.deepEqual(running(), ['flood', 'other']);
    await end('other');
    assert.deepEqual(running(), ['flood']);
    await endAll();
  });

  it('refuses work when too much is waiting, of one caller or in total', async () => {
    const { queue, ask, endAll } = workshop({ places: 1, waiting: 3, waitingPerCaller: 2 });
    for (let count = 0; count < 3; count++) ask('flood');
    await assert.rejects(
      queue.run(async () => {}, 'flood'),
      REFUSED,
    );
    ask('one');
    await assert.rejects(
      queue.run(async () => {}, 'other'),
      REFUSED,
    );
    await endAll();
    assert.equal(await queue.run(async () => 'done', 'other'), 'done');
  });

  it('refuses work that has waited too long, without losing a place', async () => {
    const { queue, ask, endAll } = workshop({ places: 1, patience: { ms: 1, afterwards: 'refuse' } });
    ask('a');
    await assert.rejects(
      queue.run(async () => {}, 'b'),
      REFUSED,
    );
    assert.equal(queue.waiting, 0);
    await endAll();
    assert.equal(await queue.run(async () => 'done'), 'done');
  });

  it('runs work that has waited too long, even for work within other work', async () => {
    const { queue } = workshop({ places: 2, patience: { ms: 1, afterwards: 'run' } });
    const within = await Promise.all([0, 1].map((index) => queue.run(() => queue.run(async () => index))));
    assert.deepEqual(within, [0, 1]);
  });

  it('gives the place of failed work to the next', async () => {
    const { queue } = workshop({ places: 1, placesPerCaller: 1 });
    const failed = queue.run(() => Promise.reject(new Error('lost')), 'one');
    const next = queue.run(async () => 'done', 'one');
    await assert.rejects(failed, /lost/);
    assert.equal(await next, 'done');
    assert.equal(await queue.run(async () => 'again', 'one'), 'again');
  });
});
