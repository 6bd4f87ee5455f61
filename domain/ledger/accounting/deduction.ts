/**
 * The deductible part of tax on purchases (LIVA, arts. 94 to 106), and the lost part, which is part of the cost
 * (decision 0160).
 */

import { type Decimal, decimal, distribute, round, sum } from '../../money.ts';
import type { VatUse } from '../../trade/documents/vat.ts';
import type { Deduction, InvoiceToEnter, LineToTreat } from './invoice.ts';
import { groupTreatments, type Treatment } from './treatments.ts';

export const WHOLE: Deduction = { own: '100', common: true };

interface Purchased {
  readonly vatUse: VatUse;
  /** null if not set. */
  readonly deductiblePercent: Decimal | null;
  /** Whether the buyer is a retailer under the equivalence surcharge, who deducts nothing (LIVA, art. 154). */
  readonly retailer: boolean;
  /**
   * Whether the special pro rata applies: a line with its own percentage then belongs to one activity, without pro rata
   * (LIVA, art. 106).
   */
  readonly special: boolean;
}

/** The deduction of a purchase line. */
export function lineDeduction({ vatUse, deductiblePercent, retailer, special }: Purchased): Deduction {
  const own = deductiblePercent ?? '100';
  if (retailer || vatUse === 'none' || decimal(own).eq(0)) return { own: '0', common: false };
  return { own: decimal(own).toFixed(), common: !special || deductiblePercent === null };
}

/**
 * The non-deductible tax of each purchase line, charged or self-assessed, signed like the line's amount: the net cost
 * of a line is the sum of both. Lost tax is rounded once for lines taxed alike, and divided in proportion to their
 * amounts.
 * @param proRata percentage deducted of tax that is common to all activities
 */
export function lostTaxes<Line extends LineToTreat>(
  purchase: Pick<InvoiceToEnter<Line>, 'lines' | 'taxes' | 'places'>,
  proRata: Decimal,
): Decimal[] {
  const { places } = purchase;
  const lost = new Map<LineToTreat, Decimal>();
  for (const treatment of groupTreatments(purchase)) {
    const shares = distribute(
      lostTax(treatment, proRata, places),
      treatment.lines.map(({ amount }) => amount),
      places,
    );
    treatment.lines.forEach((line, index) => {
      lost.set(line, shares[index] as Decimal);
    });
  }
  return purchase.lines.map((line) => lost.get(line) ?? '0');
}

function lostTax(treatment: Treatment<LineToTreat>, proRata: Decimal, places: number): Decimal {
  const { amount, surchargeAmount } = borneTax(treatment, places);
  const { own, common } = treatment.deduction;
  if (decimal(own).eq(0)) return sum([amount, surchargeAmount]).toFixed();
  const percent = decimal(own).times(common ? proRata : '100');
  return decimal(amount)
    .minus(round(decimal(amount).times(percent).times('0.0001'), places))
    .toFixed();
}

/** The tax that lines bear, as charged or as self-assessed by the buyer. */
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
