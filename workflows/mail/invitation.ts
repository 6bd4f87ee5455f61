/** Sends the mail of an invitation. It waits here while the address has received too many mails. */
import { proxyActivities, sleep } from '@temporalio/workflow';
import type { MailActivities } from '../../activities/mails.ts';
import { shown } from '../details.ts';
import type { InvitationMailInput, InvitationMailResult } from './contract.ts';

const mails = proxyActivities<MailActivities>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const TEXTS = {
  what: 'Mail of an invitation',
  begun: 'Nothing to do: failures are retried; an address that has received too many mails gets it an hour later',
  done: ({ sent }: InvitationMailResult) =>
    sent ? 'Sent' : 'Not sent: the invitation was answered, withdrawn or sent again, or has expired',
  failed: 'POST /api/invitations/{id}/resend sends another',
  cancelled: 'Not sent: POST /api/invitations/{id}/resend sends another',
  more: [],
};

export async function invitationMail(input: InvitationMailInput): Promise<InvitationMailResult> {
  return shown(TEXTS, async () => {
    for (;;) {
      const { sent, waitSeconds } = await mails.mailInvitation.executeWithOptions({ summary: 'Write the mail' }, [
        input,
      ]);
      if (waitSeconds === 0) return { sent };
      await sleep(waitSeconds * 1000);
    }
  });
}
