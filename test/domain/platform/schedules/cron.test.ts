import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Cron, leastMinutesApart, parseCron } from '../../../../domain/platform/schedules/cron.ts';

function cron(text: string): Cron {
  const found = parseCron(text);
  assert.ok(!('fault' in found), text);
  return found;
}

describe('cron expressions', () => {
  it('have five fields of numbers, ranges, steps, lists and names', () => {
    const found = cron('5,0,5 8-18/4 1 JAN-mar,12 Mon-FRI');
    assert.deepEqual(found, {
      minutes: [0, 5],
      hours: [8, 12, 16],
      days: [1],
      months: [1, 2, 3, 12],
      weekdays: [1, 2, 3, 4, 5],
      eitherDay: true,
    });
    assert.deepEqual(cron('*/20 20/2 * * *').minutes, [0, 20, 40]);
    assert.deepEqual(cron('*/20 20/2 * * *').hours, [20, 22]);
  });

  it('know Sunday as 0 and as 7', () => {
    for (const text of ['0', '7', '0,7', 'sun']) assert.deepEqual(cron(`0 0 * * ${text}`).weekdays, [0], text);
    assert.deepEqual(cron('0 0 * * 5-7').weekdays, [0, 5, 6]);
    assert.deepEqual(cron('0 0 * * */2').weekdays, [0, 2, 4, 6]);
  });

  it('need one of the two days where neither begins with a star', () => {
    assert.equal(cron('0 0 13 * 5').eitherDay, true);
    assert.equal(cron('0 0 */2 * 5').eitherDay, false);
    assert.equal(cron('0 0 13 * *').eitherDay, false);
  });

  it('have short forms', () => {
    assert.deepEqual(cron(' @Monthly '), cron('0 0 1 * *'));
    assert.deepEqual(cron('@weekly'), cron('0 0 * * 0'));
    assert.deepEqual(cron('@daily'), cron('0 0 * * *'));
    assert.deepEqual(cron('@hourly'), cron('0 * * * *'));
  });

  it('are refused where they cannot be read', () => {
    const bad = ['', '* * * *', '* * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * * 13 * *', '* * * * 8'];
    const odd = ['*/0 * * * *', '5-1 * * * *', '*-5 * * * *', '1, * * * *', '* * L * *', '* * * * 5#2', '? * * * *'];
    const more = ['-1 * * * *', '1.5 * * * *', '@yearly', '@reboot', '@every 5m', '* * * foo *', 'H * * * *'];
    for (const text of [...bad, ...odd, ...more]) {
      const found = parseCron(text);
      assert.equal('fault' in found && found.fault, 'format', text);
    }
  });

  it('are refused where their day never comes', () => {
    for (const text of ['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 31 feb *']) {
      const found = parseCron(text);
      assert.equal('fault' in found && found.fault, 'never', text);
    }
    // In leap years; and every Monday of February.
    cron('0 0 29 2 *');
    cron('0 0 30 2 1');
  });

  it('say how close their times come, also over the hour and over midnight', () => {
    const expected: [string, number][] = [
      ['* * * * *', 1],
      ['*/15 * * * *', 15],
      ['0,50 * * * *', 10], // 08:50 to 09:00
      ['0,50 8 * * *', 50],
      ['0,50 8,10 * * *', 50], // 08:50 to 10:00 are 70
      ['0 8 * * *', 1440],
      ['58,1 0,23 * * *', 3], // 23:58 to 00:01
      ['0 0,12 1 1 *', 720],
    ];
    for (const [text, minutes] of expected) assert.equal(leastMinutesApart(cron(text)), minutes, text);
  });
});
