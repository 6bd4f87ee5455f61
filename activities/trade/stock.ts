/** Recomputes stock values in the background. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import type { Database } from '../../db/database.ts';
import { takeLongWorkSlot } from '../../services/platform/tasks/share.ts';
import { revalueByEvent } from '../../services/trade/stock/revalue.ts';
import type { StockRevaluationInput, StockRevaluationResult } from '../../workflows/trade/stock/contract.ts';
import { currentAttempt, workflowContext } from '../failures.ts';

export interface StockActivities {
  revalueStock(input: StockRevaluationInput): Promise<StockRevaluationResult>;
}

/** Delay before the next try, growing with each attempt, while the company has other long work running. */
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
          message: 'Another long task of this company is running',
          type: 'long_work_waits',
          nextRetryDelay: Math.min(MAX_WAIT_MS, WAIT_MS * currentAttempt()),
          category: ApplicationFailureCategory.BENIGN,
        });
      }
      return { layers };
    },
  };
}
