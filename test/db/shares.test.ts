import assert from 'node:assert/strict';
import { Shares } from '../../db/shares.ts';

describe('shares', () => {
  it('give each no more than a part, and all no more than the whole', () => {
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

  it('give what is larger than a share to who has nothing yet', () => {
    const shares = new Shares(100, 10);
    const large = shares.take('a', 60);
    assert.ok(large);
    assert.equal(shares.take('a', 1), null);
    assert.equal(shares.take('b', 50), null);
    assert.ok(shares.take('b', 40));
    large();
    assert.ok(shares.take('a', 60));
  });

  it('leave one place to take where there is only one', () => {
    const shares = new Shares(1);
    assert.ok(shares.take('a'));
    assert.equal(shares.take('b'), null);
  });
});
