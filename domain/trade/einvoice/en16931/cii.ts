/** Writes an invoice as Cross Industry Invoice D16B by EN 16931: elements in the order of their schema. */
import { type Decimal, decimal } from '../../../money.ts';
import { type Node, node, path } from '../../../xml.ts';
import type { StandardInvoice, StandardLine, StandardParty, StandardTax } from './standard.ts';

const GUIDELINE = 'urn:cen.eu:en16931:2017';
const BASE = 'urn:un:unece:uncefact:data:standard';
/** Dates are written without separators. */
const DATE = { format: '102' } as const;

export function cii(invoice: StandardInvoice): Node {
  return node(
    'rsm:CrossIndustryInvoice',
    [
      path('rsm:ExchangedDocumentContext/ram:GuidelineSpecifiedDocumentContextParameter/ram:ID', GUIDELINE),
      node('rsm:ExchangedDocument', [
        node('ram:ID', invoice.number),
        node('ram:TypeCode', invoice.type),
        node('ram:IssueDateTime', [date('udt', invoice.date)]),
        invoice.note === null ? undefined : path('ram:IncludedNote/ram:Content', invoice.note),
      ]),
      node('rsm:SupplyChainTradeTransaction', [
        ...invoice.lines.map(lineNode),
        node('ram:ApplicableHeaderTradeAgreement', [
          optional('ram:BuyerReference', invoice.reference),
          partyNode('ram:SellerTradeParty', invoice.seller),
          partyNode('ram:BuyerTradeParty', invoice.buyer),
        ]),
        node('ram:ApplicableHeaderTradeDelivery', [
          path('ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID', invoice.buyer.country),
          path('ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime', [date('udt', invoice.deliveryDate)]),
        ]),
        settlement(invoice),
      ]),
    ],
    {
      'xmlns:qdt': `${BASE}:QualifiedDataType:100`,
      'xmlns:ram': `${BASE}:ReusableAggregateBusinessInformationEntity:100`,
      'xmlns:rsm': `${BASE}:CrossIndustryInvoice:100`,
      'xmlns:udt': `${BASE}:UnqualifiedDataType:100`,
    },
  );
}

function optional(name: string, text: string | null): Node | undefined {
  return text === null || text === '' ? undefined : node(name, text);
}

function date(prefix: 'udt' | 'qdt', day: string): Node {
  return node(`${prefix}:DateTimeString`, day.replaceAll('-', ''), DATE);
}

function money(name: string, value: Decimal): Node {
  return node(name, decimal(value).toFixed(2));
}

function partyNode(role: string, { name, vatNumber, legalId, street, zipCode, city, country }: StandardParty): Node {
  return node(role, [
    node('ram:Name', name),
    legalId === null ? undefined : path('ram:SpecifiedLegalOrganization/ram:ID', legalId),
    node('ram:PostalTradeAddress', [
      optional('ram:PostcodeCode', zipCode),
      optional('ram:LineOne', street),
      optional('ram:CityName', city),
      node('ram:CountryID', country),
    ]),
    vatNumber === null
      ? undefined
      : node('ram:SpecifiedTaxRegistration', [node('ram:ID', vatNumber, { schemeID: 'VA' })]),
  ]);
}

