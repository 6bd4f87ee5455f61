/**
 * Amounts of a document in the company's currency. Lines are converted and rounded one by one; the base of a tax is their sum, and the tax
 * is computed from it, so that bases, taxes and totals agree as those of any document (LIVA art. 79.11: the base is converted at the rate
 * of the day on which the tax is due).
 */
import { type Decimal, type DecimalInput, decimal, round, sum } from '../../money.ts';
import { isTakenBack } from './substitution.ts';
import { computeWithholdings, type PricedLine, type TaxTotal } from './totals.ts';

/** @param rate what one unit of the company's currency is worth in the other */
export function toCompany(amount: DecimalInput, rate: Decimal, places: number): Decimal {
  return round(decimal(amount).div(rate), places);
}

export interface AmountsToConvert {
  readonly lines: readonly (Pick<
    PricedLine,
    'quantity' | 'taxGroupId' | 'taxRate' | 'surchargeRate' | 'withholdingRate'
  > & { readonly amount: Decimal })[];
  readonly taxes: readonly TaxTotal[];
  readonly withholdingRate: Decimal;
  /** Whether it rectifies by substitution: the part that takes back is rounded apart. */
  readonly substitutes: boolean;
}

export interface CompanyAmounts {
  readonly amounts: readonly Decimal[];
  readonly taxes: readonly TaxTotal[];
  readonly subtotal: Decimal;
  readonly taxTotal: Decimal;
  readonly withholdingAmount: Decimal;
  readonly total: Decimal;
}

/** @param places decimals of the company's amounts */
export function companyAmounts(document: AmountsToConvert, rate: Decimal, places: number): CompanyAmounts {
  const amounts = document.lines.map(({ amount }) => toCompany(amount, rate, places));
  return sumConverted(document, amounts, places);
}

/** The sums of amounts that were converted before. */
export function sumConverted(
  { lines, taxes, withholdingRate, substitutes }: AmountsToConvert,
  amounts: readonly Decimal[],
  places: number,
): CompanyAmounts {
  const converted = lines.map((line, index) => ({ ...line, amount: amounts[index] ?? '0' }));
  const parts = substitutes
    ? [converted.filter(isTakenBack), converted.filter((line) => !isTakenBack(line))]
    : [converted];
  const inCompany = taxes.map((tax): TaxTotal => {
    const bases = parts.map((part) => sum(part.filter((line) => isTaxed(line, tax)).map(({ amount }) => amount)));
    const charged = (percent: Decimal) =>
      sum(bases.map((base) => round(base.times(percent).times('0.01'), places))).toFixed();
    const surchargeAmount = charged(tax.surchargeRate);
    return { ...tax, base: sum(bases).toFixed(), amount: charged(tax.rate), surchargeAmount };
  });
  const subtotal = sum(amounts);
  const taxTotal = sum(inCompany.flatMap((tax) => [tax.amount, tax.surchargeAmount]));
  const withheld = sum(
    parts.flatMap((part) => computeWithholdings(part, withholdingRate, places)).map(({ amount }) => amount),
  );
  return {
    amounts,
    taxes: inCompany,
    subtotal: subtotal.toFixed(),
    taxTotal: taxTotal.toFixed(),
    withholdingAmount: withheld.toFixed(),
    total: subtotal.plus(taxTotal).minus(withheld).toFixed(),
  };
}

function isTaxed(line: AmountsToConvert['lines'][number], tax: TaxTotal): boolean {
  return (
    line.taxGroupId === tax.taxGroupId &&
    decimal(line.taxRate).eq(tax.rate) &&
    decimal(line.surchargeRate).eq(tax.surchargeRate)
  );
}
