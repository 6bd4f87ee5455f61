/** The discount and the charge of a whole document: given with it, or taken along with the lines of others. */
import type { Faults } from '../../../../domain/faults.ts';
import { type Decimal, decimal, decimalPlaces, optionalDecimal, sum } from '../../../../domain/money.ts';
import {
  keptPart,
  type LineDiscounts,
  shareTaken,
  spreadCharge,
  spreadDiscount,
} from '../../../../domain/trade/documents/discounts.ts';
import { type Step, takesBack } from '../../../../domain/trade/documents/progress.ts';
import { lineValue } from '../../../../domain/trade/documents/totals.ts';
import type { LineHead } from '../prepared.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type { BaseLine, References } from './references.ts';

/** Checks what the head says, before anything is computed. */
export function checkDiscount(
  { discountPercent, discountAmount, chargeAmount, chargeText }: DocumentInput,
  { decimalPrecision }: Pick<References, 'decimalPrecision'>,
  faults: Faults,
): void {
  const exceeds = (amount: number | undefined) => amount !== undefined && decimalPlaces(amount) > decimalPrecision;
  const tooMany = `must have at most ${decimalPrecision} decimals`;
  if (exceeds(chargeAmount)) faults.add('/chargeAmount', 'too_many_decimals', tooMany);
  if (chargeText !== undefined && chargeAmount === undefined)
    faults.add('/chargeText', 'not_allowed', 'is allowed only with chargeAmount');
  if (discountAmount === undefined) return;
  if (discountPercent !== undefined) {
    const message = 'cannot be given together with discountPercent because one follows from the other';
    faults.add('/discountAmount', 'not_allowed', message);
  }
  if (exceeds(discountAmount)) faults.add('/discountAmount', 'too_many_decimals', tooMany);
}

type PricedLine = LineDiscounts & { readonly price: Decimal; readonly priceWithTax: Decimal | null };

/** The shares that a line takes along from the line it is based on; negative if it takes back. */
export function sharesOfBase(
  price: PricedLine,
  from: { readonly line: Pick<DocumentLineInput, 'quantity'>; readonly base: BaseLine; readonly taken: Decimal },
  places: number,
): Shares {
  const { line, base, taken } = from;
  const taking = { unitValue: unitValue(price), quantity: decimal(line.quantity).abs().toFixed(), before: taken };
  const taker = (share: Decimal) => {
    const taken = decimal(shareTaken(taking, { unitValue: unitValue(base), quantity: base.quantity, share }, places));
    return (line.quantity < 0 ? taken.neg() : taken).toFixed();
  };
  return { documentDiscount: taker(base.documentDiscount), documentCharge: taker(base.documentCharge) };
}

type Shares = Pick<LineHead, 'documentDiscount' | 'documentCharge'>;
/** Shares of lines by their index. */
export type KeptShares = ReadonlyMap<number, Shares>;
export const NO_SHARES: Shares = { documentDiscount: '0', documentCharge: '0' };

function unitValue(line: PricedLine) {
  return keptPart(line).times(line.priceWithTax ?? line.price);
}

/**
 * Spreads the discount and the charge that the head gives over the lines. Lines that take back keep what they take along: it is that of
 * the invoice they correct. Without one in the head, all lines do. Lines that deduct what was invoiced before bear none.
 */
export function withShares<L extends PricedLine & Shares & Pick<LineHead, 'quantity' | 'baseLineId' | 'accountId'>>(
  input: DocumentInput,
  lines: readonly L[],
  { step, places, kept }: { readonly step: Step; readonly places: number; readonly kept: KeptShares },
  faults: Faults,
): readonly L[] {
  const { discountPercent, discountAmount, chargeAmount } = input;
  const discounts = discountPercent !== undefined || discountAmount !== undefined;
  if (!discounts && chargeAmount === undefined) return lines;
  const keeps = (line: L) => (takesBack(step) && line.baseLineId !== null) || deducts(line);
  const values = lines.map((line) => (keeps(line) ? '0' : lineValue(line, places)));
  const whole = sum(values);
  if (discountAmount !== undefined && whole.lt(discountAmount)) {
    const most = (whole.lt(0) ? decimal(0) : whole).toFixed();
    faults.add('/discountAmount', 'out_of_range', `must be at most ${most}, the value of the lines`);
  }
  const discount = { percent: optionalDecimal(discountPercent), amount: optionalDecimal(discountAmount) };
  const charge = decimal(chargeAmount ?? 0);
  if (charge.gt(0) && whole.lte(0)) {
    const message = 'must be left out because the lines have no value to spread it by; add a line for it';
    faults.add('/chargeAmount', 'not_allowed', message);
  }
  const discounted =
    discount.amount !== null
      ? withKept('documentDiscount', values, discount.amount, kept, places)
      : discounts
        ? spreadDiscount(values, discount, places)
        : null;
  const charged =
    chargeAmount === undefined ? null : withKept('documentCharge', values, charge.toFixed(), kept, places);
  return lines.map((line, index) =>
    keeps(line)
      ? line
      : {
          ...line,
          documentDiscount: discounted?.[index] ?? line.documentDiscount,
          documentCharge: charged?.[index] ?? line.documentCharge,
        },
  );
}

/** Spreads an amount over the lines, of which some keep their shares; over all of them if the others have no value to bear the rest. */
function withKept(
  member: keyof Shares,
  values: readonly Decimal[],
  amount: Decimal,
  kept: KeptShares,
  places: number,
): Decimal[] {
  const rest = decimal(amount).minus(sum([...kept.values()].map((shares) => shares[member])));
  const free = values.map((value, index) => (kept.has(index) ? '0' : value));
  const room = sum(free);
  if (kept.size === 0 || rest.lt(0) || !room.gt(0) || (member === 'documentDiscount' && rest.gt(room))) {
    return spreadCharge(values, amount, places);
  }
  const shared = spreadCharge(free, rest.toFixed(), places);
  return values.map((_, index) => kept.get(index)?.[member] ?? shared[index] ?? '0');
}

/** Whether a line takes off an advance, as it names the account on which that was booked. */
function deducts({ price, accountId }: PricedLine & Pick<LineHead, 'accountId'>): boolean {
  return accountId !== null && decimal(price).lt(0);
}
