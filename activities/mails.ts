/** Activities that send mails. */
import {
  type InvitationMailDeps,
  type InvitationMailed,
  mailInvitation,
} from '../services/identity/invitation-mail.ts';
import type { InvitationMailInput } from '../workflows/mail/contract.ts';
import { asActivityFailure } from './failures.ts';

export interface MailActivities {
  mailInvitation(input: InvitationMailInput): Promise<InvitationMailed>;
}

export function createMailActivities({
  now,
  ...deps
}: InvitationMailDeps & { readonly now: () => Date }): MailActivities {
  return {
    async mailInvitation(input) {
      try {
        return await mailInvitation(deps, input, now());
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
