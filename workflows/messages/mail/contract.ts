/** Contract for mails between relay and workers: constants, types and start options only. */

import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

/** Task queue of mails: a mail server that is slow or down delays nothing else. */
export const MAIL_QUEUE = 'mail';
export const EMAIL_DELIVERY = 'emailDelivery';

/** Ids only: the mail is in the database, and its secrets only in the sent text. */
export interface EmailInput {
  readonly tenantId: string;
  readonly emailId: string;
  /** The document whose PDF is attached. */
  readonly documentId?: string;
}

export interface EmailResult {
  readonly outcome: 'sent' | 'failed' | 'gone';
}

/** Workflow id of a mail: `<tenant>/email/<mail>`. */
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
    priority: taskPriority('emailDelivery', tenantId),
    staticSummary: `E-mail ${emailId}`,
    staticDetails: `Outcome: \`GET /api/emails/${emailId}\``,
  };
}
