/** A document as the books have it: all amounts in the company's currency. */
import { decimal, round } from '../../../domain/money.ts';
import { sumConverted, toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import type { TaxTotal } from '../../../domain/trade/documents/totals.ts';
import type { StoredDocument } from './stored.ts';

/** Taxes of a part of a document, converted one by one. */
export function taxesInCompanyCurrency<T extends TaxTotal>(
  taxes: readonly T[],
  { exchangeRate: rate, companyPlaces: places }: Pick<StoredDocument['row'], 'exchangeRate' | 'companyPlaces'>,
): readonly T[] {
  if (rate === null) return taxes;
  return taxes.map((tax) => ({
    ...tax,
    base: toCompany(tax.base, rate, places),
    amount: toCompany(tax.amount, rate, places),
    surchargeAmount: toCompany(tax.surchargeAmount, rate, places),
  }));
}

/** Decimals of unit prices. */
const PRICE_PLACES = 6;

/** The document with amounts in the company's currency; the same object if it is in that. Shares of discounts and instalments stay. */
export function inCompanyCurrency<D extends StoredDocument>(document: D): D {
  const { row, lines, taxes } = document;
  const { exchangeRate, companyPlaces } = row;
  if (exchangeRate === null) return document;
  const amounts = lines.map(({ companyAmount, amount }) => companyAmount ?? amount);
  const substitutes = row.rectificationMethod !== null;
  const totals = sumConverted(
    { lines, taxes, withholdingRate: row.withholdingRate, substitutes },
    amounts,
    companyPlaces,
  );
  const { subtotal, taxTotal, withholdingAmount, total } = totals;
  return {
    ...document,
    row: {
      ...row,
      exchangeRate: null,
      decimalPrecision: companyPlaces,
      ...{ subtotal, taxTotal, withholdingAmount, total },
      discountTotal: toCompany(row.discountTotal, exchangeRate, companyPlaces),
      paidTotal: row.companyPaidTotal ?? row.paidTotal,
    },
    lines: lines.map((line, index) => ({
      ...line,
      amount: amounts[index] ?? '0',
      lostTax: line.companyLostTax ?? line.lostTax,
      price: round(decimal(line.price).div(exchangeRate), PRICE_PLACES),
    })),
    taxes: taxes.map((tax, index) => ({ ...tax, ...totals.taxes[index] })),
  };
}
