import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Cron, parseCron } from '../../../domain/schedules/cron.ts';
import { nextTimes } from '../../../domain/schedules/next-times.ts';

function next(text: string, after: string, count = 2, timezone = 'Europe/Madrid'): string[] {
  return nextTimes(parseCron(text) as Cron, timezone, new Date(after), count).map((time) => time.slice(0, 16));
}

describe('the next times of a cron expression', () => {
  it('are those of the clock in the zone', () => {
    // Madrid is an hour ahead in winter, two in summer.
    assert.deepEqual(next('0 8 * * *', '2026-03-28T06:59:00Z'), ['2026-03-28T07:00', '2026-03-29T06:00']);
    assert.deepEqual(next('0 8 * * *', '2026-03-28T07:00:00Z'), ['2026-03-29T06:00', '2026-03-30T06:00']);
    assert.deepEqual(next('0 0 1 * *', '2026-12-31T23:00:00Z'), ['2027-01-31T23:00', '2027-02-28T23:00']);
    assert.deepEqual(next('30 0 * * *', '2026-01-01T10:00:00Z', 1, 'Pacific/Auckland'), ['2026-01-01T11:30']);
  });

  it('are by date or by weekday', () => {
    // 13 November 2026 is a Friday.
    assert.deepEqual(next('0 12 13 * 5', '2026-11-12T12:00:00Z', 3), [
      '2026-11-13T11:00',
      '2026-11-20T11:00',
      '2026-11-27T11:00',
    ]);
    // Only Fridays with an odd date.
    assert.deepEqual(next('0 12 */2 * 5', '2026-11-12T12:00:00Z'), ['2026-11-13T11:00', '2026-11-27T11:00']);
  });

  it('leave out what the clock skips, and come once where it is shown twice', () => {
    // On 29 March 2026 two o'clock becomes three; on 25 October three becomes two.
    assert.deepEqual(next('30 2 * * *', '2026-03-28T00:00:00Z'), ['2026-03-28T01:30', '2026-03-30T00:30']);
    assert.deepEqual(next('30 2 * * *', '2026-10-24T12:00:00Z'), ['2026-10-25T01:30', '2026-10-26T01:30']);
  });

  it('wait for leap years', () => {
    // 2100 is none.
    assert.deepEqual(next('0 0 29 2 *', '2096-03-01T00:00:00Z', 1, 'UTC'), ['2104-02-29T00:00']);
    assert.deepEqual(next('0 0 */29 2 */7', '2026-03-01T00:00:00Z', 1, 'UTC'), ['2032-02-01T00:00']);
  });
});
