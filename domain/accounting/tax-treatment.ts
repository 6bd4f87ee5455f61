/** How a line of a document is taxed: what its entry and the cost of what it buys are made from. */
import type { TaxRates, VatUse } from '../documents/vat.ts';
import type { Decimal } from '../money.ts';
import { deductionOf, WHOLE } from './deduction.ts';
import type { LineToTreat } from './invoice.ts';
import { selfCharge, taxOperation } from './operations.ts';

export interface TaxedLine {
  readonly side: 'sales' | 'purchase';
  /** The tax with its own rates, whatever is charged. */
  readonly tax: TaxRates;
  /** The line's, else the document's. */
  readonly regime: string;
  readonly goods: boolean;
  readonly vatUse: VatUse;
  readonly deductiblePercent: Decimal | null;
}

/** How a company deducts that is a retailer under the equivalence surcharge, or whose pro rata is the special one. */
export type DeductionRegime = 'surcharge' | 'special';

/** @returns null in the general regime; retailers deduct nothing, whatever their pro rata */
export function deductionRegime(surcharge: boolean, specialProRata: boolean): DeductionRegime | null {
  if (surcharge) return 'surcharge';
  return specialProRata ? 'special' : null;
}

/**
 * The treatment of a line; only buyers assess taxes themselves and deduct.
 * @param company how the company deducts that sells or buys
 */
export function taxTreatment(
  { side, tax, regime, goods, vatUse, deductiblePercent }: TaxedLine,
  company: DeductionRegime | null,
): Pick<LineToTreat, 'operation' | 'use' | 'selfCharge' | 'deduction'> {
  const operation = taxOperation(side, tax.kind, regime, goods);
  const buys = side === 'purchase';
  const retailer = company === 'surcharge';
  return {
    operation,
    selfCharge: selfCharge({ side, operation, goods, tax, retailer }),
    use: buys && retailer ? 'none' : vatUse,
    deduction: buys ? deductionOf({ vatUse, deductiblePercent, retailer, special: company === 'special' }) : WHOLE,
  };
}
