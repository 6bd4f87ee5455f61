/** Reads invoices in Facturae 3.2, 3.2.1 and 3.2.2. */
import countries from 'i18n-iso-countries';
import { type Decimal, decimal, sum } from '../../../money.ts';
import type { Node } from '../../../xml.ts';
import { all, amount, codes, day, first, needed, refuse, text } from './elements.ts';
import { wholeLine } from './lines.ts';
import type { ReceivedInvoice, ReceivedLine, ReceivedParty } from './received.ts';

const VAT = '01';
const INCOME_TAX = '04';
/** Special taxable event of what is not subject; all others are exempt. */
const NOT_SUBJECT = '02';
/** Where the number of a document has its series apart. */
const NUMBER = ['InvoiceSeriesCode', 'InvoiceNumber'] as const;

export function readFacturae(root: Node): ReceivedInvoice {
  const [invoice, ...others] = all(root, 'Invoices/Invoice');
  if (invoice === undefined) return refuse('has no invoice');
  if (others.length > 0) return refuse('has several invoices; send each in a file of its own');
  const totals = first(invoice, 'InvoiceTotals') ?? refuse('has no InvoiceTotals');
  const payable = amount(totals, 'InvoiceTotal');
  return {
    format: 'facturae',
    isCredit: decimal(payable).lt(0),
    number: numberWithin(first(invoice, 'InvoiceHeader') ?? refuse('has no InvoiceHeader')) ?? refuse('has no number'),
    date: day(invoice, 'InvoiceIssueData/IssueDate') ?? refuse('has no IssueDate'),
    operationDate: day(invoice, 'InvoiceIssueData/OperationDate'),
    dueDate: lastDay(all(invoice, 'PaymentDetails/Installment')),
    currency: needed(invoice, 'InvoiceIssueData/InvoiceCurrencyCode'),
    seller: partyWithin(first(root, 'Parties/SellerParty') ?? refuse('has no SellerParty')),
    buyer: partyWithin(first(root, 'Parties/BuyerParty') ?? refuse('has no BuyerParty')),
    rectified: rectified(first(invoice, 'InvoiceHeader/Corrective')),
    reference: text(invoice, 'InvoiceIssueData/ReceiverTransactionReference'),
    notes: text(invoice, 'AdditionalData/InvoiceAdditionalInformation'),
    ...linesAndWithholding(invoice, [
      ...all(invoice, 'Items/InvoiceLine').map(lineWithin),
      ...generalAmounts(invoice, totals),
    ]),
    totals: {
      net: amount(totals, 'TotalGrossAmountBeforeTaxes'),
      tax: amount(totals, 'TotalTaxOutputs', '0'),
      payable,
    },
  };
}

function numberWithin(element: Node): string | null {
  const parts = NUMBER.flatMap((name) => text(element, name) ?? []);
  return parts.length === 0 ? null : parts.join('');
}

function rectified(corrective: Node | null): string | null {
  return corrective === null ? null : numberWithin(corrective);
}

function lastDay(instalments: readonly Node[]): string | null {
  return (
    instalments
      .flatMap((one) => day(one, 'InstallmentDueDate') ?? [])
      .sort()
      .at(-1) ?? null
  );
}

function partyWithin(element: Node): ReceivedParty {
  const id = text(element, 'TaxIdentification/TaxIdentificationNumber');
  const individual = first(element, 'Individual');
  const who = individual ?? first(element, 'LegalEntity') ?? refuse('has a party without a name');
  const names = ['Name', 'FirstSurname', 'SecondSurname'].flatMap((name) => text(who, name) ?? []);
  const spanish = first(who, 'AddressInSpain');
  const address = spanish ?? first(who, 'OverseasAddress');
  const code = text(address, 'CountryCode');
  return {
    name: individual === null ? needed(who, 'CorporateName') : names.join(' '),
    taxIds: id === null ? [] : [id],
    country: code === null ? null : (countries.alpha3ToAlpha2(code) ?? null),
    street: text(address, 'Address'),
    zipCode: spanish === null ? null : text(spanish, 'PostCode'),
    city: spanish === null ? text(address, 'PostCodeAndTown') : text(spanish, 'Town'),
    email: text(who, 'ContactDetails/ElectronicMail'),
  };
}

