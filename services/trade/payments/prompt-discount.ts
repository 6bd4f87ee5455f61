/** Prompt discounts: invoices offer them for payment in full by a certain day. */
import type { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { discountAmount } from '../../../domain/trade/payments/terms.ts';
import { type Debt, isItem } from './debts.ts';
import type { LinkInput } from './schemas.ts';

interface Circumstances {
  readonly at: string;
  readonly faults: Faults;
  readonly places: number;
  /** Date of the payment. */
  readonly date: string;
  readonly settledBefore: Decimal;
  readonly left: Decimal;
}

/** Adds the discount that the link takes to its input. Adds faults with pointers. */
export function withPromptDiscount(input: LinkInput, debt: Debt, about: Circumstances): LinkInput {
  const { prompt_discount: asked, discount, amount_applied, instalment } = input;
  const { at, faults, left } = about;
  if (asked === false) return input;
  const given = [discount, amount_applied, instalment ?? undefined].some((value) => value !== undefined);
  if (asked === undefined && given) return input;
  const { offer, refusal } = discountOffer(debt, about);
  if (offer === null) {
    if (asked) faults.add(`${at}/prompt_discount`, 'no_discount', refusal);
    return input;
  }
  if (discount !== undefined) {
    faults.add(`${at}/discount`, 'not_allowed', 'is not allowed with prompt_discount, which is the discount');
    return input;
  }
  const exact = decimal(left).plus(offer).eq(debt.row.total);
  return asked || exact ? { ...input, discount: Number(offer) } : input;
}

/** The discount now on offer, or the reason why there is none. */
function discountOffer(
  debt: Debt,
  { date, places, settledBefore }: Circumstances,
): { readonly offer: Decimal; readonly refusal: '' } | { readonly offer: null; readonly refusal: string } {
  const none = (refusal: string) => ({ offer: null, refusal });
  if (isItem(debt)) return none('is offered by invoices only');
  const { promptDiscountPercent: percent, promptDiscountUntil: until, total } = debt.row;
  if (percent === null || until === null) return none('is not offered by the invoice');
  if (date > until) return none(`was offered until ${until}`);
  if (!decimal(settledBefore).eq(0)) return none('is offered only where the whole invoice is paid at once');
  return { offer: discountAmount(total, percent, places), refusal: '' };
}