function settlement(invoice: StandardInvoice): Node {
  const { currency, dueDate, terms, totals, rectified, declaredTax: declared } = invoice;
  return node('ram:ApplicableHeaderTradeSettlement', [
    node('ram:PaymentReference', invoice.number),
    declared === null ? undefined : node('ram:TaxCurrencyCode', declared.currency),
    node('ram:InvoiceCurrencyCode', currency),
    paymentMeans(invoice),
    ...invoice.taxes.map((tax) => taxNode(tax, invoice.taxDueOnPayment)),
    dueDate === null && terms === null
      ? undefined
      : node('ram:SpecifiedTradePaymentTerms', [
          optional('ram:Description', terms),
          dueDate === null ? undefined : node('ram:DueDateDateTime', [date('udt', dueDate)]),
        ]),
    node('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      money('ram:LineTotalAmount', totals.net),
      money('ram:TaxBasisTotalAmount', totals.net),
      node('ram:TaxTotalAmount', decimal(totals.tax).toFixed(2), { currencyID: currency }),
      declared === null
        ? undefined
        : node('ram:TaxTotalAmount', decimal(declared.amount).toFixed(2), { currencyID: declared.currency }),
      money('ram:GrandTotalAmount', totals.gross),
      money('ram:DuePayableAmount', totals.gross),
    ]),
    rectified === null
      ? undefined
      : node('ram:InvoiceReferencedDocument', [
          node('ram:IssuerAssignedID', rectified.number),
          node('ram:FormattedIssueDateTime', [date('qdt', rectified.date)]),
        ]),
  ]);
}

function paymentMeans({ payment }: StandardInvoice): Node | undefined {
  if (payment === null) return undefined;
  const { code, iban, bic, debitedIban } = payment;
  return node('ram:SpecifiedTradeSettlementPaymentMeans', [
    node('ram:TypeCode', code),
    debitedIban === null ? undefined : path('ram:PayerPartyDebtorFinancialAccount/ram:IBANID', debitedIban),
    iban === null ? undefined : path('ram:PayeePartyCreditorFinancialAccount/ram:IBANID', iban),
    bic === null ? undefined : path('ram:PayeeSpecifiedCreditorFinancialInstitution/ram:BICID', bic),
  ]);
}

function taxNode({ category, rate, base, amount, reason, vatex }: StandardTax, dueOnPayment: boolean): Node {
  return node('ram:ApplicableTradeTax', [
    money('ram:CalculatedAmount', amount),
    node('ram:TypeCode', 'VAT'),
    optional('ram:ExemptionReason', reason),
    money('ram:BasisAmount', base),
    node('ram:CategoryCode', category),
    optional('ram:ExemptionReasonCode', vatex),
    // UNTDID 2475: 72, paid to date.
    optional('ram:DueDateTypeCode', dueOnPayment ? '72' : null),
    optional('ram:RateApplicablePercent', rate),
  ]);
}

function lineNode({
  id,
  name,
  code,
  quantity,
  unit,
  price,
  discount,
  charge,
  amount,
  category,
  rate,
}: StandardLine): Node {
  return node('ram:IncludedSupplyChainTradeLineItem', [
    path('ram:AssociatedDocumentLineDocument/ram:LineID', id),
    node('ram:SpecifiedTradeProduct', [optional('ram:SellerAssignedID', code), node('ram:Name', name)]),
    path('ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount', decimal(price).toFixed()),
    node('ram:SpecifiedLineTradeDelivery', [node('ram:BilledQuantity', quantity, { unitCode: unit })]),
    node('ram:SpecifiedLineTradeSettlement', [
      node('ram:ApplicableTradeTax', [
        node('ram:TypeCode', 'VAT'),
        node('ram:CategoryCode', category),
        optional('ram:RateApplicablePercent', rate),
      ]),
      discount === null
        ? undefined
        : node('ram:SpecifiedTradeAllowanceCharge', [
            path('ram:ChargeIndicator/udt:Indicator', 'false'),
            discount.percent === null ? undefined : node('ram:CalculationPercent', discount.percent),
            money('ram:BasisAmount', discount.base),
            money('ram:ActualAmount', discount.amount),
            node('ram:ReasonCode', '95'),
          ]),
      charge === null
        ? undefined
        : node('ram:SpecifiedTradeAllowanceCharge', [
            path('ram:ChargeIndicator/udt:Indicator', 'true'),
            money('ram:ActualAmount', charge),
            node('ram:ReasonCode', 'FC'),
          ]),
      path('ram:SpecifiedTradeSettlementLineMonetarySummation', [money('ram:LineTotalAmount', amount)]),
    ]),
  ]);
}
