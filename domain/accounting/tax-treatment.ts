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

/** The company that sells or buys. */
export interface TaxedCompany {
  /** It is a retailer under the equivalence surcharge. */
  readonly retailer: boolean;
  /** Its pro rata is the special one. */
  readonly specialProRata: boolean;
}

/** The treatment of a line; only buyers assess taxes themselves and deduct. */
export function taxTreatment(
  { side, tax, regime, goods, vatUse, deductiblePercent }: TaxedLine,
  { retailer, specialProRata }: TaxedCompany,
): Pick<LineToTreat, 'operation' | 'use' | 'selfCharge' | 'deduction'> {
  const operation = taxOperation(side, tax.kind, regime, goods);
  const buys = side === 'purchase';
  return {
    operation,
    selfCharge: selfCharge({ side, operation, goods, tax, retailer }),
    use: buys && retailer ? 'none' : vatUse,
    deduction: buys ? deductionOf({ vatUse, deductiblePercent, retailer, special: specialProRata }) : WHOLE,
  };
}