function lineWithin(line: Node): ReceivedLine {
  const discounts = all(line, 'DiscountsAndRebates/Discount');
  const [only] = discounts;
  const [withheld] = incomeTax(line);
  const percent = only !== undefined && discounts.length === 1 ? amount(only, 'DiscountRate', '0') : '0';
  return {
    description: needed(line, 'ItemDescription'),
    codes: codes(line, { seller: 'ArticleCode' }),
    quantity: amount(line, 'Quantity'),
    price: amount(line, 'UnitPriceWithoutTax'),
    discountPercent: percent,
    amount: amount(line, 'GrossAmount'),
    withholdingRate: withheld === undefined ? null : amount(withheld, 'TaxRate'),
    ...taxWithin(line),
  };
}

function incomeTax(element: Node): Node[] {
  return all(element, 'TaxesWithheld/Tax').filter((one) => text(one, 'TaxTypeCode') === INCOME_TAX);
}

/** If some lines state what is withheld from them, nothing is withheld from the others; if none does, the invoice says it for all. */
function linesAndWithholding(
  invoice: Node,
  lines: readonly ReceivedLine[],
): Pick<ReceivedInvoice, 'lines' | 'withholdingRate'> {
  if (lines.every(({ withholdingRate }) => !withholdingRate)) return { lines, withholdingRate: withholding(invoice) };
  return {
    lines: lines.map((line) => ({ ...line, withholdingRate: line.withholdingRate ?? '0' })),
    withholdingRate: '0',
  };
}

function taxWithin(line: Node): Pick<ReceivedLine, 'taxRate' | 'treatment'> {
  const tax = all(line, 'TaxesOutputs/Tax').find((one) => text(one, 'TaxTypeCode') === VAT);
  const taxRate = amount(tax ?? null, 'TaxRate', '0');
  const event = text(line, 'SpecialTaxableEvent/SpecialTaxableEventCode');
  const free = event === NOT_SUBJECT ? 'not_subject' : 'exempt';
  return { taxRate, treatment: decimal(taxRate).eq(0) ? free : 'taxed' };
}

/** Discounts and charges on the whole invoice, as a line at the rate of the only tax. */
function generalAmounts(invoice: Node, totals: Node): ReceivedLine[] {
  const added = decimal(amount(totals, 'TotalGeneralSurcharges', '0')).minus(
    amount(totals, 'TotalGeneralDiscounts', '0'),
  );
  if (added.eq(0)) return [];
  const taxes = all(invoice, 'TaxesOutputs/Tax');
  if (taxes.length !== 1) return refuse('has discounts on the whole of several taxes, which cannot be told apart');
  const taxRate = amount(taxes[0] ?? null, 'TaxRate', '0');
  const treatment = decimal(taxRate).eq(0) ? 'exempt' : 'taxed';
  return [wholeLine('Descuentos y cargos', added.toFixed(), { taxRate, treatment })];
}

/** One rate for the invoice: that of its withholdings, or the mean of several. */
function withholding(invoice: Node): Decimal {
  const taxes = incomeTax(invoice);
  const [tax, ...others] = taxes;
  if (tax === undefined) return '0';
  const rate = amount(tax, 'TaxRate');
  if (others.every((one) => decimal(amount(one, 'TaxRate')).eq(rate))) return rate;
  const bases = sum(taxes.map((one) => amount(one, 'TaxableBase/TotalAmount')));
  if (bases.eq(0)) return '0';
  const amounts = sum(taxes.map((one) => amount(one, 'TaxAmount/TotalAmount', '0')));
  return amounts.times(100).div(bases).round(4).toFixed();
}
