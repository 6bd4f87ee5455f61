/** The discount of a whole document: given with it, or taken along with the lines of others. */
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, decimalPlaces, optionalDecimal, sum } from '../../../../domain/money.ts';
import {
  keptPart,
  type LineDiscounts,
  shareTaken,
  spreadDiscount,
} from '../../../../domain/trade/documents/discounts.ts';
import { type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { lineValue } from '../../../../domain/trade/documents/totals.ts';
import type { LineHead } from '../prepared.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type { BaseLine, References } from './references.ts';

/** Checks what the head says, before anything is computed. */
export function checkDiscount(
  { discountPercent, discountAmount }: Pick<DocumentInput, 'discountPercent' | 'discountAmount'>,
  { decimalPrecision }: Pick<References, 'decimalPrecision'>,
  faults: Faults,
): void {
  if (discountAmount === undefined) return;
  if (discountPercent !== undefined) {
    const message = 'cannot be given together with discountPercent because one follows from the other';
    faults.add('/discountAmount', 'not_allowed', message);
  }
  if (decimalPlaces(discountAmount) > decimalPrecision)
    faults.add('/discountAmount', 'too_many_decimals', `must have at most ${decimalPrecision} decimals`);
}

type PricedLine = LineDiscounts & { readonly price: Decimal; readonly priceWithTax: Decimal | null };

/** The share that a line takes along from the line it is based on; negative if it takes back. */
export function discountOfBase(
  price: PricedLine,
  from: { readonly line: Pick<DocumentLineInput, 'quantity'>; readonly base: BaseLine; readonly taken: Decimal },
  places: number,
): Decimal {
  const { line, base, taken } = from;
  const taking = { unitValue: unitValue(price), quantity: decimal(line.quantity).abs().toFixed(), before: taken };
  const given = { unitValue: unitValue(base), quantity: base.quantity, share: base.documentDiscount };
  const share = decimal(shareTaken(taking, given, places));
  return (line.quantity < 0 ? share.neg() : share).toFixed();
}

function unitValue(line: PricedLine) {
  return keptPart(line).times(line.priceWithTax ?? line.price);
}

/**
 * Spreads the discount that the head gives over the lines. Lines that take back keep what they take along: the discount is that of the
 * invoice they correct. Without one in the head, all lines do.
 */
export function withDiscount<L extends PricedLine & Pick<LineHead, 'quantity' | 'baseLineId'>>(
  { discountPercent, discountAmount }: DocumentInput,
  lines: readonly L[],
  { step, places }: { readonly step: Step; readonly places: number },
  faults: Faults,
): readonly L[] {
  if (discountPercent === undefined && discountAmount === undefined) return lines;
  const keeps = (line: L) => takesBack(step) && line.baseLineId !== null;
  const values = lines.map((line) => (keeps(line) ? '0' : lineValue(line, places)));
  const whole = sum(values);
  if (discountAmount !== undefined && whole.lt(discountAmount)) {
    const most = (whole.lt(0) ? decimal(0) : whole).toFixed();
    faults.add('/discountAmount', 'out_of_range', `must be at most ${most}, the value of the lines`);
  }
  const discount = { percent: optionalDecimal(discountPercent), amount: optionalDecimal(discountAmount) };
  const shares = spreadDiscount(values, discount, places);
  return lines.map((line, index) => (keeps(line) ? line : { ...line, documentDiscount: shares[index] ?? '0' }));
}
