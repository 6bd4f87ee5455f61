/** Tax on purchases that the company cannot deduct, which becomes part of the cost. */
import { lostTaxes } from '../../../../domain/ledger/accounting/deduction.ts';
import { type DeductionRegime, taxTreatment } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import type { Decimal } from '../../../../domain/money.ts';
import type { DocumentTotals } from '../../../../domain/trade/documents/totals.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { PreparedLine } from '../prepared.ts';
import type { BaseDocument, References, TaxReference } from './references.ts';

/**
 * The pro rata for deducting a purchase; a rectified purchase keeps the one it was deducted by.
 * @returns null if all tax is deducted
 */
export function purchaseProRata(
  { side }: DocumentTypeInfo,
  rectified: BaseDocument | undefined,
  references: References,
) {
  if (side === 'sales') return null;
  return rectified === undefined ? references.proRata : rectified.proRata;
}

/** The company's deduction regime for a purchase; a corrected purchase keeps its own. */
export function purchaseDeductionRegime(
  { side }: DocumentTypeInfo,
  corrected: BaseDocument | undefined,
  references: References,
): DeductionRegime | null {
  if (side === 'sales') return null;
  return (corrected ?? references).deductionRegime;
}

interface Purchase {
  readonly lines: readonly Pick<
    PreparedLine,
    'itemId' | 'taxGroupId' | 'taxRate' | 'surchargeRate' | 'vatRegime' | 'vatUse' | 'deductiblePercent'
  >[];
  readonly vatRegime: VatRegime;
  readonly proRata: Decimal | null;
  readonly deductionRegime: DeductionRegime | null;
  readonly totals: Pick<DocumentTotals, 'amounts' | 'taxes'>;
}

/** Computes the lost tax of each line; 0 on sales. @param places decimals of the amounts */
export function computeLostTaxes(
  { side }: DocumentTypeInfo,
  { lines, vatRegime, proRata, deductionRegime, totals }: Purchase,
  { items, taxes }: Pick<References, 'items' | 'taxes'>,
  places: number,
): readonly Decimal[] {
  if (side === 'sales') return lines.map(() => '0');
  const treated = lines.map((line, index) => {
    const tax = taxes.get(line.taxGroupId) as TaxReference;
    const goods = line.itemId !== null && items.get(line.itemId)?.type === 'product';
    const regime = line.vatRegime ?? vatRegime;
    const treatment = taxTreatment({ ...line, side, tax, regime, goods }, deductionRegime);
    const { taxGroupId, taxRate, surchargeRate } = line;
    return { taxGroupId, taxRate, surchargeRate, amount: totals.amounts[index] ?? '0', ...treatment };
  });
  return lostTaxes({ lines: treated, taxes: totals.taxes, places }, proRata ?? '100');
}
