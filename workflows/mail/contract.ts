/** The contract of mails between relay and workers. Constants, types and start options only. */
import { DOCUMENTS_QUEUE } from '../documents/contract.ts';
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Task queue of the mail server: slow or away, it holds up nothing else. */
export const MAIL_QUEUE = 'mail';
export const EMAIL_DELIVERY = 'emailDelivery';
export const INVITATION_MAIL = 'invitationMail';

/** Ids only: the mail is in the database, and its secrets only in what is sent. */
export interface EmailInput {
  readonly tenantId: string;
  readonly emailId: string;
  /** The document whose PDF it carries. */
  readonly documentId?: string;
}

export interface EmailResult {
  readonly outcome: 'sent' | 'failed' | 'gone';
}

/** One mail: `<tenant>/email/<mail>`. */
export function emailDeliveryId({ tenantId, emailId }: EmailInput): string {
  return `${tenantId}/email/${emailId}`;
}

/** Start options of a mail's delivery, which happens once. */
export function emailStart({ tenantId, emailId, documentId }: EmailInput) {
  const input = { tenantId, emailId, ...(documentId === undefined ? {} : { documentId }) };
  return {
    workflow: EMAIL_DELIVERY,
    workflowId: emailDeliveryId(input),
    taskQueue: MAIL_QUEUE,
    args: [input] as [EmailInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Email', entityId: emailId }),
    priority: priorityOf('emailDelivery', tenantId),
    staticSummary: `E-mail ${emailId}`,
    staticDetails: `What became of it: \`GET /api/emails/${emailId}\``,
  };
}

/** Ids only: the recipient is in the invitation. */
export interface InvitationMailInput {
  readonly tenantId: string;
  readonly invitationId: string;
}

export interface InvitationMailResult {
  /** Whether its mail is on its way; false: it was answered, withdrawn, sent again or had expired before. */
  readonly sent: boolean;
}

/** One mail of an invitation; each resend is another one: `<tenant>/invitation/<invitation>/<mail>`. */
export function invitationMailId({ tenantId, invitationId }: InvitationMailInput, mailId: string): string {
  return `${tenantId}/invitation/${invitationId}/${mailId}`;
}

/** Start options of the mail of an invitation of an earlier release. @param mailId of the event that requests it */
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
