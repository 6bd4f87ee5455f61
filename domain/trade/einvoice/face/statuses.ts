/** States of invoices that are sent to public bodies through FACe, and when to ask for them (FACe, manual of the providers' interface). */

/**
 * waiting: it is not sent yet. sending: it is on its way. uncertain: whether it arrived is not known. refused: FACe did not take it. The
 * others are what the public body says of it.
 */
export const SUBMISSION_STATUSES = [
  'waiting',
  'sending',
  'uncertain',
  'refused',
  'registered',
  'accounted',
  'paid',
  'rejected',
  'annulled',
] as const;
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number];

/** waiting: FACe has not been asked yet. */
export const CANCELLATION_STATUSES = ['waiting', 'asked', 'accepted', 'refused'] as const;
export type CancellationStatus = (typeof CANCELLATION_STATUSES)[number];

/** The invoice has not been taken, or not for good: it may be sent again. */
export const ENDED_WITHOUT: readonly SubmissionStatus[] = ['uncertain', 'refused', 'rejected', 'annulled'];
/** FACe has it, and its state may change. */
export const FOLLOWED: readonly SubmissionStatus[] = ['registered', 'accounted'];

/** Numbers of states. 1300: registered by the public body's own register, too. */
const STATUSES: Readonly<Record<number, SubmissionStatus>> = {
  1200: 'registered',
  1300: 'registered',
  2400: 'accounted',
  2500: 'paid',
  2600: 'rejected',
  3100: 'annulled',
};
const CANCELLATIONS: Readonly<Record<number, CancellationStatus>> = {
  4200: 'asked',
  4300: 'accepted',
  4400: 'refused',
};

/** @param code number of a state @returns undefined for one that is not known */
export function statusByCode(code: number): SubmissionStatus | undefined {
  return STATUSES[code];
}

/** @returns null if nobody has asked */
export function cancellationByCode(code: number | null): CancellationStatus | null {
  return (code === null ? undefined : CANCELLATIONS[code]) ?? null;
}

const MINUTE = 60;
const DAY = 86_400;
/** Public bodies that have not moved an invoice for so long are not asked any more. */
const FOLLOWED_DAYS = 730;
const LEAST_SECONDS = 10 * MINUTE;
const FIRST_RETRY_SECONDS = MINUTE;
const LAST_RETRY_SECONDS = 60 * MINUTE;
/** Failures after which FACe has not answered for about half an hour. */
const TOLD_FAILURES = 6;

/**
 * Seconds until FACe is asked again: a quarter of the time for which nothing has changed, at least ten minutes, at most a day.
 * @param still seconds since the last change
 * @returns null if it need not be asked any more
 */
export function followSeconds(status: SubmissionStatus, still: number): number | null {
  if (!FOLLOWED.includes(status) || still > FOLLOWED_DAYS * DAY) return null;
  return Math.min(DAY, Math.max(LEAST_SECONDS, Math.ceil(still / 4)));
}

/** Seconds until something that failed is tried again. @param failures in a row, from 1 */
export function retrySeconds(failures: number): number {
  return Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 10));
}

/** Whether people are told that FACe does not answer: once, after about half an hour. */
export function tellsPeople(failures: number): boolean {
  return failures === TOLD_FAILURES;
}
