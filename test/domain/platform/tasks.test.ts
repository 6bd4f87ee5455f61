import assert from 'node:assert/strict';
import fc from 'fast-check';
import { percentDone } from '../../../domain/platform/tasks.ts';

describe('progress of a task', () => {
  it('is a whole percent that rises with the work and reaches 100 only by the end of the task', () => {
    assert.deepEqual([percentDone(0, 3), percentDone(1, 3), percentDone(2, 3), percentDone(3, 3)], [0, 33, 66, 99]);
    assert.equal(percentDone(5, 0, 10), 10);
    const count = fc.nat(1_000_000);
    fc.assert(
      fc.property(count, count, count, fc.nat(99), (one, other, total, from) => {
        const [less, more] = [
          percentDone(Math.min(one, other), total, from),
          percentDone(Math.max(one, other), total, from),
        ];
        assert.ok(Number.isInteger(less) && from <= less && less <= more && more <= 99, `${less} ${more}`);
      }),
    );
  });
});
