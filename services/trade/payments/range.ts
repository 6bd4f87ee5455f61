/** The dates that a matching is limited to. */
import type { Faults } from '../../../domain/faults.ts';

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
