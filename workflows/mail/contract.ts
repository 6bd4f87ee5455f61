/** The contract of mails between relay and workers. Constants, types and start options only. */
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

export const INVITATION_MAIL = 'invitationMail';

/** Ids only: the recipient is in the invitation, and the token only in the mail. */
export interface InvitationMailInput {
  readonly tenantId: string;
  readonly invitationId: string;
}

export interface InvitationMailResult {
  /** false: it was answered, withdrawn, sent again or had expired before. */
  readonly sent: boolean;
}

/** One mail of an invitation; each resend is another one: `<tenant>/invitation/<invitation>/<mail>`. */
export function invitationMailId({ tenantId, invitationId }: InvitationMailInput, mailId: string): string {
  return `${tenantId}/invitation/${invitationId}/${mailId}`;
}

/** Start options of an invitation's mail. @param mailId of the event that requests it */
export function invitationStart(input: InvitationMailInput, mailId: string) {
  const { tenantId, invitationId } = input;
  return {
    workflow: INVITATION_MAIL,
    workflowId: invitationMailId(input, mailId),
    taskQueue: DOCUMENTS_QUEUE,
    args: [input] as [InvitationMailInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Invitation', entityId: invitationId }),
    priority: priorityOf('invitationMail', tenantId),
    staticSummary: `Mail of invitation ${invitationId}`,
  };
}
