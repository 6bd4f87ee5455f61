/** The price that was paid for the goods of a line under the margin scheme (decision 0378). */
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, round } from '../../../../domain/money.ts';
import type { DocumentTypeInfo } from '../../../../domain/trade/documents/types.ts';
import type { VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { DocumentLineInput } from '../schemas.ts';
import type { BaseLine, References } from './references.ts';

interface LineToCost {
  readonly type: Pick<DocumentTypeInfo, 'side' | 'kind'>;
  readonly line: DocumentLineInput;
  readonly base: BaseLine | null;
  readonly regime: VatRegime;
  readonly cashBasis: boolean;
  readonly pointer: string;
}

/**
 * The line's own, else the share of its base line in its quantity; it has the sign of the quantity.
 * @returns null in other regimes, on purchases, or with a fault, which is added to `faults`
 */
export function resolveMarginCost(
  { type, line, base, regime, cashBasis, pointer }: LineToCost,
  { currency, companyCurrency, companyPlaces }: Pick<References, 'currency' | 'companyCurrency' | 'companyPlaces'>,
  faults: Faults,
): Decimal | null {
  const isMargin = regime === 'margin' && type.side === 'sales';
  const at = `${pointer}/marginCost`;
  if (!isMargin) {
    if (line.marginCost !== undefined)
      faults.add(at, 'not_applicable', 'is allowed only for sales in the regime margin');
    return null;
  }
  const refuse = (why: string) => faults.add(`${pointer}/vatRegime`, 'not_applicable', `cannot be margin ${why}`);
  if (currency !== companyCurrency) refuse(`in ${currency}, as the goods were paid in ${companyCurrency}`);
  if (cashBasis) refuse('under the cash basis');
  const sign = line.quantity < 0 ? -1 : 1;
  if (line.marginCost !== undefined) return decimal(line.marginCost).times(sign).toFixed();
  if (base !== null && base.marginCost !== null) {
    const share = decimal(base.marginCost).times(line.quantity).div(base.quantity);
    return round(share, companyPlaces);
  }
  if (type.kind === 'invoice') {
    faults.add(at, 'required', 'is required in the regime margin: what was paid for the goods of the line, with tax');
  }
  return null;
}
