/** Texts of a workflow in the Temporal UI, under "User Metadata". Its box shows two lines; the rest scrolls. */
import { ActivityFailure, ApplicationFailure, isCancellation, setCurrentDetails } from '@temporalio/workflow';

/**
 * Formats the details as Markdown. They must not contain personal data because they are not encrypted.
 * @param is the first line: what it is, and its state in words
 * @param todo the second line: what an operator can do
 */
export function detailsText(is: string, todo: string, more: readonly string[] = []): string {
  // Two spaces at the end of a line break it.
  return [`${is}  `, todo, ...(more.length > 0 ? ['', ...more.map((line) => `- ${line}`)] : [])].join('\n');
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
  },
  work: () => Promise<T>,
): Promise<T> {
  const { what, begun, done, failed, cancelled, more } = texts;
  const show = (state: string, todo: string) => setCurrentDetails(detailsText(`${what}: **${state}**`, todo, more));
  show('running', begun);
  try {
    const result = await work();
    show('done', done(result));
    return result;
  } catch (error) {
    const reason = failureReason(error);
    if (isCancellation(error)) show('cancelled', cancelled);
    else if (reason instanceof Error && isFailure(reason)) show('failed', `${reason.message}. ${failed}`);
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
