/** Stock values recomputed in the background. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Database } from '../db/database.ts';
import { revalueByEvent } from '../services/stock/revalue.ts';
import { takeLongWorkSlot } from '../services/tasks/share.ts';
import type { StockRevaluationInput, StockRevaluationResult } from '../workflows/stock/contract.ts';
import { currentAttempt, workflowContext } from './failures.ts';

export interface StockActivities {
  revalueStock(input: StockRevaluationInput): Promise<StockRevaluationResult>;
}

/** Pause before the next try while the company has other long work under way: longer each time. */
const WAIT_MS = 2000;
const MAX_WAIT_MS = 60_000;

interface StockDeps {
  readonly database: Database;
  readonly now: () => Date;
}

export function createStockActivities({ database, now }: StockDeps): StockActivities {
  return {
    async revalueStock({ tenantId, eventId }) {
      const layers = await database.withTenant({ tenantId }, async (trx) =>
        (await takeLongWorkSlot(trx, tenantId)) ? revalueByEvent(trx, workflowContext(tenantId, now()), eventId) : null,
      );
      if (layers === null) {
        throw ApplicationFailure.create({
          message: 'Other long work of this company is running',
          type: 'long_work_waits',
          nextRetryDelay: Math.min(MAX_WAIT_MS, WAIT_MS * currentAttempt()),
          category: ApplicationFailureCategory.BENIGN,
        });
      }
      return { layers };
    },
  };
}
