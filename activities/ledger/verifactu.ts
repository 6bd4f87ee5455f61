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
/** Messages of a worker under way at once; further companies come again after some seconds. */
const MOST = 50;
const BUSY_SECONDS = 5;

export function createVerifactuActivities(deps: SendingDeps): VerifactuActivities {
  let underWay = 0;
  return {
    async sendNextRecords({ tenantId }) {
      // An agency that does not answer would take all slots of the queue from webhooks.
      if (underWay >= MOST) return { next: 'wait', seconds: BUSY_SECONDS, waiting: 0 };
      underWay += 1;
      const beat = setInterval(heartbeat, HEARTBEAT_MS);
      try {
        return await sendRecords(deps, workflowContext(tenantId, deps.now()));
      } catch (error) {
        throw asActivityFailure(error);
      } finally {
        clearInterval(beat);
        underWay -= 1;
      }
    },
  };
}
