/** Values of stock that are worked out in the background. */
import type { Database } from '../db/database.ts';
import { revalueByEvent } from '../services/stock/revalue.ts';
import type { StockRevaluationInput, StockRevaluationResult } from '../workflows/stock/contract.ts';

export interface StockActivities {
  revalueStock(input: StockRevaluationInput): Promise<StockRevaluationResult>;
}

export function createStockActivities({ database }: { readonly database: Database }): StockActivities {
  return {
    async revalueStock({ tenantId, eventId }) {
      return { layers: await database.withTenant({ tenantId }, (trx) => revalueByEvent(trx, eventId)) };
    },
  };
}
