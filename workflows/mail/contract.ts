/** What relay and workers must agree on about mails. Constants, types, and how one is started. */
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

export const INVITATION_MAIL = 'invitationMail';

/** Ids only: whom it goes to stands in the invitation, and its token in the mail alone. */
export interface InvitationMailInput {
  readonly tenantId: string;
  readonly invitationId: string;
}

export interface InvitationMailResult {
  /** false: it was answered, withdrawn, sent again or has expired before. */
  readonly sent: boolean;
}

/** One mail of an invitation; each resend asks for a further one: `<tenant>/invitation/<invitation>/<mail>`. */
export function invitationMailId({ tenantId, invitationId }: InvitationMailInput, mailId: string): string {
  return `${tenantId}/invitation/${invitationId}/${mailId}`;
}

/** With what the mail of an invitation is started. @param mailId that of the event which asks for it */
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
