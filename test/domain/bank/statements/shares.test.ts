import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splitLine } from '../../../../domain/bank/statements/shares.ts';
import { decimal, sum } from '../../../../domain/money.ts';

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => decimal(value).div(100).toFixed());

describe('parts of a line', () => {
  it('add up to its amount, whichever one is open', () => {
    fc.assert(
      fc.property(cents, fc.array(cents, { maxLength: 8 }), fc.nat(), (total, known, place) => {
        const at = place % (known.length + 1);
        const shares = splitLine(total, [...known.slice(0, at), null, ...known.slice(at)]);
        if ('amounts' in shares) {
          assert.ok(sum(shares.amounts).eq(total), 'the sum is another one');
          assert.deepEqual(
            shares.amounts.filter((_, index) => index !== at),
            known,
          );
        } else {
          assert.equal(shares.fault, 'nothing_left');
          assert.ok(sum(known).eq(total), 'something was left');
        }
      }),
    );
  });

  it('must equal the line if all amounts are given', () => {
    assert.deepEqual(splitLine('997', ['1000', '-3']), { amounts: ['1000', '-3'] });
    assert.deepEqual(splitLine('997', ['1000', '-2']), { fault: 'unbalanced', together: '998', missing: '-1' });
    assert.deepEqual(splitLine('997', [null, '1', null]), { fault: 'several_open', index: 2 });
  });
});
