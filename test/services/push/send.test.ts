import assert from 'node:assert/strict';
import { cut } from '../../../services/push/send.ts';

describe('texts of pushes', () => {
  it('have at most so many bytes of JSON, in whole characters', () => {
    assert.equal(cut('short', 100), 'short');
    assert.equal(cut('añadir', 3), 'añ');
    assert.equal(cut('añadir', 2), 'a');
    assert.equal(cut('👍👍', 7), '👍');
    assert.equal(cut('"quoted"', 4), '"qu');
    assert.equal(cut('\u0001x', 6), '\u0001');
  });
});
