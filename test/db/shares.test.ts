import assert from 'node:assert/strict';
import { Shares } from '../../db/shares.ts';

describe('shares', () => {
  it('give each caller at most a part, and all of them at most the whole', () => {
    const shares = new Shares(4);
    const [first] = [shares.take('a'), shares.take('a')];
    assert.equal(shares.take('a'), null);
    assert.ok(shares.take('b') && shares.take('c'));
    assert.equal(shares.take('d'), null);
    first?.();
    first?.();
    assert.ok(shares.take('d'), 'what was given back is there again, once');
    assert.equal(shares.take('e'), null);
  });

  it('give more than a share to a caller that has nothing yet', () => {
    const shares = new Shares(100, 10);
    const large = shares.take('a', 60);
    assert.ok(large);
    assert.equal(shares.take('a', 1), null);
    assert.equal(shares.take('b', 50), null);
    assert.ok(shares.take('b', 40));
    large();
    assert.ok(shares.take('a', 60));
  });

  it('still give a place when there is only one', () => {
    const shares = new Shares(1);
    assert.ok(shares.take('a'));
    assert.equal(shares.take('b'), null);
  });
});
