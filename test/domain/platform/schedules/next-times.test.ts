import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Cron, parseCron } from '../../../../domain/platform/schedules/cron.ts';
import { dueMinute, madeUpTimes, nextTimes } from '../../../../domain/platform/schedules/next-times.ts';

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

  it('make up for what the clock skips, and come once where it is shown twice', () => {
    // On 29 March 2026 two o'clock becomes three; on 25 October three becomes two.
    assert.deepEqual(next('30 2 * * *', '2026-03-28T12:00:00Z'), ['2026-03-29T01:30', '2026-03-30T00:30']);
    assert.deepEqual(next('15,45 2,3 * * *', '2026-03-28T12:00:00Z', 3), [
      '2026-03-29T01:15',
      '2026-03-29T01:45',
      '2026-03-30T00:15',
    ]);
    assert.deepEqual(next('30 2 * * *', '2027-03-13T12:00:00Z', 2, 'America/New_York'), [
      '2027-03-14T07:30',
      '2027-03-15T06:30',
    ]);
    assert.deepEqual(next('30 2 * * *', '2026-10-24T12:00:00Z'), ['2026-10-25T01:30', '2026-10-26T01:30']);
  });

  it('wait for leap years', () => {
    // 2100 is none.
    assert.deepEqual(next('0 0 29 2 *', '2096-03-01T00:00:00Z', 1, 'UTC'), ['2104-02-29T00:00']);
    assert.deepEqual(next('0 0 */29 2 */7', '2026-03-01T00:00:00Z', 1, 'UTC'), ['2032-02-01T00:00']);
  });

  it('tell at what minute of the clock a run is due', () => {
    const due = (text: string, at: string) => dueMinute(parseCron(text) as Cron, 'Europe/Madrid', new Date(at));
    // Half past two comes twice in the night of 31 October 2027, and is one minute of the clock.
    for (const at of ['2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z']) {
      assert.equal(due('30 2 * * *', at), '2027-10-31T02:30');
      // Temporal begins a run there which is due an hour earlier.
      assert.equal(due('30 1 * * *', at), null);
    }
    // On 28 March it is skipped, and made up for at half past three.
    assert.equal(due('30 2 * * *', '2027-03-28T01:30:00Z'), '2027-03-28T03:30');
    assert.equal(due('30 2 * * *', '2027-03-28T00:30:00Z'), null);
    assert.equal(due('30 2 * * *', '2027-03-29T01:30:00Z'), null);
    // Somebody wants a run now.
    assert.equal(due('30 2 * * *', '2027-03-29T00:30:07.123Z'), null);
  });

  it('name what the clock skips, unless it is due then anyway', () => {
    const first = (text: string) =>
      madeUpTimes(parseCron(text) as Cron, 'Europe/Madrid', 2027)
        .slice(0, 2)
        .map((wall) => new Date(wall).toISOString().slice(0, 16));
    assert.deepEqual(first('30 2 * * *'), ['2027-03-28T03:30', '2028-03-26T03:30']);
    assert.deepEqual(first('30 2 * * 1-6'), []);
    for (const none of ['30 8 * * *', '30 2,3 * * *', '30 2 28 4 *', '*/5 * * * *']) assert.deepEqual(first(none), []);
  });
});
