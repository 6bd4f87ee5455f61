import assert from 'node:assert/strict';
import { truncateToBytes } from '../../../../services/messages/push/send.ts';

describe('truncateToBytes', () => {
  it('keeps texts within a number of JSON bytes, in whole characters', () => {
    assert.equal(truncateToBytes('short', 100), 'short');
    assert.equal(truncateToBytes('añadir', 3), 'añ');
    assert.equal(truncateToBytes('añadir', 2), 'a');
    assert.equal(truncateToBytes('👍👍', 7), '👍');
    assert.equal(truncateToBytes('"quoted"', 4), '"qu');
    assert.equal(truncateToBytes('\u0001x', 6), '\u0001');
  });
});
