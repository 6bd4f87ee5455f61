import assert from 'node:assert/strict';
import fc from 'fast-check';
import { disablesAt, judgeFailing } from '../../../../domain/integrations/webhooks/failing.ts';

const START = Date.parse('2026-06-01T00:00:00Z');
const HOUR = 3_600_000;
const failing = (failures: number, warnedPercent = 0) => ({
  failingSince: new Date(START).toISOString(),
  failures,
  warnedPercent,
});
const hoursLater = (hours: number) => new Date(START + hours * HOUR);

describe('a failing webhook', () => {
  for (const [hours, failures, warned, expected] of [
    [0, 1, 0, { kind: 'go_on' }],
    [59.9, 100, 0, { kind: 'go_on' }],
    [60, 2, 0, { kind: 'warn', percent: 50 }],
    [80, 2, 50, { kind: 'go_on' }],
    [84, 2, 50, { kind: 'warn', percent: 70 }],
    [110, 2, 0, { kind: 'warn', percent: 90 }],
    [119.9, 500, 90, { kind: 'go_on' }],
    [120, 19, 90, { kind: 'go_on' }],
    [120, 20, 90, { kind: 'disable' }],
    [1000, 2, 0, { kind: 'warn', percent: 90 }],
    [1000, 20, 0, { kind: 'disable' }],
  ] as const) {
    it(`after ${hours} h and ${failures} failures, warned at ${warned} %: ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(judgeFailing(failing(failures, warned), hoursLater(hours)), expected);
    });
  }

  it('causes at most three warnings, at rising thresholds, whenever it fails', () => {
    const times = fc.array(fc.integer({ min: 0, max: 119 }), { maxLength: 60 });
    fc.assert(
      fc.property(times, (hours) => {
        let warnedPercent = 0;
        const marks: number[] = [];
        for (const [index, hour] of hours.sort((a, b) => a - b).entries()) {
          const verdict = judgeFailing(failing(index + 1, warnedPercent), hoursLater(hour));
          assert.notEqual(verdict.kind, 'disable');
          if (verdict.kind !== 'warn') continue;
          warnedPercent = verdict.percent;
          marks.push(verdict.percent);
        }
        assert.deepEqual(
          marks,
          [...new Set(marks)].sort((a, b) => a - b),
        );
        assert.ok(marks.length <= 3);
      }),
    );
  });

  it('is switched off after five days', () => {
    assert.equal(disablesAt('2026-06-01T00:00:00Z').toISOString(), '2026-06-06T00:00:00.000Z');
  });
});
