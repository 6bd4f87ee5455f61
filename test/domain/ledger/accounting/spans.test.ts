import assert from 'node:assert/strict';
import { cutAfter, cutBefore } from '../../../../domain/ledger/accounting/spans.ts';

describe('month boundaries', () => {
  it('need no days on the first of a month', () => {
    assert.deepEqual(cutBefore('2026-03-01'), { day: '2026-03-01', month: '2026-03-01', days: null });
    assert.deepEqual(cutAfter('2026-02-28'), cutBefore('2026-03-01'));
    assert.deepEqual(cutAfter('2028-02-28'), cutBefore('2028-02-29'));
  });

  it('add the days of the month so far while they are no more than the remaining ones', () => {
    // April has 30 days: before the 16th are 15, and as many are left.
    const days = { from: '2026-04-01', until: '2026-04-16', sign: '' };
    assert.deepEqual(cutBefore('2026-04-16'), { day: '2026-04-16', month: '2026-04-01', days });
  });

  it('subtract the remaining days when these are fewer', () => {
    // Before the 17th are 16, and 14 are left.
    const days = { from: '2026-04-17', until: '2026-05-01', sign: '-' };
    assert.deepEqual(cutBefore('2026-04-17'), { day: '2026-04-17', month: '2026-05-01', days });
    assert.equal(cutBefore('2026-12-31').month, '2027-01-01');
  });

  it('work from the first possible day to the last', () => {
    assert.deepEqual(cutBefore('0001-01-01'), { day: '0001-01-01', month: '0001-01-01', days: null });
    assert.equal(cutBefore('9999-12-31').month, 'infinity');
    assert.deepEqual(cutAfter('9999-12-31'), { day: 'infinity', month: 'infinity', days: null });
  });
});
