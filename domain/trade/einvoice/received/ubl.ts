/** Reads invoices and credit notes in UBL 2. */
import { type Decimal, decimal } from '../../../money.ts';
import type { Node } from '../../../xml.ts';
import { localName } from '../../../xml-reader.ts';
import { all, amount, codes, day, first, needed, refuse, text } from './elements.ts';
import { unitPrice, wholeLine, wholeWords } from './lines.ts';
import type { ReceivedInvoice, ReceivedLine, ReceivedParty } from './received.ts';
import { lineTax } from './treatments.ts';

const CODES = {
  buyer: 'BuyersItemIdentification/ID',
  standard: 'StandardItemIdentification/ID',
  seller: 'SellersItemIdentification/ID',
} as const;

export function readUbl(root: Node): ReceivedInvoice {
  const isNote = localName(root) === 'CreditNote';
  const type = text(root, isNote ? 'CreditNoteTypeCode' : 'InvoiceTypeCode');
  const totals = first(root, 'LegalMonetaryTotal') ?? refuse('has no LegalMonetaryTotal');
  const seller = partyWithin(first(root, 'AccountingSupplierParty/Party') ?? refuse('has no AccountingSupplierParty'));
  const payable = amount(totals, 'TaxInclusiveAmount');
  const own = all(root, 'TaxTotal').find((total) => first(total, 'TaxSubtotal') !== null) ?? null;
  return {
    format: 'ubl',
    isCredit: isNote || type === '381' || decimal(payable).lt(0),
    number: needed(root, 'ID'),
    date: day(root, 'IssueDate') ?? refuse('has no IssueDate'),
    operationDate: day(root, 'Delivery/ActualDeliveryDate'),
    dueDate: day(root, 'DueDate') ?? day(root, 'PaymentMeans/PaymentDueDate'),
    currency: needed(root, 'DocumentCurrencyCode'),
    seller,
    buyer: partyWithin(first(root, 'AccountingCustomerParty/Party') ?? refuse('has no AccountingCustomerParty')),
    rectified: text(root, 'BillingReference/InvoiceDocumentReference/ID'),
    reference: text(root, 'OrderReference/ID') ?? text(root, 'BuyerReference'),
    notes: text(root, 'Note'),
    lines: [
      ...all(root, isNote ? 'CreditNoteLine' : 'InvoiceLine').map((line) => lineWithin(line, seller)),
      ...all(root, 'AllowanceCharge').map((one) => wholeAmount(one, seller)),
    ],
    withholdingRate: '0',
    totals: {
      net: amount(totals, 'TaxExclusiveAmount'),
      tax: amount(own, 'TaxAmount', '0'),
      payable,
    },
  };
}

function partyWithin(party: Node): ReceivedParty {
  const ids = ['PartyTaxScheme/CompanyID', 'PartyLegalEntity/CompanyID', 'PartyIdentification/ID'];
  return {
    name: text(party, 'PartyLegalEntity/RegistrationName') ?? needed(party, 'PartyName/Name'),
    taxIds: ids.flatMap((path) => text(party, path) ?? []),
    country: text(party, 'PostalAddress/Country/IdentificationCode'),
    street: text(party, 'PostalAddress/StreetName'),
    zipCode: text(party, 'PostalAddress/PostalZone'),
    city: text(party, 'PostalAddress/CityName'),
    email: text(party, 'Contact/ElectronicMail'),
  };
}

function lineWithin(line: Node, seller: ReceivedParty): ReceivedLine {
  const item = first(line, 'Item') ?? refuse('has a line without Item');
  const per = amount(line, 'Price/BaseQuantity', '1');
  const price = amount(line, 'Price/PriceAmount');
  return {
    description: text(item, 'Name') ?? needed(item, 'Description'),
    codes: codes(item, CODES),
    quantity: amount(line, 'InvoicedQuantity', amount(line, 'CreditedQuantity', '1')),
    price: unitPrice(price, per),
    discountPercent: onlyPercent(all(line, 'AllowanceCharge')),
    amount: amount(line, 'LineExtensionAmount'),
    ...lineTax(text(item, 'ClassifiedTaxCategory/ID'), amount(item, 'ClassifiedTaxCategory/Percent', '0'), seller),
  };
}

function onlyPercent(allowances: readonly Node[]): Decimal {
  const [only] = allowances;
  if (only === undefined || allowances.length > 1 || text(only, 'ChargeIndicator') !== 'false') return '0';
  return amount(only, 'MultiplierFactorNumeric', '0');
}

/** A discount or charge on the whole invoice, as a line. */
function wholeAmount(one: Node, seller: ReceivedParty): ReceivedLine {
  const isCharge = text(one, 'ChargeIndicator') === 'true';
  const price = decimal(amount(one, 'Amount')).times(isCharge ? 1 : -1);
  const tax = lineTax(text(one, 'TaxCategory/ID'), amount(one, 'TaxCategory/Percent', '0'), seller);
  return wholeLine(text(one, 'AllowanceChargeReason') ?? wholeWords(isCharge), price.toFixed(), tax);
}
