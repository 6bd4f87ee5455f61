import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Conditions,
  type Entry,
  groupFaults,
  hold,
  isUnconditional,
  placedConditions,
} from '../../../../domain/platform/conditions/groups.ts';

/** A condition that holds for the data of a truth table in which its member is true. */
const named = (field: string): Entry => ({ field, operator: 'equals', value: true });
const faults = (conditions: unknown) =>
  groupFaults(conditions as Conditions, '/conditions', 'relative days').map(({ pointer, code }) => [pointer, code]);

/** Any entry, with what it means in JavaScript. */
interface Meaning {
  readonly entry: Entry;
  readonly means: (data: Readonly<Record<string, boolean>>) => boolean;
}
const meaning = fc.letrec<{ entry: Meaning; leaf: Meaning; group: Meaning }>((tie) => ({
  entry: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('group')),
  leaf: fc.constantFrom('a', 'b', 'c').map((name) => ({ entry: named(name), means: (data) => data[name] === true })),
  group: fc.tuple(fc.boolean(), fc.array(tie('entry'), { minLength: 1, maxLength: 3 })).map(([isAll, entries]) => ({
    entry: isAll ? { all: entries.map(({ entry }) => entry) } : { any: entries.map(({ entry }) => entry) },
    means: (data) => (isAll ? entries.every(({ means }) => means(data)) : entries.some(({ means }) => means(data))),
  })),
})).entry;
const truth = fc.record({ a: fc.boolean(), b: fc.boolean(), c: fc.boolean() });

describe('groups of conditions', () => {
  it('mean what JavaScript makes of every and some, alone and in a list', () => {
    fc.assert(
      fc.property(fc.array(meaning, { maxLength: 4 }), truth, (entries, data) => {
        for (const { entry, means } of entries) if (!('field' in entry)) assert.equal(hold(entry, data), means(data));
        assert.equal(
          hold(
            entries.map(({ entry }) => entry),
            data,
          ),
          entries.every(({ means }) => means(data)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('are nothing to be held only as an empty list', () => {
    assert.ok(isUnconditional([]));
    assert.ok(!isUnconditional([named('a')]) && !isUnconditional({ any: [named('a')] }));
  });

  it('have a pointer to each of their conditions', () => {
    const pointers = (conditions: Conditions) =>
      placedConditions(conditions, '/conditions').map(({ pointer }) => pointer);
    assert.deepEqual(pointers([named('a'), { any: [named('b'), { all: [named('c')] }] }]), [
      '/conditions/0',
      '/conditions/1/any/0',
      '/conditions/1/any/1/all/0',
    ]);
    assert.deepEqual(pointers({ all: [named('a')] }), ['/conditions/all/0']);
  });

  it('are within each other three times at most', () => {
    const within = (levels: number): Entry => (levels === 0 ? named('a') : { any: [within(levels - 1)] });
    assert.deepEqual([faults(within(3)), faults([within(3)])], [[], []]);
    assert.deepEqual(faults(within(4)), [['/conditions/any/0/any/0/any/0', 'too_deep']]);
    assert.deepEqual(faults([within(4)]), [['/conditions/0/any/0/any/0/any/0', 'too_deep']]);
  });

  it('have twenty conditions at most, and one at least', () => {
    const many = (count: number) => Array.from({ length: count }, () => named('a'));
    assert.deepEqual(faults({ all: [{ any: many(10) }, { any: many(10) }] }), []);
    assert.deepEqual(faults({ all: [{ any: many(10) }, { any: many(11) }] }), [['/conditions', 'too_many']]);
    assert.deepEqual(faults({ any: [] }), [['/conditions/any', 'too_short']]);
    assert.deepEqual(faults([{ all: [] }]), [['/conditions/0/all', 'too_short']]);
  });

  it('point to what is wrong, at any depth', () => {
    assert.deepEqual(faults([{ any: [{ field: 'a' }] }]), [['/conditions/0/any/0/operator', 'required']]);
    assert.deepEqual(faults([{}]), [
      ['/conditions/0/field', 'required'],
      ['/conditions/0/operator', 'required'],
    ]);
    assert.deepEqual(faults({ any: [named('a')], all: [named('b')] }), [['/conditions', 'contradiction']]);
    assert.deepEqual(faults([{ any: [named('a')], field: 'b', operator: 'is_empty' }]), [
      ['/conditions/0', 'contradiction'],
    ]);
    assert.deepEqual(faults({ any: [{ all: [{ field: 'a', operator: 'between', value: [1] }] }] }), [
      ['/conditions/any/0/all/0/value', 'invalid_type'],
    ]);
    assert.deepEqual(faults({ any: [{ field: 'a', operator: 'at_most', value: 'next week' }] }), []);
    assert.deepEqual(faults({ any: [{ field: 'a', operator: 'at_most', value: 'tomorrow' }] }), [
      ['/conditions/any/0/value', 'invalid_format'],
    ]);
  });
});
