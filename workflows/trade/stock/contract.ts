/** Contract of stock revaluation between the relay and the workers. Constants, types and start options only. */
import { taskPriority } from '../../platform/priorities/contract.ts';
import { searchAttributes } from '../../platform/search-attributes/contract.ts';
import { TASKS_QUEUE } from '../../platform/tasks/contract.ts';

export const STOCK_REVALUATION = 'stockRevaluation';

/** Reference to the outbox event, which names the stock and the first day. */
export interface StockRevaluationInput {
  readonly tenantId: string;
  readonly eventId: string;
}

export interface StockRevaluationResult {
  /** Number of recomputed layers. */
  readonly layers: number;
}

/** Workflow id for one back-dated movement with many later ones: `<tenant>/revaluation/<event>`. */
export function stockRevaluationId({ tenantId, eventId }: StockRevaluationInput): string {
  return `${tenantId}/revaluation/${eventId}`;
}

/** Start options for a revaluation. */
export function revaluationStart(input: StockRevaluationInput, itemId: string) {
  const { tenantId } = input;
  return {
    workflow: STOCK_REVALUATION,
    workflowId: stockRevaluationId(input),
    taskQueue: TASKS_QUEUE,
    args: [input] as [StockRevaluationInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Item', entityId: itemId }),
    priority: taskPriority('stockRevaluation', tenantId),
    staticSummary: `Value of item ${itemId} after a back-dated movement`,
  };
}
