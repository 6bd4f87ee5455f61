/** Reads invoices in Cross Industry Invoice, also within Factur-X and ZUGFeRD. */
import { type Decimal, decimal } from '../../../money.ts';
import type { Node } from '../../../xml.ts';
import { all, amount, codes, day, first, needed, refuse, text } from './elements.ts';
import { unitPrice, wholeLine, wholeWords } from './lines.ts';
import type { ReceivedInvoice, ReceivedLine, ReceivedParty } from './received.ts';
import { lineTax } from './treatments.ts';

const CODES = { buyer: 'BuyerAssignedID', standard: 'GlobalID', seller: 'SellerAssignedID' } as const;

export function readCii(root: Node): ReceivedInvoice {
  const document = first(root, 'ExchangedDocument') ?? refuse('has no ExchangedDocument');
  const trade = first(root, 'SupplyChainTradeTransaction') ?? refuse('has no SupplyChainTradeTransaction');
  const agreement = first(trade, 'ApplicableHeaderTradeAgreement') ?? refuse('has no ApplicableHeaderTradeAgreement');
  const settlement =
    first(trade, 'ApplicableHeaderTradeSettlement') ?? refuse('has no ApplicableHeaderTradeSettlement');
  const sums =
    first(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation') ?? refuse('has no monetary summation');
  const seller = partyWithin(first(agreement, 'SellerTradeParty') ?? refuse('has no SellerTradeParty'));
  const payable = amount(sums, 'GrandTotalAmount');
  const currency = needed(settlement, 'InvoiceCurrencyCode');
  const event = 'ApplicableHeaderTradeDelivery/ActualDeliverySupplyChainEvent/OccurrenceDateTime/DateTimeString';
  const taxes = all(sums, 'TaxTotalAmount');
  const tax = taxes.find(({ attributes }) => attributes?.currencyID === currency) ?? taxes[0] ?? null;
  return {
    format: 'cii',
    isCredit: text(document, 'TypeCode') === '381' || decimal(payable).lt(0),
    number: needed(document, 'ID'),
    date: day(document, 'IssueDateTime/DateTimeString') ?? refuse('has no IssueDateTime'),
    operationDate: day(trade, event),
    dueDate: day(settlement, 'SpecifiedTradePaymentTerms/DueDateDateTime/DateTimeString'),
    currency,
    seller,
    buyer: partyWithin(first(agreement, 'BuyerTradeParty') ?? refuse('has no BuyerTradeParty')),
    rectified: text(settlement, 'InvoiceReferencedDocument/IssuerAssignedID'),
    reference: text(agreement, 'BuyerOrderReferencedDocument/IssuerAssignedID') ?? text(agreement, 'BuyerReference'),
    notes: text(document, 'IncludedNote/Content'),
    lines: [
      ...all(trade, 'IncludedSupplyChainTradeLineItem').map((line) => lineWithin(line, seller)),
      ...all(settlement, 'SpecifiedTradeAllowanceCharge').map((one) => wholeAmount(one, seller)),
    ],
    withholdingRate: '0',
    totals: {
      net: amount(sums, 'TaxBasisTotalAmount'),
      tax: tax === null ? '0' : amount({ name: '', content: [tax] }, 'TaxTotalAmount'),
      payable,
    },
  };
}

function partyWithin(party: Node): ReceivedParty {
  const registrations = all(party, 'SpecifiedTaxRegistration').flatMap((one) => text(one, 'ID') ?? []);
  const others = ['SpecifiedLegalOrganization/ID', 'GlobalID', 'ID'].flatMap((path) => text(party, path) ?? []);
  return {
    name: needed(party, 'Name'),
    taxIds: [...registrations, ...others],
    country: text(party, 'PostalTradeAddress/CountryID'),
    street: text(party, 'PostalTradeAddress/LineOne'),
    zipCode: text(party, 'PostalTradeAddress/PostcodeCode'),
    city: text(party, 'PostalTradeAddress/CityName'),
    email: text(party, 'DefinedTradeContact/EmailURIUniversalCommunication/URIID'),
  };
}

function lineWithin(line: Node, seller: ReceivedParty): ReceivedLine {
  const product = first(line, 'SpecifiedTradeProduct') ?? refuse('has a line without SpecifiedTradeProduct');
  const settlement = first(line, 'SpecifiedLineTradeSettlement') ?? refuse('has a line without settlement');
  const net = first(line, 'SpecifiedLineTradeAgreement/NetPriceProductTradePrice');
  const per = amount(net, 'BasisQuantity', '1');
  const price = amount(net, 'ChargeAmount');
  const allowances = all(settlement, 'SpecifiedTradeAllowanceCharge');
  return {
    description: text(product, 'Name') ?? needed(product, 'Description'),
    codes: codes(product, CODES),
    quantity: amount(line, 'SpecifiedLineTradeDelivery/BilledQuantity'),
    price: unitPrice(price, per),
    discountPercent: onlyPercent(allowances),
    amount: amount(settlement, 'SpecifiedTradeSettlementLineMonetarySummation/LineTotalAmount'),
    ...taxWithin(first(settlement, 'ApplicableTradeTax'), seller),
  };
}

function taxWithin(tax: Node | null, seller: ReceivedParty): Pick<ReceivedLine, 'taxRate' | 'treatment'> {
  return lineTax(text(tax, 'CategoryCode'), amount(tax, 'RateApplicablePercent', '0'), seller);
}

function isCharge(one: Node): boolean {
  return text(one, 'ChargeIndicator/Indicator') === 'true';
}

function onlyPercent(allowances: readonly Node[]): Decimal {
  const [only] = allowances;
  if (only === undefined || allowances.length > 1 || isCharge(only)) return '0';
  return amount(only, 'CalculationPercent', '0');
}

/** A discount or charge on the whole invoice, as a line. */
function wholeAmount(one: Node, seller: ReceivedParty): ReceivedLine {
  const price = decimal(amount(one, 'ActualAmount')).times(isCharge(one) ? 1 : -1);
  const tax = taxWithin(first(one, 'CategoryTradeTax'), seller);
  return wholeLine(text(one, 'Reason') ?? wholeWords(isCharge(one)), price.toFixed(), tax);
}
