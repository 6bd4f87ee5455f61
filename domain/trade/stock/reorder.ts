/** How much to order again. */
import { type Decimal, decimal } from '../../money.ts';

export interface ReorderLevels {
  readonly minimum: Decimal;
  /** Null = the minimum. */
  readonly maximum: Decimal | null;
  /** Ordered in multiples of this; null for any quantity. */
  readonly packQuantity: Decimal | null;
}

/** The quantity to order; 0 if enough is expected. @param projected on hand, less reserved, plus ordered */
export function reorderQuantity(projected: Decimal, { minimum, maximum, packQuantity }: ReorderLevels): Decimal {
  if (!decimal(projected).lt(minimum)) return '0';
  const missing = decimal(maximum ?? minimum).minus(projected);
  if (packQuantity === null) return missing.toFixed();
  const packs = missing.div(packQuantity);
  const whole = packs.round(0, 0);
  return (whole.lt(packs) ? whole.plus(1) : whole).times(packQuantity).toFixed();
}
