import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Places } from '../../activities/places.ts';

describe('places', () => {
  it('are taken by so many at a time, and go on to who asked first', async () => {
    const places = new Places(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const all = [0, 1, 2, 3].map((index) =>
      places.in(async () => {
        begun.push(index);
        await new Promise<void>((resolve) => {
          ends[index] = resolve;
        });
      }),
    );
    await turn();
    assert.deepEqual(begun, [0, 1]);
    ends[1]?.();
    await turn();
    assert.deepEqual(begun, [0, 1, 2]);
    for (const index of [0, 2]) ends[index]?.();
    await turn();
    ends[3]?.();
    await Promise.all(all);
    assert.deepEqual(begun, [0, 1, 2, 3]);
  });

  it('are free again when work fails', async () => {
    const places = new Places(1);
    await assert.rejects(
      places.in(async () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.equal(await places.in(async () => 'yes'), 'yes');
  });
});
