/**
 * How much of the tax of purchases can be deducted (LIVA, arts. 94 to 106), and how much is lost: part of the cost of what is bought
 * (decision 0160).
 */
import type { VatUse } from '../documents/vat.ts';
import { type Decimal, decimal, distribute, round, sum } from '../money.ts';
import type { InvoiceToEnter, LineToTreat } from './invoice.ts';
import { type Treatment, treatmentsOf } from './treatments.ts';

/** How the tax of a line is deducted. */
export interface Deduction {
  /** The line's own percentage; 0 where nothing can be deducted. */
  readonly own: Decimal;
  /** Whether the pro rata lowers the rest further. */
  readonly common: boolean;
}

export const WHOLE: Deduction = { own: '100', common: true };

interface Purchased {
  readonly vatUse: VatUse;
  /** null = nobody said. */
  readonly deductiblePercent: Decimal | null;
  /** The buyer is a retailer under the equivalence surcharge, who deducts nothing (LIVA, art. 154). */
  readonly retailer: boolean;
  /** A line with a percentage of its own is of one activity, and the pro rata leaves it alone (LIVA, art. 106). */
  readonly special: boolean;
}

/** The deduction of a purchased line. */
export function deductionOf({ vatUse, deductiblePercent, retailer, special }: Purchased): Deduction {
  const own = deductiblePercent ?? '100';
  if (retailer || vatUse === 'none' || decimal(own).eq(0)) return { own: '0', common: false };
  return { own: decimal(own).toFixed(), common: !special || deductiblePercent === null };
}

/**
 * The tax of each purchased line that cannot be deducted, charged or self-assessed, signed like the line's amount: the net cost of a line
 * is its amount and this. What is lost is rounded once for lines that are taxed alike, and shared by their amounts.
 * @param proRata percentage of what is deducted of tax that is common to all activities
 */
export function lostTaxes<Line extends LineToTreat>(
  purchase: Pick<InvoiceToEnter<Line>, 'lines' | 'taxes' | 'places'>,
  proRata: Decimal,
): Decimal[] {
  const { places } = purchase;
  const lost = new Map<LineToTreat, Decimal>();
  for (const treatment of treatmentsOf(purchase)) {
    const shares = distribute(
      lostOf(treatment, proRata, places),
      treatment.lines.map(({ amount }) => amount),
      places,
    );
    treatment.lines.forEach((line, index) => {
      lost.set(line, shares[index] as Decimal);
    });
  }
  return purchase.lines.map((line) => lost.get(line) ?? '0');
}

function lostOf(treatment: Treatment<LineToTreat>, proRata: Decimal, places: number): Decimal {
  const { amount, surchargeAmount } = borneTax(treatment, places);
  const { own, common } = treatment.deduction;
  if (decimal(own).eq(0)) return sum([amount, surchargeAmount]).toFixed();
  const percent = decimal(own).times(common ? proRata : '100');
  return decimal(amount)
    .minus(round(decimal(amount).times(percent).times('0.0001'), places))
    .toFixed();
}

/** The tax that lines bear: as charged, or as the buyer self-assesses it. */
export function borneTax(
  { base, rate, amount, surchargeRate, surchargeAmount, selfCharge }: Treatment<LineToTreat>,
  places: number,
): {
  readonly rate: Decimal;
  readonly amount: Decimal;
  readonly surchargeRate: Decimal;
  readonly surchargeAmount: Decimal;
} {
  if (selfCharge === null) return { rate, amount, surchargeRate, surchargeAmount };
  const of = (percent: Decimal) => round(decimal(base).times(percent).times('0.01'), places);
  const { rate: own, surchargeRate: ownSurcharge } = selfCharge;
  return { rate: own, amount: of(own), surchargeRate: ownSurcharge, surchargeAmount: of(ownSurcharge) };
}
