/** The outcome of a mail for each recipient: a server may accept it for some and refuse others. */
import type { MailStatus } from './kinds.ts';

/** How a recipient is named besides `to`: seen by all, or by nobody. */
export const COPY_KINDS = ['cc', 'bcc'] as const;
export type CopyKind = (typeof COPY_KINDS)[number];

export interface Recipient {
  readonly address: string;
  readonly status: MailStatus;
  /** The reason for the failure, or for another try. */
  readonly error: string | null;
  /** Absent for those to whom it is addressed. */
  readonly as?: CopyKind;
}

/** The server's answer for one recipient: accepted, refused permanently, or to be tried later. */
export interface Answer {
  readonly address: string;
  readonly said: 'taken' | 'refused' | 'later';
  /** In the server's words; empty when it accepted the mail. */
  readonly reason: string;
}

const MAX_ERROR_LENGTH = 1000;

/** Applies the server's answers to the recipients. @param ends whether this was the last try */
export function applyAnswers(recipients: readonly Recipient[], answers: readonly Answer[], ends: boolean): Recipient[] {
  const said = new Map(answers.map((answer) => [answer.address, answer]));
  return recipients.map((recipient) => {
    const answer = said.get(recipient.address);
    if (recipient.status !== 'queued') return recipient;
    if (answer?.said === 'taken') return { ...recipient, status: 'sent', error: null };
    const error = answer === undefined ? recipient.error : answer.reason.slice(0, MAX_ERROR_LENGTH);
    return { ...recipient, status: ends || answer?.said === 'refused' ? 'failed' : 'queued', error };
  });
}

/** The status of a mail: queued until every recipient is settled, then sent if at least one received it. */
export function mailStatus(recipients: readonly Recipient[]): MailStatus {
  if (recipients.some(({ status }) => status === 'queued')) return 'queued';
  return recipients.some(({ status }) => status === 'sent') ? 'sent' : 'failed';
}

/** Lists the recipients who did not receive the mail, with reasons, on one line; null when everybody did. */
export function describeFailures(recipients: readonly Recipient[]): string | null {
  const faults = recipients.filter(({ status, error }) => status !== 'sent' && error !== null);
  if (faults.length === 0) return null;
  const reasons = new Set(faults.map(({ error }) => error));
  const text =
    reasons.size === 1 && faults.length === recipients.length
      ? String(faults[0]?.error)
      : faults.map(({ address, error }) => `${address}: ${error}`).join('; ');
  return text.slice(0, MAX_ERROR_LENGTH);
}
