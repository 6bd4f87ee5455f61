/** What relay and workers must agree on about the value of stock. Constants, types, and how a revaluation is started. */
import { priorityOf } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';
import { TASKS_QUEUE } from '../tasks/contract.ts';

export const STOCK_REVALUATION = 'stockRevaluation';

/** Ids only: which stock, and from which day, stands in the event. */
export interface StockRevaluationInput {
  readonly tenantId: string;
  readonly eventId: string;
}

export interface StockRevaluationResult {
  /** How many layers were worked out again. */
  readonly layers: number;
}

/** One back-dated movement with many later ones: `<tenant>/revaluation/<event>`. */
export function stockRevaluationId({ tenantId, eventId }: StockRevaluationInput): string {
  return `${tenantId}/revaluation/${eventId}`;
}

/** With what a revaluation is started, by whomever. */
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
