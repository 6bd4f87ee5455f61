/** The contract of stock revaluation between relay and workers. Constants, types and start options only. */
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';
import { TASKS_QUEUE } from '../tasks/contract.ts';

export const STOCK_REVALUATION = 'stockRevaluation';

/** Ids only: the event says which stock, and from which day. */
export interface StockRevaluationInput {
  readonly tenantId: string;
  readonly eventId: string;
}

export interface StockRevaluationResult {
  /** How many layers were recomputed. */
  readonly layers: number;
}

/** One back-dated movement with many later ones: `<tenant>/revaluation/<event>`. */
export function stockRevaluationId({ tenantId, eventId }: StockRevaluationInput): string {
  return `${tenantId}/revaluation/${eventId}`;
}

/** Start options of a revaluation. */
export function revaluationStart(input: StockRevaluationInput, itemId: string) {
  const { tenantId } = input;
  return {
    workflow: STOCK_REVALUATION,
    workflowId: stockRevaluationId(input),
    taskQueue: TASKS_QUEUE,
    args: [input] as [StockRevaluationInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Item', entityId: itemId }),
    priority: priorityOf('stockRevaluation', tenantId),
    staticSummary: `Value of item ${itemId} after a back-dated movement`,
  };
}
