/** The tax of purchased lines that the company cannot deduct, which is part of what it buys. */
import { lostTaxes } from '../../../domain/accounting/deduction.ts';
import { type DeductionRegime, taxTreatment } from '../../../domain/accounting/tax-treatment.ts';
import type { DocumentTotals } from '../../../domain/documents/totals.ts';
import type { DocumentTypeInfo } from '../../../domain/documents/types.ts';
import type { VatRegime } from '../../../domain/documents/vat.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { PreparedLine } from '../prepared.ts';
import type { BaseDocument, References, TaxReference } from './references.ts';

/**
 * The pro rata that a purchase is deducted by: what is rectified, as it was deducted.
 * @returns null where all is deducted
 */
export function proRataOf({ side }: DocumentTypeInfo, rectified: BaseDocument | undefined, references: References) {
  if (side === 'sales') return null;
  return rectified === undefined ? references.proRata : rectified.proRata;
}

/** How the company deducts a purchase: what is taken back, as it was deducted. */
export function deductionRegimeOf(
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
  readonly totals: DocumentTotals;
}

/** Of each line; 0 on sales. */
export function lostTaxesOf(
  { side }: DocumentTypeInfo,
  { lines, vatRegime, proRata, deductionRegime, totals }: Purchase,
  { items, taxes, decimalPrecision: places }: References,
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
