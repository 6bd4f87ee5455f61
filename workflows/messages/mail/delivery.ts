/** Delivers one mail. The activity schedules each retry, at growing intervals, until the mail is sent, refused or given up. */
import { ActivityCancellationType, CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { MailActivities } from '../../../activities/messages/mail.ts';
import type { PdfActivities } from '../../../activities/trade/pdf.ts';
import { failWork, shown } from '../../details.ts';
import { PDF_QUEUE } from '../../trade/documents/contract.ts';
import type { EmailInput, EmailResult } from './contract.ts';

const mails = proxyActivities<MailActivities>({
  startToCloseTimeout: '13 minutes',
  heartbeatTimeout: '20 seconds',
  // Only for the service's own failures (database down, worker killed): after a server's answer the activity sets the delay.
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 minutes' },
  // Waits until the server's answer to a mail being sent is recorded.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});
const pdfs = proxyActivities<PdfActivities>({
  taskQueue: PDF_QUEUE,
  startToCloseTimeout: '1 minute',
  // As long as mails are retried.
  scheduleToCloseTimeout: '5 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
});

const TEXTS = {
  what: 'Delivery of an e-mail',
  begun: 'Pending Activities › Last Failure shows the state of the delivery; Reset there retries now',
  done: ({ outcome }: EmailResult) => OUTCOMES[outcome],
  outcome: ({ outcome }: EmailResult) => MAIL_OUTCOMES[outcome],
  failed: 'The mail is not sent: POST /api/emails/{id}/resend sends it again',
  cancelled: 'It will not be sent: POST /api/emails/{id}/resend sends it again',
  more: ['“Request Cancellation” gives up this mail'],
};

const OUTCOMES: Readonly<Record<EmailResult['outcome'], string>> = {
  sent: 'Accepted by the mail server',
  failed: 'Not sent: `GET /api/emails` shows the reason. It can be sent again',
  gone: 'Not sent: the mail was deleted',
};

const MAIL_OUTCOMES = { sent: null, failed: 'failed', gone: 'skipped' } as const;

export async function emailDelivery(input: EmailInput): Promise<EmailResult> {
  return shown(TEXTS, async () => {
    const outcome = await tryToDeliver(input);
    if (outcome === 'failed') failWork(OUTCOMES.failed);
    return { outcome };
  });
}

async function tryToDeliver(input: EmailInput): Promise<EmailResult['outcome']> {
  try {
    return await deliver(input);
  } catch (error) {
    const { consideredCancelled: isStopped } = CancellationScope.current();
    const reason = isStopped ? 'It was stopped by an operator' : 'The service could not make or send it';
    await CancellationScope.nonCancellable(() =>
      mails.giveUpEmail.executeWithOptions({ summary: 'Give up the mail' }, [{ ...input, reason }]),
    );
    if (isStopped) throw error;
    return 'failed';
  }
}

async function deliver(input: EmailInput): Promise<EmailResult['outcome']> {
  const { tenantId, documentId } = input;
  for (;;) {
    const pdf =
      documentId === undefined
        ? undefined
        : await pdfs.renderDocumentPdf.executeWithOptions({ summary: 'Make the attached PDF' }, [
            { tenantId, documentId },
          ]);
    const outcome = await mails.deliverEmail.executeWithOptions({ summary: 'Hand the mail to the server' }, [
      { ...input, ...(pdf === undefined ? {} : { pdfId: pdf.fileId }) },
    ]);
    if (outcome !== 'no_pdf') return outcome;
  }
}
