import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { daysAfter } from '../../../../domain/days.ts';
import { overlap } from '../../../../domain/records/people/spans.ts';

describe('spans of days', () => {
  it('share days', () => {
    const day = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(day, day, day, day, (a, b, c, d) => {
        const span = (from: number, length: number) => [
          daysAfter('2026-01-01', from),
          daysAfter('2026-01-01', from + length),
        ];
        const [[from, to], [first, last]] = [span(a, b), span(c, d)] as [[string, string], [string, string]];
        const days = Array.from({ length: 130 }, (_, index) => daysAfter('2026-01-01', index));
        const shared = days.filter((each) => each >= from && each <= to && each >= first && each <= last);
        assert.equal(overlap({ from, to }, { from: first, to: last }), shared.length);
      }),
    );
  });

  it('may be open', () => {
    assert.equal(overlap({ from: '2026-01-10', to: null }, { from: '2026-01-01', to: '2026-01-31' }), 22);
    assert.equal(overlap({ from: '2026-02-01', to: null }, { from: '2026-01-01', to: '2026-01-31' }), 0);
  });
});
