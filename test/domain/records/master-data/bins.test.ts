import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  binCodes,
  countBins,
  DEFAULT_BIN_PATTERN,
  unknownPlaceholder,
} from '../../../../domain/records/master-data/bins.ts';

const codes = (counts: [number, number, number, number], pattern = DEFAULT_BIN_PATTERN) => {
  const [aisles, racks, levels, positions] = counts;
  return [...binCodes({ aisles, racks, levels, positions }, pattern)];
};

describe('codes of bins', () => {
  it('go position by position, aisle by aisle', () => {
    assert.deepEqual(codes([2, 1, 2, 2]), [
      ...['A-01-01-01', 'A-01-01-02', 'A-01-02-01', 'A-01-02-02'],
      ...['B-01-01-01', 'B-01-01-02', 'B-01-02-01', 'B-01-02-02'],
    ]);
    assert.deepEqual(codes([1, 101, 1, 1], '{rack}/{aisle}').slice(98), ['99/A', '100/A', '101/A']);
  });

  it('count aisles in letters', () => {
    const aisles = codes([703, 1, 1, 1], '{aisle}');
    assert.deepEqual(
      [0, 25, 26, 51, 52, 701, 702].map((index) => aisles[index]),
      [...['A', 'Z', 'AA', 'AZ', 'BA', 'ZZ', 'AAA']],
    );
  });

  it('are one for each bin, all different and in order, by the default pattern', () => {
    const count = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(fc.tuple(count, count, count, count), (counts) => {
        const made = codes(counts);
        const [aisles, racks, levels, positions] = counts;
        assert.equal(made.length, countBins({ aisles, racks, levels, positions }));
        assert.equal(new Set(made).size, made.length);
        assert.deepEqual([...made].sort(), made);
      }),
      { numRuns: 30 },
    );
  });

  it('come from patterns that name nothing else', () => {
    for (const pattern of [DEFAULT_BIN_PATTERN, 'P{rack}{rack}', 'fixed'])
      assert.equal(unknownPlaceholder(pattern), undefined);
    const unknown: [string, string][] = [
      ['{aisle}-{shelf}', '{shelf}'],
      ['{Aisle}', '{Aisle}'],
      ['{aisle', '{'],
      ['{{aisle}}', '{'],
      ['{}', '{}'],
      ['{ aisle }', '{ aisle }'],
      ['{constructor}', '{constructor}'],
    ];
    for (const [pattern, part] of unknown) assert.equal(unknownPlaceholder(pattern), part);
  });
});
