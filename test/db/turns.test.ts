import assert from 'node:assert/strict';
import { LockHeld } from '../../db/errors.ts';
import { Turns } from '../../db/turns.ts';

const ROWS = 'rows of a company';

describe('turns of transactions that found a lock taken', () => {
  /** Transactions on locks that are held by `holders`: each counts its attempts, and takes what is free for a moment. */
  function locks(...held: string[]) {
    const taken = new Set(held);
    const attempts = new Map<string, number>();
    const transaction =
      (name: string, ...wanted: string[]) =>
      async () => {
        attempts.set(name, (attempts.get(name) ?? 0) + 1);
        for (const lock of wanted) if (taken.has(lock)) throw new LockHeld(lock);
        for (const lock of wanted) taken.add(lock);
        await new Promise((resolve) => setImmediate(resolve));
        for (const lock of wanted) taken.delete(lock);
        return name;
      };
    return { taken, attempts, transaction };
  }

  it('are repeated until the lock is free, one after the other, and only the first tries', async () => {
    const { taken, attempts, transaction } = locks('a');
    const turns = new Turns();
    const done: string[] = [];
    const names = ['1', '2', '3', '4'];
    const all = names.map((name) => turns.run(transaction(name, 'a'), ROWS).then((value) => done.push(value)));
    while ((attempts.get('1') ?? 0) < 5) await new Promise((resolve) => setTimeout(resolve, 1));
    assert.deepEqual([attempts.get('2'), attempts.get('3'), attempts.get('4')], [1, 1, 1]);
    taken.delete('a');
    await Promise.all(all);
    assert.deepEqual(done, names);
  });

  it('leave their turn for another lock, so that two of them cannot wait for each other', async () => {
    const { taken, transaction } = locks('a', 'b');
    const turns = new Turns();
    const both = [turns.run(transaction('1', 'a', 'b'), ROWS), turns.run(transaction('2', 'b', 'a'), ROWS)];
    setTimeout(() => taken.delete('a'), 5);
    setTimeout(() => taken.delete('b'), 10);
    assert.deepEqual(await Promise.all(both), ['1', '2']);
  });

  it('fail with every other error, and with a row that stays locked where nobody waits', async () => {
    const turns = new Turns();
    const failing = (error: Error) => () => Promise.reject(error);
    await assert.rejects(turns.run(failing(new Error('other')), ROWS), /other/);
    const timeout = Object.assign(new Error('canceling statement'), { code: '55P03', severity: 'ERROR' });
    await assert.rejects(turns.run(failing(timeout), null), /canceling/);
  });
});
