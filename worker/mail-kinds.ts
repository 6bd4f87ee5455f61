/** What is special of each kind of mail, brought together from the rooms that know. */
import type { Config } from '../config/index.ts';
import { summaryMails } from '../services/daily-summary/mails.ts';
import { invitationMails } from '../services/identity/invitation-mail.ts';
import { resetMails } from '../services/identity/password-reset.ts';
import type { MailKinds } from '../services/mail/kinds.ts';
import { payslipMails } from '../services/payroll/payslip-mails.ts';
import { documentMails } from '../services/trade/sent.ts';

/** The kinds of mails that the worker knows. */
export function mailKinds(config: Pick<Config, 'encryptionKey' | 'appUrl'>): MailKinds {
  return {
    document: documentMails,
    invitation: invitationMails(config),
    password_reset: resetMails(config),
    summary: summaryMails(config),
    payslip: payslipMails(config),
  };
}
