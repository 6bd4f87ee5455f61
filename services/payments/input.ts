/** What clients send about payments; the routes' schemas have checked its form. */

import type { Faults } from '../../domain/faults.ts';
import type { MatchingMode, PaymentMethod, ReconciliationMode } from '../../domain/payments/types.ts';

export interface LinkInput {
  readonly document_type: string;
  readonly document_id: string;
  /** What is outstanding, as far as the payment reaches, when absent. */
  readonly amount_applied?: number;
  readonly withholding?: number;
  readonly discount?: number;
  readonly write_off?: number;
}

export interface ReconciliationInput {
  readonly mode: ReconciliationMode;
  readonly from?: string;
  readonly to?: string;
  readonly allow_combination?: boolean;
}

export interface PaymentInput {
  readonly partner_id: string;
  readonly amount: number;
  readonly payment_date: string;
  readonly payment_method: PaymentMethod;
  readonly bank_account_id?: string | null;
  readonly reference?: string | null;
  readonly notes?: string | null;
  readonly linked_documents?: readonly LinkInput[];
  readonly auto_reconcile?: boolean;
  readonly reconciliation?: ReconciliationInput;
}

export interface ApplyInput extends ReconciliationInput {
  readonly linked_documents?: readonly LinkInput[];
  /** Day of the entry. */
  readonly date?: string;
}

/** An automatic reconciliation as it is kept with a payment or task until it is done. */
export interface StoredRequest {
  readonly mode: MatchingMode;
  readonly from?: string;
  readonly to?: string;
  readonly allow_combination?: boolean;
}

/** `to` must not be before `from`. */
export function checkRange(
  range: { readonly from?: string; readonly to?: string } | undefined,
  at: string,
  faults: Faults,
): void {
  if (range?.from !== undefined && range.to !== undefined && range.to < range.from) {
    faults.add(`${at}/to`, 'out_of_range', 'must not be before from');
  }
}
