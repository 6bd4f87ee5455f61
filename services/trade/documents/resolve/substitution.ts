/** Rectification by substitution: its lines take back exactly what the other invoice charged, and state it anew. */
import type { Faults } from '../../../../domain/faults.ts';
import { decimal } from '../../../../domain/money.ts';
import { isTakenBack } from '../../../../domain/trade/documents/substitution.ts';
import type { LineHead } from '../prepared.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type { BaseDocument, BaseLine, References } from './references.ts';

export function substitutes({ rectificationMethod }: DocumentInput): boolean {
  return rectificationMethod === 'substitution';
}

type ChargedLine = Pick<LineHead, 'quantity' | 'baseLineId' | 'taxGroupId' | 'priceWithTax' | (typeof EXACT)[number]>;

/** Lines that take back keep what the head of the other invoice says, which the new head may not. */
export function withWholeLines(lines: readonly DocumentLineInput[], corrected: BaseDocument): DocumentLineInput[] {
  const known = new Map(corrected.lines.map((line) => [line.id, line]));
  return lines.map((line) => {
    const base = line.quantity < 0 ? known.get(line.baseLineId ?? '') : undefined;
    if (base === undefined) return line;
    return {
      ...line,
      vatRegime: base.vatRegime ?? corrected.vatRegime,
      withholdingRate: Number(base.withholdingRate ?? corrected.withholdingRate),
    };
  });
}

/** Checks what the head says of the method, and of goods that come back. */
export function checkMethod(input: DocumentInput, { bases }: References, faults: Faults): void {
  const corrected = bases.get(input.rectifies ?? '');
  if (input.returnStock === true && corrected?.substitutes) {
    const message = `cannot be true because ${corrected.code} moved no goods itself; return them with their delivery note`;
    faults.add('/returnStock', 'not_allowed', message);
  }
  if (!substitutes(input)) return;
  if (input.rectifies === undefined)
    faults.add('/rectifies', 'required', 'must name the invoice whose place the rectifying one takes');
  if (input.returnStock === true)
    faults.add('/returnStock', 'not_allowed', 'cannot be true because goods come back by differences alone');
}

/** Checks that the lines take back each line of the other invoice, as it was, and that there are others. */
export function checkSubstitution(
  lines: readonly ChargedLine[],
  corrected: BaseDocument | undefined,
  faults: Faults,
): void {
  if (corrected === undefined) throw new Error('an invoice that rectifies by substitution has no other');
  const { code } = corrected;
  const charged = corrected.lines.filter(({ quantity }) => decimal(quantity).gt(0));
  if (charged.some(({ returnedQuantity }) => !decimal(returnedQuantity).eq(0))) {
    const message = `must be differences because a part of ${code} has been rectified already`;
    faults.add('/rectificationMethod', 'partly_rectified', message);
    return;
  }
  const takenBack = new Map(
    lines.flatMap((line, index) => (isTakenBack(line) ? [[line.baseLineId, { line, index }]] : [])),
  );
  for (const base of charged) {
    const found = takenBack.get(base.id);
    if (found === undefined)
      faults.add('/lines', 'incomplete', `must take back line ${base.lineNumber} of ${code} too`);
    else if (!isAsCharged(found.line, base)) {
      const message = `must take back line ${base.lineNumber} of ${code} whole, at its price and tax; the changes belong in other lines`;
      faults.add(`/lines/${found.index}`, 'differs', message);
    }
  }
  lines.forEach((line, index) => {
    const again = isTakenBack(line) && takenBack.get(line.baseLineId)?.index !== index;
    if (isTakenBack(line) && line.baseLineId === null)
      faults.add(`/lines/${index}/baseLineId`, 'required', `must name the line of ${code} that it takes back`);
    else if (again) faults.add(`/lines/${index}/baseLineId`, 'duplicate', 'is taken back by another line too');
  });
  if (!lines.some((line) => !isTakenBack(line)))
    faults.add(
      '/lines',
      'required',
      'must also state the invoice as it should have been; by differences they need not',
    );
}

const EXACT = ['price', 'discountPercent', 'secondDiscountPercent', 'taxRate', 'surchargeRate'] as const;

function isAsCharged(line: ChargedLine, base: BaseLine): boolean {
  return (
    decimal(line.quantity).neg().eq(base.quantity) &&
    line.taxGroupId === base.taxGroupId &&
    EXACT.every((member) => decimal(line[member]).eq(base[member])) &&
    decimal(line.priceWithTax ?? 0).eq(base.priceWithTax ?? 0)
  );
}
