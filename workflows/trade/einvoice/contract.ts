/** Contract of sending invoices through FACe, between the relay and the workers. Constants, types and start options only. */
import { defineSignal } from '@temporalio/workflow';
import { WEBHOOKS_QUEUE } from '../../integrations/webhooks/contract.ts';
import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

export const FACE_SUBMISSION = 'faceSubmission';

export interface FaceInput {
  readonly tenantId: string;
}

/** Something is to be done about an invoice. */
export const lookForInvoices = defineSignal<[null]>('lookForInvoices');

/** Workflow id: one for each company, `<tenant>/face`. */
export function faceId({ tenantId }: FaceInput): string {
  return `${tenantId}/face`;
}

/** Start options; it runs on the queue of work that waits for other servers. */
export function faceStart(input: FaceInput) {
  const { tenantId } = input;
  return {
    workflow: FACE_SUBMISSION,
    workflowId: faceId(input),
    taskQueue: WEBHOOKS_QUEUE,
    args: [input] as [FaceInput],
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Company', entityId: tenantId }),
    priority: taskPriority('face', tenantId),
    staticSummary: 'Invoices to public bodies (FACe)',
  };
}
