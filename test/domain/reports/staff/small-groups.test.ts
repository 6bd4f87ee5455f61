/** Groups that are too small to show alone. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { areEnough, foldSmallGroups } from '../../../../domain/reports/staff/small-groups.ts';

/** Shows the keys of the groups: shown one by one, and as one sum. */
function fold(sizes: Readonly<Record<string, number>>): [string, string] {
  const { shown, folded } = foldSmallGroups(Object.entries(sizes).map(([key, people]) => ({ key, people })));
  const keys = (groups: readonly { readonly key: string }[]) => groups.map(({ key }) => key).join('');
  return [keys(shown), keys(folded)];
}

describe('small groups', () => {
  it('are shown as one sum', () => {
    assert.deepEqual(fold({ a: 3, b: 4 }), ['ab', '']);
    assert.deepEqual(fold({ a: 2, b: 4, c: 1 }), ['b', 'ac']);
    assert.deepEqual(fold({}), ['', '']);
  });

  it('take in the smallest other, which a total would reveal them without', () => {
    assert.deepEqual(fold({ a: 1, b: 5, d: 4, c: 4 }), ['bd', 'ac']);
    assert.deepEqual(fold({ a: 1, b: 3 }), ['', 'ab']);
  });

  it('are not shown at all if they are all there is', () => {
    assert.deepEqual(fold({ a: 1, b: 1 }), ['', 'ab']);
    assert.deepEqual([areEnough([{ key: 'a', people: 2 }]), areEnough([{ key: 'a', people: 3 }])], [false, true]);
  });
});
