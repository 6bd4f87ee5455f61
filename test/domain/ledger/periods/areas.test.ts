import assert from 'node:assert/strict';
import {
  AREA_LOCKS,
  type Area,
  type AreaLock,
  assertOpenFor,
  isOpenFor,
} from '../../../../domain/ledger/periods/areas.ts';

describe('locks of areas', () => {
  const open = (...lockedAreas: AreaLock[]) => ({ code: '2026-05', status: 'O' as const, lockedAreas });
  const AREAS: readonly Area[] = ['sales', 'purchases', 'bank', 'payroll', 'stock', 'general', 'closing'];

  it('refuse their own area, and all of them all but the closing of a year', () => {
    for (const lock of AREA_LOCKS) {
      const refused = AREAS.filter((area) => !isOpenFor(open(lock), area));
      assert.deepEqual(refused, lock === 'all' ? AREAS.slice(0, -1) : [lock]);
    }
    assert.ok(AREAS.every((area) => isOpenFor(open(), area)));
    assert.ok(AREAS.every((area) => !isOpenFor({ ...open(), status: 'C' }, area)));
  });

  it('name the period, the lock and the member; a closed period is closed whatever is locked', () => {
    assert.throws(() => assertOpenFor(open('bank', 'all'), 'bank', '/date'), {
      code: 'period_locked',
      message: /2026-05 is locked \(bank\)/,
      errors: [{ pointer: '/date', code: 'period_locked', message: 'is in a locked period' }],
    });
    assert.throws(() => assertOpenFor({ ...open('bank'), status: 'C' }, 'bank'), { code: 'period_closed' });
    assertOpenFor(open('sales'), 'bank');
  });
});
