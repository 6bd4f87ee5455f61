/** Sends invoices to public bodies through FACe, and follows them there. */
import type { FaceDeps } from '../../services/trade/einvoice/face/deps.ts';
import { exchangeWithFace as exchangeOne, type FaceStep } from '../../services/trade/einvoice/face/exchange.ts';
import type { FaceInput } from '../../workflows/trade/einvoice/contract.ts';
import { BUSY_SECONDS, exchanges } from '../exchanges.ts';
import { workflowContext } from '../failures.ts';

export interface FaceActivities {
  /** Does the next thing that is due. @returns words and numbers only: histories are not for what invoices say */
  exchangeWithFace(input: FaceInput): Promise<FaceStep>;
}

export function createFaceActivities(deps: FaceDeps): FaceActivities {
  const exchange = exchanges<FaceStep>({ did: 'nothing', seconds: BUSY_SECONDS });
  return {
    exchangeWithFace: ({ tenantId }) => exchange(() => exchangeOne(deps, workflowContext(tenantId, deps.now()))),
  };
}
