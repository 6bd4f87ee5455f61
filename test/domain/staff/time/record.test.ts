import assert from 'node:assert/strict';
import { timeFaults, workedMinutes } from '../../../../domain/staff/time/record.ts';

const NOW = '2026-04-01T12:00:00.000Z';
const worked = (startedAt: string, endedAt: string | null, breakMinutes = 0) => ({ startedAt, endedAt, breakMinutes });

describe('working time', () => {
  it('is counted by the minutes of the clock, without breaks', () => {
    assert.equal(workedMinutes(worked('2026-03-02T08:00:40Z', '2026-03-02T16:00:20Z', 30)), 450);
    assert.equal(workedMinutes(worked('2026-03-02T08:00:40Z', null)), null);
  });

  it('of the night when summer time begins is an hour less than the clock says', () => {
    assert.equal(workedMinutes(worked('2026-03-28T22:00:00+01:00', '2026-03-29T06:00:00+02:00')), 420);
  });

  it('is refused in the future, backwards, beyond a day, and if it is all break', () => {
    const pointers = (record: ReturnType<typeof worked>) => timeFaults(record, NOW).map(({ pointer }) => pointer);
    assert.deepEqual(pointers(worked('2026-04-01T12:00:00.001Z', null)), ['/startedAt']);
    assert.deepEqual(pointers(worked('2026-04-01T10:00:00Z', '2026-04-01T12:00:01Z')), ['/endedAt']);
    assert.deepEqual(pointers(worked('2026-04-01T10:00:00Z', '2026-04-01T09:00:00Z')), ['/endedAt']);
    assert.deepEqual(pointers(worked('2026-03-30T10:00:00Z', '2026-03-31T10:00:01Z')), ['/endedAt']);
    assert.deepEqual(pointers(worked('2026-03-31T11:00:00Z', null)), ['/endedAt']);
    assert.deepEqual(pointers(worked('2026-04-01T10:00:00Z', '2026-04-01T11:00:00Z', 60)), ['/breakMinutes']);
    assert.deepEqual(pointers(worked('2026-04-01T10:00:00Z', '2026-04-01T11:00:00Z', 59)), []);
  });
});
