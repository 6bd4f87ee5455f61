/** All that the Temporal UI shows of a workflow: its texts under "User Metadata", whose box shows two lines, and how it ended. */
import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  patched,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { OUTCOME, type Outcome } from './platform/search-attributes/contract.ts';

/** Workflows of version 1.0.0 tell no outcome, and end well where their work failed. */
const OUTCOMES_SHOWN = 'outcomes';

/**
 * Formats the details as Markdown. They must not contain personal data because they are not encrypted.
 * @param is the first line: what it is, and its state in words
 * @param todo the second line: what an operator can do
 */
export function detailsText(is: string, todo: string, more: readonly string[] = []): string {
  // Two spaces at the end of a line break it.
  return [`${is}  `, todo, ...(more.length > 0 ? ['', ...more.map((line) => `- ${line}`)] : [])].join('\n');
}

/** Shows how the workflow ended or what it waits for in the attribute `Outcome`; null takes it back. */
export function showOutcome(outcome: Outcome | null): void {
  if (patched(OUTCOMES_SHOWN)) upsertSearchAttributes([{ key: OUTCOME, value: outcome }]);
}

/**
 * Fails the workflow because its work failed for the company, which others may fix: it is not tried again.
 * @param message for operators, without data of companies
 */
export function failWork(message: string): void {
  if (!patched(OUTCOMES_SHOWN)) return;
  const failure = ApplicationFailure.nonRetryable(message, 'work_failed');
  // A stack would not help operators.
  failure.stack = '';
  throw failure;
}

/**
 * Runs a workflow's work and shows its state in the details. A workflow that fails shows the service's own refusal instead of "activity
 * failed"; one that is cancelled shows the consequences.
 */
export async function shown<T>(
  texts: {
    readonly what: string;
    readonly begun: string;
    readonly done: (result: T) => string;
    readonly failed: string;
    readonly cancelled: string;
    readonly more: readonly string[];
    /** The outcome of work that was done; null if it needs nobody, which is the default. */
    readonly outcome?: (result: T) => Outcome | null;
  },
  work: () => Promise<T>,
): Promise<T> {
  const { what, begun, done, failed, cancelled, more } = texts;
  const show = (state: string, todo: string, outcome: Outcome | null = null) => {
    setCurrentDetails(detailsText(`${what}: **${state}**`, todo, more));
    if (outcome !== null) showOutcome(outcome);
  };
  show('running', begun);
  try {
    const result = await work();
    show('done', done(result), texts.outcome?.(result));
    return result;
  } catch (error) {
    const reason = failureReason(error);
    if (isCancellation(error)) show('cancelled', cancelled, 'cancelled');
    else if (reason instanceof Error && isFailure(reason)) show('failed', `${reason.message}. ${failed}`, 'failed');
    throw reason;
  }
}

/** The service's own refusal if an activity failed with one; else the error itself. */
function failureReason(error: unknown): unknown {
  return error instanceof ActivityFailure && error.cause instanceof ApplicationFailure ? error.cause : error;
}

function isFailure(error: Error): boolean {
  return error instanceof ApplicationFailure || error instanceof ActivityFailure;
}
