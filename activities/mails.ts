/** Activities that send mails. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { type InvitationMailed, queueInvitationMail } from '../services/identity/invitation-mail.ts';
import { type DeliveryDeps, deliverEmail, giveUpEmail } from '../services/mail/deliver.ts';
import type { EmailInput, EmailResult, InvitationMailInput } from '../workflows/mail/contract.ts';
import { asActivityFailure, workflowContext } from './failures.ts';

export interface MailActivities {
  /** Asks the mail server once. `no_pdf`: the PDF that it carries must be made. */
  deliverEmail(input: EmailInput & { readonly pdfId?: string }): Promise<EmailResult['outcome'] | 'no_pdf'>;
  /** Ends a mail with the reason. */
  giveUpEmail(input: EmailInput & { readonly reason: string }): Promise<void>;
  /** Hands the mail of an invitation of an earlier release over to its delivery. */
  mailInvitation(input: InvitationMailInput): Promise<InvitationMailed>;
}

/** A worker that is killed is noticed after a few of these. */
const HEARTBEAT_MS = 5000;

export function createMailActivities(deps: DeliveryDeps): MailActivities {
  const { now } = deps;
  return {
    async deliverEmail({ tenantId, emailId, pdfId }) {
      const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
      try {
        const ctx = workflowContext(tenantId, now());
        const delivered = await deliverEmail(deps, ctx, { emailId, pdfId }, cancellationSignal());
        if (delivered.outcome === 'later') throw triedLater(delivered);
        return delivered.outcome;
      } catch (error) {
        throw asActivityFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
    async giveUpEmail({ tenantId, emailId, reason }) {
      await giveUpEmail(deps, workflowContext(tenantId, now()), emailId, reason);
    },
    async mailInvitation(input) {
      try {
        return await queueInvitationMail(deps.database, workflowContext(input.tenantId, now()), input.invitationId);
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}

/** What operators see under Last Failure. The reason may name people, and histories must not. */
function triedLater({ seconds }: { readonly seconds: number }): ApplicationFailure {
  const failure = ApplicationFailure.create({
    message: `The mail server has not taken it yet; next try in ${Math.ceil(seconds / 60)} min. GET /api/emails shows why`,
    type: 'mail_later',
    nextRetryDelay: seconds * 1000,
    category: ApplicationFailureCategory.BENIGN,
  });
  failure.stack = '';
  return failure;
}
