/**
 * Amounts of a document: `amount` = quantity × price × (1 − discount), rounded per line; tax = rate × Σ amounts of that tax, rounded once
 * per tax; half away from zero (EN 16931 BR-CO-17).
 */
import { type Decimal, decimal, round, sum } from '../money.ts';

export interface PricedLine {
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** 0–100. */
  readonly discountPercent: Decimal;
  readonly taxGroupId: string;
  readonly taxCode: string;
  /** Effective rates in percent: 0 if the operation bears no tax. */
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
}

export interface TaxTotal {
  readonly taxGroupId: string;
  readonly code: string;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeRate: Decimal;
  readonly surchargeAmount: Decimal;
}

export interface DocumentTotals {
  readonly amounts: readonly Decimal[];
  readonly taxes: readonly TaxTotal[];
  /** Σ line amounts, after discounts. */
  readonly subtotal: Decimal;
  readonly discountTotal: Decimal;
  /** Including surcharge. */
  readonly taxTotal: Decimal;
  readonly withholdingAmount: Decimal;
  /** subtotal + taxTotal − withholdingAmount */
  readonly total: Decimal;
}

/**
 * Computes line amounts, taxes and totals.
 * @param withholdingRate percent of the subtotal
 * @param places decimals of amounts (the company's decimalPrecision)
 */
export function documentTotals(lines: readonly PricedLine[], withholdingRate: Decimal, places: number): DocumentTotals {
  const amounts = lines.map((line) => lineAmount(line, places));
  const gross = lines.map((line) => round(decimal(line.quantity).times(line.price), places));
  const subtotal = sum(amounts);
  const taxes = taxTotals(lines, amounts, places);
  const taxTotal = sum(taxes.flatMap((tax) => [tax.amount, tax.surchargeAmount]));
  const withholdingAmount = percentage(subtotal.toFixed(), withholdingRate, places);
  return {
    amounts,
    taxes,
    subtotal: subtotal.toFixed(),
    discountTotal: sum(gross).minus(subtotal).toFixed(),
    taxTotal: taxTotal.toFixed(),
    withholdingAmount,
    total: subtotal.plus(taxTotal).minus(withholdingAmount).toFixed(),
  };
}

function lineAmount(line: PricedLine, places: number): Decimal {
  const kept = decimal(100).minus(line.discountPercent).times('0.01');
  return round(decimal(line.quantity).times(line.price).times(kept), places);
}

function taxTotals(lines: readonly PricedLine[], amounts: readonly Decimal[], places: number): TaxTotal[] {
  const groups = new Map<string, { line: PricedLine; amounts: Decimal[] }>();
  lines.forEach((line, index) => {
    // The same tax can occur with and without surcharge in one document (lines with their own regime).
    const key = `${line.taxGroupId} ${line.taxRate} ${line.surchargeRate}`;
    const group = groups.get(key) ?? { line, amounts: [] };
    group.amounts.push(amounts[index] ?? '0');
    groups.set(key, group);
  });
  return [...groups.values()].map(({ line, amounts: parts }) => {
    const base = sum(parts).toFixed();
    return {
      taxGroupId: line.taxGroupId,
      code: line.taxCode,
      rate: line.taxRate,
      base,
      amount: percentage(base, line.taxRate, places),
      surchargeRate: line.surchargeRate,
      surchargeAmount: percentage(base, line.surchargeRate, places),
    };
  });
}

function percentage(base: Decimal, rate: Decimal, places: number): Decimal {
  return round(decimal(base).times(rate).times('0.01'), places);
}
