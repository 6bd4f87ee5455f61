/** Flags of records that mend earlier ones of the same invoice (AEAT, validations, annex 6: operations that are admitted). */
import type { RecordState } from './answers.ts';
import type { Annulment, Registration } from './records.ts';

/** An earlier record of the invoice. */
export interface PastRecord {
  readonly kind: 'registration' | 'annulment';
  /** Null while no answer is known. */
  readonly status: RecordState | null;
  readonly errorCode: string | null;
}

/** The agency had a record of the invoice already, from wherever. */
const DUPLICATE = '3000';

/** Whether the agency has a record of the invoice, by what it has answered. */
function isKnown(past: readonly PastRecord[]): boolean {
  return past.some(({ status, errorCode }) => errorCode === DUPLICATE || (status !== null && status !== 'rejected'));
}

/** Flags of a registration that replaces the content of the ones before. @param past all earlier records, at least one, in order */
export function correctionFlags(past: readonly PastRecord[]): Pick<Registration, 'correction' | 'rejected'> {
  if (past.at(-1)?.status !== 'rejected') return { correction: 'S' };
  return { correction: 'S', rejected: isKnown(past) ? 'S' : 'X' };
}

/** Flags of an annulment. What waits for its answer counts as stored: it arrives first, and is seldom refused. */
export function annulmentFlags(past: readonly PastRecord[]): Pick<Annulment, 'withoutRecord' | 'rejected'> {
  const last = past.at(-1);
  const isWaiting = past.some(({ status }) => status === null);
  return {
    ...(isWaiting || isKnown(past) ? {} : { withoutRecord: 'S' }),
    ...(last?.kind === 'annulment' && last.status === 'rejected' ? { rejected: 'S' } : {}),
  };
}
