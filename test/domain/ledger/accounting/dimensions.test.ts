import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  commonDimensions,
  type Dimensions,
  firstDimensions,
  lackingDimensions,
  REQUIREMENTS,
} from '../../../../domain/ledger/accounting/dimensions.ts';

const dimensions = fc.record({
  costCenterId: fc.constantFrom(null, 'c1', 'c2'),
  projectId: fc.constantFrom(null, 'p1', 'p2'),
});

describe('dimensions of entered amounts', () => {
  it('are each of the first that names it', () => {
    const partner = { costCenterId: 'c1', projectId: 'p1' };
    assert.deepEqual(firstDimensions({ projectId: 'p2' }, null, undefined, partner), {
      costCenterId: 'c1',
      projectId: 'p2',
    });
    assert.deepEqual(firstDimensions(), { costCenterId: null, projectId: null });
  });

  it('lack only what the account requires, and nothing once everything is named', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REQUIREMENTS), dimensions, (requires, given) => {
        const lacking = lackingDimensions(requires, given);
        assert.ok(lacking.every((member) => given[member] === null));
        const full: Dimensions = firstDimensions(given, { costCenterId: 'c', projectId: 'p' });
        assert.deepEqual(lackingDimensions(requires, full), []);
      }),
    );
    const none = firstDimensions();
    assert.deepEqual(
      REQUIREMENTS.map((requires) => lackingDimensions(requires, none).length),
      [0, 1, 1, 2],
    );
  });

  it('are common where all amounts have the same', () => {
    const [first, other] = [
      { costCenterId: 'c1', projectId: 'p1' },
      { costCenterId: 'c1', projectId: null },
    ];
    assert.deepEqual(commonDimensions([first, other]), { costCenterId: 'c1', projectId: null });
    assert.deepEqual(commonDimensions([first, first]), first);
    assert.deepEqual(commonDimensions([]), firstDimensions());
  });
});
