import assert from 'node:assert/strict';
import { latestSummaryDay, summaryDay } from '../../../../domain/messages/notifications/summary-day.ts';

const QUARTER = 15 * 60_000;

/** The first quarters of an hour of a span in which each date's summary is due, in order. */
function firstTimes(from: string, to: string, timezone: string): string[] {
  const times = new Map<string, string>();
  for (let time = Date.parse(from); time < Date.parse(to); time += QUARTER) {
    const day = summaryDay(new Date(time), timezone);
    if (day !== null && !times.has(day)) times.set(day, new Date(time).toISOString().slice(0, 16));
  }
  return [...times].map(([day, time]) => `${day} ${time}`);
}

describe('summaryDay', () => {
  it("makes summaries due from eight to midnight in the company's time zone", () => {
    const at = (time: string) => summaryDay(new Date(time), 'Europe/Madrid');
    // 07:59:59, 08:00, 23:59:59 and 00:00 in winter, an hour ahead of UTC.
    assert.equal(at('2026-01-15T06:59:59Z'), null);
    assert.equal(at('2026-01-15T07:00:00Z'), '2026-01-15');
    assert.equal(at('2026-01-15T22:59:59Z'), '2026-01-15');
    assert.equal(at('2026-01-15T23:00:00Z'), null);
  });

  it("makes each date's summary due once when the clocks change, an hour of UTC earlier or later", () => {
    assert.deepEqual(firstTimes('2026-03-28T00:00Z', '2026-03-31T00:00Z', 'Europe/Madrid'), [
      '2026-03-28 2026-03-28T07:00',
      '2026-03-29 2026-03-29T06:00',
      '2026-03-30 2026-03-30T06:00',
    ]);
    assert.deepEqual(firstTimes('2026-10-24T00:00Z', '2026-10-27T00:00Z', 'Europe/Madrid'), [
      '2026-10-24 2026-10-24T06:00',
      '2026-10-25 2026-10-25T07:00',
      '2026-10-26 2026-10-26T07:00',
    ]);
  });

  it('is exact to the quarter of an hour in zones with fractional offsets from UTC', () => {
    const first = (timezone: string) => firstTimes('2026-06-14T12:00Z', '2026-06-15T11:00Z', timezone);
    // 5:45 ahead; 14 ahead, where 08:00 of the 15th is 18:00 of the 14th in UTC; and 10:30 ahead in winter.
    assert.ok(first('Asia/Kathmandu').includes('2026-06-15 2026-06-15T02:15'));
    assert.ok(first('Pacific/Kiritimati').includes('2026-06-15 2026-06-14T18:00'));
    assert.ok(first('Australia/Lord_Howe').includes('2026-06-15 2026-06-14T21:30'));
  });

  it('is due nowhere earlier than in the zone furthest ahead', () => {
    for (const time of ['2026-06-14T17:59:59Z', '2026-06-14T18:00:00Z']) {
      const there = summaryDay(new Date(time), 'Pacific/Kiritimati');
      const latest = latestSummaryDay(new Date(time));
      assert.equal(latest, there ?? '2026-06-14');
      for (const timezone of ['Pacific/Niue', 'Europe/Madrid', 'Pacific/Auckland']) {
        assert.ok((summaryDay(new Date(time), timezone) ?? '') <= latest, timezone);
      }
    }
  });
});
