import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { ReadTurns } from '../../db/read-turns.ts';

const FOREVER_MS = 60_000;

describe('turns of reads', () => {
  /** Reads that end when told. */
  function readers(turns: ReadTurns) {
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const read = (name: string, company = 'one') =>
      turns.in(company, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string) => {
      ends.get(name)?.();
      await turn();
    };
    return { begun, read, end };
  }

  it('are taken within a company, and leave others alone', async () => {
    const { begun, read, end } = readers(new ReadTurns(2, FOREVER_MS));
    const all = [read('a'), read('b'), read('c'), read('d'), read('x', 'other')];
    await turn();
    assert.deepEqual(begun, ['a', 'b', 'x']);
    await end('b');
    assert.deepEqual(begun, ['a', 'b', 'x', 'c']);
    await end('a');
    assert.deepEqual(begun, ['a', 'b', 'x', 'c', 'd']);
    for (const name of ['c', 'd', 'x']) await end(name);
    await Promise.all(all);
  });

  it('come to whoever is next when one fails', async () => {
    const turns = new ReadTurns(1, FOREVER_MS);
    const failed = turns.in('one', async () => Promise.reject(new Error('lost')));
    const next = turns.in('one', async () => 'read');
    await assert.rejects(failed, /lost/);
    assert.equal(await next, 'read');
    assert.equal(await turns.in('one', async () => 'again'), 'again');
  });

  it('are refused when none comes in time, and lose no place by that', async () => {
    const turns = new ReadTurns(1, 1);
    const { read, end } = readers(turns);
    const first = read('a');
    await assert.rejects(
      turns.in('one', async () => 'never'),
      { code: 'too_many_requests' },
    );
    await end('a');
    await first;
    assert.equal(await turns.in('one', async () => 'read'), 'read');
  });
});
