/** Determines how a document line is taxed: the basis of its entry and of the cost of purchases. */

import { type Decimal, decimal } from '../../money.ts';
import { selfCharge, type TaxOperation, taxOperation } from '../../trade/documents/operations.ts';
import type { TaxRates, VatUse } from '../../trade/documents/vat.ts';
import { lineDeduction, WHOLE } from './deduction.ts';
import type { LineToTreat } from './invoice.ts';

export interface TaxedLine {
  readonly side: 'sales' | 'purchase';
  /** The tax with its own rates, whatever is charged. */
  readonly tax: TaxRates;
  /** The line's regime, or otherwise the document's. */
  readonly regime: string;
  readonly goods: boolean;
  readonly vatUse: VatUse;
  readonly deductiblePercent: Decimal | null;
  /** Whether the document is under the cash basis, which leaves out what bears no tax of its own (LIVA, art. 163 duodecies). */
  readonly cashBasis?: boolean;
}

const ON_CASH_BASIS: readonly TaxOperation[] = ['domestic', 'surcharge'];

/** Whether tax of an operation accrues with its payments under the cash basis: what is charged at home (LIVA, art. 163 duodecies). */
export function accruesWithPayments(operation: TaxOperation, rate: Decimal): boolean {
  return ON_CASH_BASIS.includes(operation) && !decimal(rate).eq(0);
}

/**
 * Deduction rules that differ from the general ones: a retailer under the equivalence surcharge, or the special pro
 * rata.
 */
export type DeductionRegime = 'surcharge' | 'special';

/**
 * The deduction regime of a company.
 * @returns null for the general one; retailers deduct nothing, whatever their pro rata
 */
export function deductionRegime(surcharge: boolean, specialProRata: boolean): DeductionRegime | null {
  if (surcharge) return 'surcharge';
  return specialProRata ? 'special' : null;
}

/**
 * The tax treatment of a line; only buyers self-assess and deduct taxes.
 * @param company deduction of the selling or buying company
 */
export function taxTreatment(
  { side, tax, regime, goods, vatUse, deductiblePercent, cashBasis = false }: TaxedLine,
  company: DeductionRegime | null,
): Pick<LineToTreat, 'operation' | 'use' | 'selfCharge' | 'deduction'> {
  const usual = taxOperation(side, tax, regime, goods);
  const buys = side === 'purchase';
  const retailer = company === 'surcharge';
  const deduction = buys
    ? lineDeduction({ vatUse, deductiblePercent, retailer, special: company === 'special' })
    : WHOLE;
  const deferred = cashBasis && accruesWithPayments(usual, tax.rate) && !decimal(deduction.own).eq(0);
  const operation = deferred ? 'cash_basis' : usual;
  return {
    operation,
    selfCharge: selfCharge({ side, operation, goods, tax, retailer }),
    use: buys && retailer ? 'none' : vatUse,
    deduction,
  };
}
