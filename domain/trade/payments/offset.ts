/** Offsets credits against invoices: equal amounts of both, so that no money moves. */
import { type Decimal, decimal, sum } from '../../money.ts';

export interface OffsetPart {
  /** Negative for credits. */
  readonly outstanding: Decimal;
  /** The requested amount, with the sign of `outstanding`; null for as much as possible. */
  readonly asked: Decimal | null;
}

/**
 * Computes the offset amount of each part: the requested one, otherwise as much as the other side allows, in the given
 * order.
 * @returns amounts that add up to zero; null if one side requests more than the other has
 */
export function offsetAmounts(parts: readonly OffsetPart[]): Decimal[] | null {
  const isCredit = ({ outstanding }: OffsetPart) => decimal(outstanding).lt(0);
  const all = (credits: boolean) =>
    sum(parts.filter((part) => isCredit(part) === credits).map(({ asked, outstanding }) => asked ?? outstanding)).abs();
  const [owed, credited] = [all(false), all(true)];
  const together = owed.lt(credited) ? owed : credited;
  const left = [false, true].map((credits) =>
    together.minus(sum(parts.filter((part) => isCredit(part) === credits).map(({ asked }) => asked ?? '0')).abs()),
  );
  if (left.some((rest) => rest.lt(0))) return null;
  return parts.map((part) => {
    if (part.asked !== null) return part.asked;
    const side = isCredit(part) ? 1 : 0;
    const [rest, outstanding] = [left[side] ?? decimal(0), decimal(part.outstanding).abs()];
    const amount = rest.lt(outstanding) ? rest : outstanding;
    left[side] = rest.minus(amount);
    return amount.times(side === 1 ? -1 : 1).toFixed();
  });
}
