/** Contract of sending records to the tax agency, between the relay and the workers. Constants, types and start options only. */
import { defineSignal } from '@temporalio/workflow';
import { WEBHOOKS_QUEUE } from '../../integrations/webhooks/contract.ts';
import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';

export const VERIFACTU_SUBMISSION = 'verifactuSubmission';

export interface VerifactuInput {
  readonly tenantId: string;
}

/** Something has changed: records wait, or what kept them from being sent is mended. */
export const lookForRecords = defineSignal<[null]>('lookForRecords');

/** Workflow id: one for each company, `<tenant>/verifactu`. */
export function verifactuId({ tenantId }: VerifactuInput): string {
  return `${tenantId}/verifactu`;
}

/** Start options; it runs on the queue of work that waits for other servers. */
export function verifactuStart(input: VerifactuInput) {
  const { tenantId } = input;
  return {
    workflow: VERIFACTU_SUBMISSION,
    workflowId: verifactuId(input),
    taskQueue: WEBHOOKS_QUEUE,
    args: [input] as [VerifactuInput],
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Company', entityId: tenantId }),
    priority: taskPriority('verifactu', tenantId),
    staticSummary: 'Records of invoices for the tax agency',
  };
}
