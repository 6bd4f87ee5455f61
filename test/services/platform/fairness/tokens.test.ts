import assert from 'node:assert/strict';
import { Tokens } from '../../../../services/platform/fairness/tokens.ts';

describe('tokens', () => {
  it('come with time, and are saved up to a number', () => {
    const tokens = new Tokens(0, 1000);
    assert.equal(tokens.refill(1250, 2, 4), 0.5);
    assert.equal(tokens.refill(2000, 2, 4), 2);
    assert.equal(tokens.refill(60_000, 2, 4), 4);
  });

  it('are owed where more were taken than there were', () => {
    const tokens = new Tokens(1, 0);
    tokens.take();
    tokens.take();
    assert.equal(tokens.refill(0, 10, 10), -1);
    assert.equal(tokens.refill(200, 10, 10), 1);
  });
});
