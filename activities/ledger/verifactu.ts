/** Sends records of invoices to the tax agency. */
import { heartbeat } from '@temporalio/activity';
import {
  type SendingDeps,
  type SendingStep,
  sendRecords,
} from '../../services/ledger/verifactu/sending/send-records.ts';
import type { VerifactuInput } from '../../workflows/ledger/verifactu/contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';

export interface VerifactuActivities {
  /** Sends a message, if one is due. @returns numbers and codes only: histories are not for what invoices say */
  sendNextRecords(input: VerifactuInput): Promise<SendingStep>;
}

/** Temporal notices a killed worker after a few missed heartbeats. */
const HEARTBEAT_MS = 3000;

export function createVerifactuActivities(deps: SendingDeps): VerifactuActivities {
  return {
    async sendNextRecords({ tenantId }) {
      const beat = setInterval(heartbeat, HEARTBEAT_MS);
      try {
        return await sendRecords(deps, workflowContext(tenantId, deps.now()));
      } catch (error) {
        throw asActivityFailure(error);
      } finally {
        clearInterval(beat);
      }
    },
  };
}
