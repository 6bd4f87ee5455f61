import assert from 'node:assert/strict';
import {
  followSeconds,
  retrySeconds,
  SUBMISSION_STATUSES,
  statusByCode,
  tellsPeople,
} from '../../../../../domain/trade/einvoice/face/statuses.ts';

const [HOUR, DAY] = [3600, 86_400];

describe('the states of invoices at FACe', () => {
  it('are known by their numbers', () => {
    const codes = [1200, 1300, 2400, 2500, 2600, 3100, 9999];
    const words = ['registered', 'registered', 'accounted', 'paid', 'rejected', 'annulled', undefined];
    assert.deepEqual(codes.map(statusByCode), words);
  });

  it('are asked for ever less often, until they are final', () => {
    assert.equal(followSeconds('registered', 0), 600);
    assert.equal(followSeconds('registered', 8 * HOUR), 2 * HOUR);
    assert.equal(followSeconds('accounted', 40 * DAY), DAY);
    assert.equal(followSeconds('accounted', 731 * DAY), null);
    const followed = SUBMISSION_STATUSES.filter((status) => followSeconds(status, 0) !== null);
    assert.deepEqual(followed, ['registered', 'accounted']);
  });

  it('are tried again after a minute at first, and once an hour at least; people are told once', () => {
    assert.deepEqual([1, 2, 3, 7, 99].map(retrySeconds), [60, 120, 240, 3600, 3600]);
    assert.deepEqual(Array.from({ length: 20 }, (_, at) => at + 1).filter(tellsPeople), [6]);
  });
});
