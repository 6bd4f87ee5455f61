/** Values of stock that are worked out in the background. */
import type { Database } from '../db/database.ts';
import { revalueByEvent } from '../services/stock/revalue.ts';
import type { StockRevaluationInput, StockRevaluationResult } from '../workflows/stock/contract.ts';

export interface StockActivities {
  revalueStock(input: StockRevaluationInput): Promise<StockRevaluationResult>;
}

interface StockDeps {
  readonly database: Database;
  readonly now: () => Date;
}

export function createStockActivities({ database, now }: StockDeps): StockActivities {
  return {
    async revalueStock({ tenantId, eventId }) {
      return {
        layers: await database.withTenant({ tenantId }, (trx) =>
          revalueByEvent(trx, { tenantId, now: now() }, eventId),
        ),
      };
    },
  };
}
