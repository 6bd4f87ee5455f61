/** What relay and workers must agree on about the value of stock. Only constants and types. */

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
