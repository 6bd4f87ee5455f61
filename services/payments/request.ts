/** What is asked of an automatic reconciliation. */
import type { Faults } from '../../domain/faults.ts';
import type { MatchingMode } from '../../domain/payments/types.ts';
import type { RunInput } from './schemas.ts';

/** As it is kept with a payment or task until it is done. */
export interface StoredRequest extends Pick<RunInput, 'from' | 'to' | 'allow_combination'> {
  readonly mode: MatchingMode;
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
