/**
 * Rectification by substitution: an invoice takes back all that another charged, by lines with negative quantities, and states it as it
 * should have been (RD 1619/2012, art. 15.5). Both parts are rounded apart, so that their difference is exactly that of two invoices.
 */
import { groupBy } from '../../group-by.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import {
  computeWithholdings,
  type DocumentTotals,
  documentTotals,
  type PricedLine,
  type TaxTotal,
  type Withholding,
} from './totals.ts';

/** Whether a line takes back what the other invoice charged; all others state it anew. */
export function isTakenBack({ quantity }: Pick<PricedLine, 'quantity'>): boolean {
  return decimal(quantity).lt(0);
}

/** The lines that take back, and those that state the invoice anew. */
export function substitutionParts<L extends Pick<PricedLine, 'quantity'>>(
  lines: readonly L[],
): { readonly takenBack: readonly L[]; readonly stated: readonly L[] } {
  return { takenBack: lines.filter(isTakenBack), stated: lines.filter((line) => !isTakenBack(line)) };
}

/** Totals of an invoice that rectifies by substitution: the difference. Arguments are those of `documentTotals`. */
export function substitutionTotals(
  lines: readonly PricedLine[],
  withholdingRate: Decimal,
  places: number,
): DocumentTotals {
  const { takenBack, stated } = substitutionParts(lines);
  const parts = [takenBack, stated].map((part) => documentTotals(part, withholdingRate, places));
  const amounts = new Map(
    [takenBack, stated].flatMap((part, at) => part.map((line, n) => [line, parts[at]?.amounts[n]])),
  );
  const total = (member: 'subtotal' | 'discountTotal' | 'taxTotal' | 'withholdingAmount' | 'total') =>
    sum(parts.map((part) => part[member])).toFixed();
  return {
    amounts: lines.map((line) => amounts.get(line) ?? '0'),
    taxes: addUpTaxes(parts.flatMap(({ taxes }) => taxes)),
    subtotal: total('subtotal'),
    discountTotal: total('discountTotal'),
    taxTotal: total('taxTotal'),
    withholdingAmount: total('withholdingAmount'),
    total: total('total'),
  };
}

function addUpTaxes(taxes: readonly TaxTotal[]): TaxTotal[] {
  const alike = groupBy(taxes, ({ taxGroupId, rate, surchargeRate }) => `${taxGroupId} ${rate} ${surchargeRate}`);
  return [...alike.values()].map((group) => {
    const total = (member: 'base' | 'amount' | 'surchargeAmount') => sum(group.map((tax) => tax[member])).toFixed();
    const [first] = group as [TaxTotal];
    return { ...first, base: total('base'), amount: total('amount'), surchargeAmount: total('surchargeAmount') };
  });
}

/** Income tax withheld by an invoice that rectifies by substitution. Arguments are those of `computeWithholdings`. */
export function substitutionWithholdings(
  lines: readonly (Pick<PricedLine, 'quantity' | 'withholdingRate'> & { readonly amount: Decimal })[],
  documentRate: Decimal,
  places: number,
): Withholding[] {
  const { takenBack, stated } = substitutionParts(lines);
  const withheld = [takenBack, stated].flatMap((part) => computeWithholdings(part, documentRate, places));
  return [...groupBy(withheld, ({ rate }) => rate).values()].map((group) => {
    const [first] = group as [Withholding];
    const total = (member: 'base' | 'amount') => sum(group.map((one) => one[member])).toFixed();
    return { ...first, base: total('base'), amount: total('amount') };
  });
}
