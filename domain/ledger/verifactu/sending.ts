/** When records are sent to the tax agency, and when again (Orden HAC/1177/2024, art. 16; AEAT, description of the service, 1.0.3). */
import type { AgencyError, Fault } from './answers.ts';

/** The most records of a message. */
export const MAX_RECORDS = 1000;
/** The agency counts older records as late, and expects to be told that there was an incident. */
const LATE_SECONDS = 240;
/** Waiting times after failures: doubled, an hour at most, as the order demands. */
const FIRST_RETRY_SECONDS = 60;
const LAST_RETRY_SECONDS = 3600;
/** Failures after which the agency has not answered for about half an hour. */
const TOLD_FAILURES = 6;
/** Errors of the agency itself: the same records may be sent again. */
const TECHNICAL = new Set('1129 1241 1243 1256 1288 3500 3501 4103 4108 4110 4111 4118 4128 4134'.split(' '));
/** The agency has suspended access, and asks programs not to try again. */
const SUSPENDED = '4141';

/** Whether a record comes late, by the times at which it was made and is sent. */
export function isLate(generatedAt: Date, now: Date): boolean {
  return now.getTime() - generatedAt.getTime() > LATE_SECONDS * 1000;
}

/** Seconds until records are sent again. @param failures number of tries that have failed, from 1 */
export function retrySeconds(code: ProblemCode, failures: number): number {
  if (code !== 'unreachable') return LAST_RETRY_SECONDS;
  return Math.min(LAST_RETRY_SECONDS, FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 10));
}

/** Whether a problem is one to tell people of: at once, but of an agency that does not answer only after half an hour. */
export function tellsPeople(code: ProblemCode, known: ProblemCode | null, failures: number): boolean {
  return code === 'unreachable' ? failures === TOLD_FAILURES : code !== known;
}

/** Seconds until the next message: those that the agency states, or none once a whole message waits. */
export function pauseSeconds(statedSeconds: number, waiting: number): number {
  return waiting >= MAX_RECORDS ? 0 : statedSeconds;
}

/**
 * Reasons why records are not sent: no certificate, or an expired one; a program without maker; a message that the agency refuses as a
 * whole; access that it has suspended; no answer.
 */
export const PROBLEM_CODES = [
  'no_certificate',
  'certificate_expired',
  'no_maker',
  'refused',
  'suspended',
  'unreachable',
] as const;
export type ProblemCode = (typeof PROBLEM_CODES)[number];

export interface Problem {
  readonly code: ProblemCode;
  /** In the agency's own words; null if the service has found it itself. */
  readonly error: AgencyError | null;
  readonly since: string;
}

/** The meaning of the refusal of a whole message: the agency itself has failed, or somebody must mend something first. */
export function faultProblem({ server, error }: Fault): ProblemCode {
  if (error.code === SUSPENDED) return 'suspended';
  return server || isTechnical(error) ? 'unreachable' : 'refused';
}

/** Whether an error is one of the agency itself. */
export function isTechnical({ code }: AgencyError): boolean {
  return TECHNICAL.has(code);
}

/**
 * Whether a company may give up sending on a day (Orden HAC/1177/2024, art. 17; AEAT, error 4120).
 * @param day YYYY-MM-DD
 * @param today likewise
 */
export function mayEndOn(day: string, today: string): boolean {
  const year = Number(today.slice(0, 4));
  return [year, year - 1].some((one) => day === `${one}-12-31`);
}
