/** Collects the mail handlers of all rooms. */
import type { Config } from '../config/index.ts';
import { resetMailHandler } from '../services/access/accounts/password-reset.ts';
import { invitationMailHandler } from '../services/access/invitations/invitation-mail.ts';
import type { MailHandlers } from '../services/messages/mail/handlers.ts';
import { approvalMails } from '../services/messages/to-dos/mails.ts';
import { summaryMails } from '../services/reports/daily-summary/mails.ts';
import { payslipMails } from '../services/staff/payroll/payslip-mails.ts';
import { documentMails } from '../services/trade/lifecycle/sent.ts';

/** The handlers of the worker, by kind of mail. */
export function mailHandlers(config: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandlers {
  return {
    document: documentMails,
    recurring: documentMails,
    invitation: invitationMailHandler(config),
    password_reset: resetMailHandler(config),
    summary: summaryMails(config),
    payslip: payslipMails(config),
    approval: approvalMails(config),
  };
}
