import assert from 'node:assert/strict';
import { instantAtWallTime, wallTime } from '../../../../domain/records/tables/times.ts';

describe('wall time', () => {
  it('is what clocks of the zone show, without a zone, as Excel keeps it', () => {
    const shown = wallTime('2026-07-01T22:30:05.987Z', 'Europe/Madrid');
    assert.equal(new Date(shown).toISOString(), '2026-07-02T00:30:05.000Z');
    assert.equal(instantAtWallTime(shown, 'Europe/Madrid'), '2026-07-01T22:30:05.000Z');
  });

  it('of the hour that comes twice is the first one', () => {
    const [first, second] = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'];
    assert.equal(wallTime(first as string, 'Europe/Madrid'), wallTime(second as string, 'Europe/Madrid'));
    assert.equal(instantAtWallTime(wallTime(second as string, 'Europe/Madrid'), 'Europe/Madrid'), first);
  });
});
