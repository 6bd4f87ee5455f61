/**
 * Amounts of a document: `amount` = quantity × price × (1 − discounts), rounded per line, less its share of the document's discount and
 * with that of its charge;
 * tax = rate × Σ amounts of that tax, rounded once per tax; half away from zero (EN 16931 BR-CO-17). Prices with tax fix the total, out of
 * which the tax is taken (decision 0160).
 */
import { type Decimal, type DecimalInput, decimal, round, sum } from '../../money.ts';
import { keptPart, type LineDiscounts } from './discounts.ts';

export interface PricedLine extends LineDiscounts {
  readonly quantity: Decimal;
  readonly price: Decimal;
  /** The price with tax, if it decides the total; null or absent: tax is added to `price`. */
  readonly priceWithTax?: Decimal | null;
  /** Its share of the document's discount, as it is priced: with tax where the price includes it. */
  readonly documentDiscount: Decimal;
  /** Its share of the document's charge, likewise. */
  readonly documentCharge: Decimal;
  readonly taxGroupId: string;
  readonly taxCode: string;
  /** Effective rates in percent: 0 if the operation is not taxed. */
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  /** In percent; null or absent = the document's. */
  readonly withholdingRate?: Decimal | null;
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
 * @param withholdingRate percentage for lines without their own rate
 * @param places decimals of amounts (the company's decimalPrecision)
 */
export function documentTotals(lines: readonly PricedLine[], withholdingRate: Decimal, places: number): DocumentTotals {
  const { amounts, taxes } = amountsAndTaxes(lines, places);
  const discounted = lines.some((line) => DISCOUNTS.some((member) => !decimal(line[member]).eq(0)));
  const undiscounted = lines.map((line) => ({ ...line, ...WITHOUT_DISCOUNTS }));
  const gross = discounted ? amountsAndTaxes(undiscounted, places).amounts : amounts;
  const subtotal = sum(amounts);
  const taxTotal = sum(taxes.flatMap((tax) => [tax.amount, tax.surchargeAmount]));
  const withheld = computeWithholdings(
    lines.map((line, index) => ({ ...line, amount: amounts[index] ?? '0' })),
    withholdingRate,
    places,
  );
  const withholdingAmount = sum(withheld.map(({ amount }) => amount)).toFixed();
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

const DISCOUNTS = ['discountPercent', 'secondDiscountPercent', 'documentDiscount'] as const;
const WITHOUT_DISCOUNTS = { discountPercent: '0', secondDiscountPercent: '0', documentDiscount: '0' } as const;

/** The value of a line after its own discounts, as it is priced: with tax where the price includes it. */
export function lineValue(
  line: LineDiscounts & Pick<PricedLine, 'quantity' | 'price' | 'priceWithTax'>,
  places: number,
): Decimal {
  return round(
    decimal(line.quantity)
      .times(line.priceWithTax ?? line.price)
      .times(keptPart(line)),
    places,
  );
}

function amountsAndTaxes(lines: readonly PricedLine[], places: number): Pick<DocumentTotals, 'amounts' | 'taxes'> {
  const groups = new Map<string, number[]>();
  lines.forEach((line, index) => {
    // The same tax can occur with and without surcharge in one document (lines with their own regime).
    const key = `${line.taxGroupId} ${line.taxRate} ${line.surchargeRate}`;
    const group = groups.get(key);
    if (group) group.push(index);
    else groups.set(key, [index]);
  });
  const amounts: Decimal[] = [];
  const taxes = [...groups.values()].map((indexes) => {
    const taxed = totalsByTax(
      indexes.map((index) => lines[index] as PricedLine),
      places,
    );
    indexes.forEach((index, at) => {
      amounts[index] = taxed.amounts[at] as Decimal;
    });
    return taxed.total;
  });
  return { amounts, taxes };
}

/** Totals of lines with the same tax; lines with and without tax in the price are each rounded once. */
function totalsByTax(lines: readonly PricedLine[], places: number) {
  const [line] = lines as readonly [PricedLine];
  const { taxGroupId, taxCode: code, taxRate: rate, surchargeRate } = line;
  const amounts = lines.map((one) =>
    decimal(lineValue(one, places)).minus(one.documentDiscount).plus(one.documentCharge).toFixed(),
  );
  const net = sum(amounts.filter((_, index) => !hasTax(lines[index]))).toFixed();
  const total = sum(amounts.filter((_, index) => hasTax(lines[index]))).toFixed();
  const taken = splitTaxedTotal(total, { rate, surchargeRate }, places);
  const shares = netShares(amounts, lines.map(hasTax), taken.base, decimal(rate).plus(surchargeRate).plus(100), places);
  const of = (percent: Decimal, out: Decimal) => sum([percentage(net, percent, places), out]).toFixed();
  return {
    amounts: shares,
    total: {
      taxGroupId,
      code,
      rate,
      base: sum([net, taken.base]).toFixed(),
      amount: of(rate, taken.tax),
      surchargeRate,
      surchargeAmount: of(surchargeRate, taken.surcharge),
    },
  };
}

function hasTax(line: PricedLine | undefined): boolean {
  return line?.priceWithTax !== undefined && line.priceWithTax !== null;
}

/** Splits a total with tax into its base and taxes. */
function splitTaxedTotal(
  total: Decimal,
  { rate, surchargeRate }: { readonly rate: Decimal; readonly surchargeRate: Decimal },
  places: number,
) {
  const whole = decimal(rate).plus(surchargeRate).plus(100);
  const part = (percent: Decimal) => round(decimal(total).times(percent).div(whole), places);
  const [tax, surcharge] = [part(rate), part(surchargeRate)];
  return { tax, surcharge, base: decimal(total).minus(tax).minus(surcharge).toFixed() };
}

/**
 * Net amounts of lines with tax in the price, rounded so that they add up to the base; other lines stay as they are.
 */
function netShares(
  amounts: readonly Decimal[],
  withTax: readonly boolean[],
  base: Decimal,
  whole: DecimalInput,
  places: number,
): Decimal[] {
  const last = withTax.lastIndexOf(true);
  let total = decimal(0);
  let given = decimal(0);
  return amounts.map((amount, index) => {
    if (withTax[index] !== true) return amount;
    total = total.plus(amount);
    const until = decimal(index === last ? base : round(total.times(100).div(whole), places));
    const share = until.minus(given);
    given = until;
    return share.toFixed();
  });
}

/** Income tax withheld at one rate. */
export interface Withholding {
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/** Computes the income tax withheld at each rate, rounded once per rate. Lines without a rate use the document's. */
export function computeWithholdings(
  lines: readonly (Pick<PricedLine, 'withholdingRate'> & { readonly amount: Decimal })[],
  documentRate: Decimal,
  places: number,
): Withholding[] {
  const bases = new Map<Decimal, Decimal>();
  for (const { withholdingRate, amount } of lines) {
    const rate = decimal(withholdingRate ?? documentRate).toFixed();
    bases.set(rate, sum([bases.get(rate) ?? '0', amount]).toFixed());
  }
  return [...bases].flatMap(([rate, base]) =>
    decimal(rate).eq(0) ? [] : [{ rate, base, amount: percentage(base, rate, places) }],
  );
}

function percentage(base: Decimal, rate: Decimal, places: number): Decimal {
  return round(decimal(base).times(rate).times('0.01'), places);
}
