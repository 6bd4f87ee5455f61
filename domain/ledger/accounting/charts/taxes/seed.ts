/** The beginning of a company that charges another indirect tax than VAT (decision 0364). */
import type { ChartAccount, TaxSeed } from '../chart.ts';

export interface TaxSetSeed {
  /** Codes of the general rate, the default of items and lines; none if there is no general one. */
  readonly general: readonly string[];
  /** Its accounts in the Spanish charts. */
  readonly accounts: readonly Pick<ChartAccount, 'code' | 'name' | 'type'>[];
  readonly taxes: readonly TaxSeed[];
}
