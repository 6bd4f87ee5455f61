/** Activities that send mails. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { type DeliveryDeps, deliverMail, giveUpMail } from '../../services/messages/mail/deliver.ts';
import type { EmailInput, EmailResult } from '../../workflows/messages/mail/contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';

export interface MailActivities {
  /** Tries to hand the mail to the server once. `no_pdf`: its attached PDF must be rendered first. */
  deliverEmail(input: EmailInput & { readonly pdfId?: string }): Promise<EmailResult['outcome'] | 'no_pdf'>;
  /** Marks a mail as failed, for the given reason. */
  giveUpEmail(input: EmailInput & { readonly reason: string }): Promise<void>;
}

/** Temporal notices a killed worker after a few missed heartbeats. */
const HEARTBEAT_MS = 5000;

export function createMailActivities(deps: DeliveryDeps): MailActivities {
  const { now } = deps;
  return {
    async deliverEmail({ tenantId, emailId, pdfId }) {
      const beat = setInterval(() => heartbeat(), HEARTBEAT_MS);
      try {
        const ctx = workflowContext(tenantId, now());
        const delivered = await deliverMail(deps, ctx, { emailId, pdfId }, cancellationSignal());
        if (delivered.outcome === 'later') throw triedLater(delivered);
        return delivered.outcome;
      } catch (error) {
        throw asActivityFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
    async giveUpEmail({ tenantId, emailId, reason }) {
      await giveUpMail(deps, workflowContext(tenantId, now()), emailId, reason);
    },
  };
}

/** The failure that operators see under Last Failure. It omits the server's reason, which may name people: histories must not. */
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
