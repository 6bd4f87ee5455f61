import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Cron, parseCron } from '../../../../domain/platform/schedules/cron.ts';
import { dueMinute, nextTimes } from '../../../../domain/platform/schedules/next-times.ts';
import { reportSchedule } from '../../../../workflows/reports/schedules/contract.ts';
import { useTemporal } from '../../../helpers/hooks.ts';

describe('the times of a schedule', function () {
  this.timeout(120_000);
  const temporal = useTemporal();

  /** Returns the times of an expression after a future time, by Temporal and by the service. */
  async function times(expression: string, timezone: string, after: string) {
    const cron = parseCron(expression) as Cron;
    const ids = { tenantId: 'times', id: `${expression} ${timezone} ${after}` };
    const {
      spec,
      typedSearchAttributes: _,
      ...rest
    } = reportSchedule({
      ...ids,
      version: 1,
      active: false,
      title: 'Times',
      expression,
      cron,
      timezone,
      year: Number(after.slice(0, 4)),
    });
    const { typedSearchAttributes: __, ...action } = rest.action;
    const startAt = new Date(Date.parse(after) + 1000);
    const handle = await temporal.client.schedule.create({ ...rest, action, spec: { ...spec, startAt } });
    const { info } = await handle.describe();
    await handle.delete();
    const theirs = info.nextActionTimes.map((time) => time.toISOString());
    return { theirs, ours: nextTimes(cron, timezone, new Date(after), theirs.length) };
  }

  it('are those at which Temporal runs it', async () => {
    const expressions = [
      '0 8 * * *',
      '*/7 3-5 1,15 * *',
      '0 12 13 * 5',
      '15 9 */2 */3 mon-fri',
      '0 0 * * 7',
      '59 23 31 * *',
      '0 6 29 2 *',
      '@hourly',
    ];
    for (const expression of expressions) {
      for (const timezone of ['Europe/Madrid', 'Atlantic/Canary', 'America/New_York', 'Asia/Kolkata']) {
        const { theirs, ours } = await times(expression, timezone, '2031-02-27T10:00:00Z');
        assert.ok(theirs.length >= 5);
        assert.deepEqual(ours, theirs, `${expression} in ${timezone}`);
      }
    }
  });

  it('are so where the clock changes', async () => {
    // In Madrid on 30 March and 26 October 2031, in New York on 9 March and 2 November.
    const zones = {
      'Europe/Madrid': ['2031-03-29T00:00:00Z', '2031-10-25T12:00:00Z'],
      'America/New_York': ['2031-03-08T12:00:00Z', '2031-11-01T12:00:00Z'],
    };
    for (const [timezone, [spring = '', autumn = '']] of Object.entries(zones)) {
      for (const expression of ['30 2 * * *', '30 1 * * *', '15 * * * *', '0 0-4 * * *', '45 1,2 * * *', '0 8 * * *']) {
        const { theirs, ours } = await times(expression, timezone, spring);
        assert.deepEqual(ours, theirs, `${expression} in ${timezone} after ${spring}`);
      }
      // Not in the hours around the one that comes twice (decision 0178).
      for (const expression of ['15 3-23 * * *', '0 8 * * *', '30 23 * * *']) {
        const { theirs, ours } = await times(expression, timezone, autumn);
        assert.deepEqual(ours, theirs, `${expression} in ${timezone} after ${autumn}`);
      }
    }
  });

  it('come exactly once in the nights in which the clock changes', async () => {
    const nights = {
      'Europe/Madrid': ['2027-03-28', '2027-10-31'],
      'America/New_York': ['2027-03-14', '2027-11-07'],
    };
    for (const [timezone, days] of Object.entries(nights)) {
      for (const day of days) {
        for (const expression of [
          '30 1 * * *',
          '30 2 * * *',
          '0 3 * * *',
          '15 2 * * sun',
          '30 0-4 * * *',
          '0,30 1,2 * * *',
        ]) {
          const cron = parseCron(expression) as Cron;
          const midnight = new Date(Date.parse(`${day}T00:00:00Z`) - 12 * 3_600_000).toISOString();
          const { theirs } = await times(expression, timezone, midnight);
          const due = theirs.map((time) => dueMinute(cron, timezone, new Date(time)) ?? '');
          const found = [...new Set(due)].filter((minute) => minute.startsWith(day)).map((minute) => minute.slice(11));
          assert.deepEqual(found, wanted(cron, isSpring(day)), `${expression} in ${timezone} on ${day}`);
        }
      }
    }
  });
});

function isSpring(day: string): boolean {
  return day.slice(5, 7) === '03';
}

/** Returns the clock times expected for an expression; in spring the hour from two to three is skipped. */
function wanted({ hours, minutes }: Cron, skips: boolean): string[] {
  const shown = hours.flatMap((hour) => minutes.map((minute) => ({ hour: skips && hour === 2 ? 3 : hour, minute })));
  const two = (value: number) => String(value).padStart(2, '0');
  return [...new Set(shown.map(({ hour, minute }) => `${two(hour)}:${two(minute)}`))];
}
