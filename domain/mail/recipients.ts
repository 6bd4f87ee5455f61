/** What became of a mail, recipient by recipient: a server may take it for some and refuse others. */
import type { EmailStatus } from './kinds.ts';

export interface Recipient {
  readonly address: string;
  readonly status: EmailStatus;
  /** Why it failed, or why it is tried again. */
  readonly error: string | null;
}

/** What the server said of one recipient: taken, refused for good, or to be tried later. */
export interface Answer {
  readonly address: string;
  readonly said: 'taken' | 'refused' | 'later';
  /** In the server's words; empty when it has taken the mail. */
  readonly reason: string;
}

const MOST_ERROR = 1000;

/** The recipients after the server's answers. @param ends whether nobody is tried again */
export function answered(recipients: readonly Recipient[], answers: readonly Answer[], ends: boolean): Recipient[] {
  const said = new Map(answers.map((answer) => [answer.address, answer]));
  return recipients.map((recipient) => {
    const answer = said.get(recipient.address);
    if (recipient.status !== 'queued') return recipient;
    if (answer?.said === 'taken') return { ...recipient, status: 'sent', error: null };
    const error = answer === undefined ? recipient.error : answer.reason.slice(0, MOST_ERROR);
    return { ...recipient, status: ends || answer?.said === 'refused' ? 'failed' : 'queued', error };
  });
}

/** Queued until each recipient is settled; then sent if anybody got it. */
export function statusOf(recipients: readonly Recipient[]): EmailStatus {
  if (recipients.some(({ status }) => status === 'queued')) return 'queued';
  return recipients.some(({ status }) => status === 'sent') ? 'sent' : 'failed';
}

/** Who has not got it and why, in one line; null when all have. */
export function errorOf(recipients: readonly Recipient[]): string | null {
  const faults = recipients.filter(({ status, error }) => status !== 'sent' && error !== null);
  if (faults.length === 0) return null;
  const reasons = new Set(faults.map(({ error }) => error));
  const text =
    reasons.size === 1 && faults.length === recipients.length
      ? String(faults[0]?.error)
      : faults.map(({ address, error }) => `${address}: ${error}`).join('; ');
  return text.slice(0, MOST_ERROR);
}
