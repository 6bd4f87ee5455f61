import assert from 'node:assert/strict';
import fc from 'fast-check';
import { shortened } from '../../domain/shorten.ts';

describe('shortened texts', () => {
  it('are the first characters, and whole ones', () => {
    assert.equal(shortened('abc', 3), 'abc');
    assert.equal(shortened('abcd', 3), 'abc');
    assert.equal(shortened('ab\u{1F600}c', 3), 'ab');
    assert.equal(shortened('ab\u{1F600}c', 4), 'ab\u{1F600}');
    assert.equal(shortened('', 3), '');
  });

  it('never end within a character, and lack one unit at most', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(40), (text, most) => {
        const short = shortened(text, most);
        assert.ok(text.startsWith(short));
        assert.doesNotMatch(short, /\p{Surrogate}/u);
        assert.ok(short.length <= most && short.length >= Math.min(most, text.length) - 1);
      }),
    );
  });
});
