/** What is credited set off against invoices: as much of both, so that no money is needed. */
import { type Decimal, decimal, sum } from '../money.ts';

export interface OffsetPart {
  /** Below zero for what is credited. */
  readonly outstanding: Decimal;
  /** What is asked to be set off, with the sign of what is outstanding; null for as much as there is. */
  readonly asked: Decimal | null;
}

/**
 * How much of each is set off: where nothing is asked for, as much as the other side reaches, in the order given.
 * @returns amounts that add up to zero; null where what is asked of one side is more than the other has
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
