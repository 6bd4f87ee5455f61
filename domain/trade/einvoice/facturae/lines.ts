/** Lines of an invoice in Facturae. */
import { type Decimal, decimal, round } from '../../../money.ts';
import { shortened } from '../../../shorten.ts';
import { type Node, node } from '../../../xml.ts';
import { LEGAL_TEXTS, legalText } from '../../documents/legal-texts.ts';
import type { TaxSet } from '../../documents/tax-sets.ts';
import type { InvoiceData, LineData } from '../invoice.ts';
import { unitCodes } from '../units.ts';
import { amountNode, cents, exactly, totalNode } from './amounts.ts';

/** TaxTypeCode of each indirect tax. */
const TAX_TYPES: Readonly<Record<TaxSet, string>> = { vat: '01', ipsi: '02', igic: '03' };
const INCOME_TAX = '04';

/** The price, cost, discount and charge of a line, which add up to its amount. */
interface Priced {
  readonly price: string;
  readonly cost: Decimal;
  readonly discount: Decimal;
  readonly charge: Decimal;
}

/** Prices that include tax have a net one that is only nearly exact, so the cost leads: the amount is what was charged. */
function priced({ quantity, price, discountPercent, charge, amount }: LineData): Priced {
  const cost = round(decimal(quantity).times(price), 2);
  if (discountPercent === null || !decimal(discountPercent).eq(0))
    return { price: exactly(price), cost, discount: decimal(cost).plus(charge).minus(amount).toFixed(), charge };
  if (decimal(cost).eq(amount) || decimal(quantity).eq(0))
    return { price: exactly(price), cost: amount, discount: '0', charge: '0' };
  return { price: exactly(decimal(amount).div(quantity)), cost: amount, discount: '0', charge: '0' };
}

export function lineNode(invoice: InvoiceData, line: LineData, sequence: number): Node {
  const { price, cost, discount, charge } = priced(line);
  return node('InvoiceLine', [
    node('SequenceNumber', String(sequence)),
    line.note === null ? undefined : noteNode(line.note),
    node('ItemDescription', shortened(line.description, 2500)),
    node('Quantity', decimal(line.quantity).toFixed()),
    node('UnitOfMeasure', unitCodes(line.unit).facturae),
    node('UnitPriceWithoutTax', price),
    amountNode('TotalCost', cost),
    decimal(discount).eq(0) ? undefined : discountNode(line, discount),
    decimal(charge).eq(0) ? undefined : chargeNode(charge),
    amountNode('GrossAmount', line.amount),
    withheldNode(line),
    node('TaxesOutputs', [taxNode(line, invoice.taxSet)]),
    eventNode(invoice, line),
    line.code === null || line.code.length > 20 ? undefined : node('ArticleCode', line.code),
  ]);
}

function noteNode({ number, date }: NonNullable<LineData['note']>): Node {
  const note = [node('DeliveryNoteNumber', shortened(number, 30)), node('DeliveryNoteDate', date)];
  return node('DeliveryNotesReferences', [node('DeliveryNote', note)]);
}

function discountNode({ discountPercent }: LineData, discount: Decimal): Node {
  return node('DiscountsAndRebates', [
    node('Discount', [
      node('DiscountReason', 'Descuento'),
      discountPercent === null ? undefined : node('DiscountRate', exactly(discountPercent)),
      amountNode('DiscountAmount', discount),
    ]),
  ]);
}

function chargeNode(charge: Decimal): Node {
  return node('Charges', [
    node('Charge', [node('ChargeReason', 'Portes y cargos'), amountNode('ChargeAmount', charge)]),
  ]);
}

function withheldNode({ withholdingRate, amount }: LineData): Node | undefined {
  if (decimal(withholdingRate).eq(0)) return undefined;
  const withheld = decimal(amount).times(withholdingRate).div(100);
  return node('TaxesWithheld', [
    node('Tax', [
      node('TaxTypeCode', INCOME_TAX),
      node('TaxRate', exactly(withholdingRate)),
      totalNode('TaxableBase', amount),
      totalNode('TaxAmount', withheld),
    ]),
  ]);
}

/** Every line states a tax, if only one of 0 %. */
function taxNode({ taxRate, surchargeRate, amount }: LineData, set: TaxSet): Node {
  const percent = (rate: Decimal) => decimal(amount).times(rate).div(100);
  const tax = {
    rate: taxRate,
    base: amount,
    amount: percent(taxRate).toFixed(),
    surchargeRate,
    surchargeAmount: percent(surchargeRate).toFixed(),
  };
  return taxParts(tax, set);
}

/** A tax with its base; the surcharge only if there is one. */
export function taxParts(
  tax: Readonly<Record<'rate' | 'base' | 'amount' | 'surchargeRate' | 'surchargeAmount', Decimal>>,
  set: TaxSet,
): Node {
  const surcharged = !decimal(tax.surchargeRate).eq(0);
  return node('Tax', [
    node('TaxTypeCode', TAX_TYPES[set]),
    node('TaxRate', exactly(tax.rate)),
    totalNode('TaxableBase', tax.base),
    totalNode('TaxAmount', tax.amount),
    surcharged ? node('EquivalenceSurcharge', cents(tax.surchargeRate)) : undefined,
    surcharged ? totalNode('EquivalenceSurchargeAmount', tax.surchargeAmount) : undefined,
  ]);
}

/** Income tax withheld from the invoice. */
export function withholdingNode({ rate, base, amount }: InvoiceData['withholdings'][number]): Node {
  return node('Tax', [
    node('TaxTypeCode', INCOME_TAX),
    node('TaxRate', exactly(rate)),
    totalNode('TaxableBase', base),
    totalNode('TaxAmount', amount),
  ]);
}

/** Why a line is exempt or not subject; the reason begins with the code of the tax. */
function eventNode(invoice: InvoiceData, { mention }: LineData): Node | undefined {
  const code = mention === null ? undefined : LEGAL_TEXTS[mention.mention].facturaeEvent;
  if (mention === null || code === undefined) return undefined;
  return node('SpecialTaxableEvent', [
    node('SpecialTaxableEventCode', code),
    node(
      'SpecialTaxableEventReason',
      shortened(`${TAX_TYPES[invoice.taxSet]} ${legalText(mention.mention, mention.article, invoice)}`, 2500),
    ),
  ]);
}
