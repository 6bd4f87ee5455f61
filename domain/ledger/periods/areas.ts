/**
 * Areas of the books, which can be locked in a period before the period is closed (decision 0333). Every writer of dated records names
 * its area when it holds the period.
 */
import { periodClosed, periodLocked } from '../../errors.ts';
import { PERIOD_STATUS, type PeriodStatus } from '../accounting/periods.ts';

const LOCKABLE = ['sales', 'purchases', 'bank', 'payroll', 'stock'] as const;

/** The locks of a period; `all` includes entries of no area of their own. */
export const AREA_LOCKS = [...LOCKABLE, 'all'] as const;
export type AreaLock = (typeof AREA_LOCKS)[number];

/**
 * The area of a write: one that has a lock of its own; `general`, which only `all` locks; or `closing` of a fiscal year, which only a
 * closed period refuses.
 */
export type Area = (typeof LOCKABLE)[number] | 'general' | 'closing';

/** A period as far as it decides what may be written in it. */
export interface PeriodState {
  readonly code: string;
  readonly status: PeriodStatus;
  readonly lockedAreas: readonly AreaLock[];
}

/** The locks that refuse a write of an area. */
export function locksAgainst(area: Area): AreaLock[] {
  if (area === 'closing') return [];
  return area === 'general' ? ['all'] : [area, 'all'];
}

/** Whether a period is neither closed nor locked for an area. */
export function isOpenFor({ status, lockedAreas }: Omit<PeriodState, 'code'>, area: Area): boolean {
  return status === PERIOD_STATUS.open && !locksAgainst(area).some((lock) => lockedAreas.includes(lock));
}

/**
 * Refuses what is dated in a period that is closed, or locked for an area.
 * @param pointer of the member with the date
 * @throws ServiceError period_closed, period_locked
 */
export function assertOpenFor(period: PeriodState, area: Area, pointer?: string): void {
  if (period.status === PERIOD_STATUS.closed) throw periodClosed(period.code, pointer);
  const lock = locksAgainst(area).find((one) => period.lockedAreas.includes(one));
  if (lock !== undefined) throw periodLocked(period.code, lock, pointer);
}
