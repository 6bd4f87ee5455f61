/** Whether an invoice is under the cash basis of VAT (LIVA, arts. 163 decies and quinquiesdecies; decision 0345). */
import { accruesWithPayments } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import { taxOperation } from '../../../../domain/trade/documents/operations.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { ResolvedLine } from './line.ts';
import type { BaseDocument, PartnerReference, References } from './references.ts';

interface Invoice {
  /** As a purchase says itself. */
  readonly asked: boolean | undefined;
  readonly corrected: BaseDocument | undefined;
  readonly partner: Pick<PartnerReference, 'cashBasis'>;
  /** The day of the operation. */
  readonly taxDay: string;
}

/**
 * Everything is in the years of a company under it; of other companies, purchases from suppliers under it. A rectification follows the
 * invoice that it corrects.
 */
export function isOnCashBasis(
  { kind, side }: Pick<DocumentTypeInfo, 'kind' | 'side'>,
  { asked, corrected, partner, taxDay }: Invoice,
  { cashBasisYears }: Pick<References, 'cashBasisYears'>,
): boolean {
  if (kind !== 'invoice') return false;
  if (corrected !== undefined) return corrected.cashBasis;
  if (cashBasisYears.includes(Number(taxDay.slice(0, 4)))) return true;
  return side === 'purchase' && (asked ?? partner.cashBasis);
}

/** Whether a sale has tax that accrues with its payments; one without is not under the cash basis, and must not say so. */
export function hasDeferredTax(
  lines: readonly Pick<ResolvedLine, 'taxGroupId' | 'vatRegime'>[],
  vatRegime: string,
  { taxes }: Pick<References, 'taxes'>,
): boolean {
  return lines.some((line) => {
    const tax = taxes.get(line.taxGroupId);
    return (
      tax !== undefined && accruesWithPayments(taxOperation('sales', tax, line.vatRegime ?? vatRegime, false), tax.rate)
    );
  });
}
