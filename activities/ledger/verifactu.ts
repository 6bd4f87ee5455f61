/** Sends records of invoices to the tax agency. */
import {
  type SendingDeps,
  type SendingStep,
  sendRecords,
} from '../../services/ledger/verifactu/sending/send-records.ts';
import type { VerifactuInput } from '../../workflows/ledger/verifactu/contract.ts';
import { BUSY_SECONDS, exchanges } from '../exchanges.ts';
import { workflowContext } from '../failures.ts';

export interface VerifactuActivities {
  /** Sends a message, if one is due. @returns numbers and codes only: histories are not for what invoices say */
  sendNextRecords(input: VerifactuInput): Promise<SendingStep>;
}

export function createVerifactuActivities(deps: SendingDeps): VerifactuActivities {
  const exchange = exchanges<SendingStep>({ next: 'wait', seconds: BUSY_SECONDS, waiting: 0 });
  return {
    sendNextRecords: ({ tenantId }) => exchange(() => sendRecords(deps, workflowContext(tenantId, deps.now()))),
  };
}
