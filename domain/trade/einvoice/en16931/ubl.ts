/** Writes an invoice in UBL 2.1 by EN 16931: elements in the order of their schemas. */
import { type Decimal, decimal } from '../../../money.ts';
import { type Node, node, path } from '../../../xml.ts';
import type { Endpoint, Peppol } from './peppol.ts';
import type { StandardInvoice, StandardLine, StandardParty, StandardTax } from './standard.ts';

const CUSTOMIZATION = 'urn:cen.eu:en16931:2017';
const BASE = 'urn:oasis:names:specification:ubl:schema:xsd';

/** The words in which an invoice and a credit note differ. */
const WORDS = {
  invoice: { root: 'Invoice', type: 'cbc:InvoiceTypeCode', line: 'cac:InvoiceLine', quantity: 'cbc:InvoicedQuantity' },
  credit: {
    root: 'CreditNote',
    type: 'cbc:CreditNoteTypeCode',
    line: 'cac:CreditNoteLine',
    quantity: 'cbc:CreditedQuantity',
  },
} as const;

/** @param peppol by which it is for the network of Peppol; null if it is not */
export function ubl(invoice: StandardInvoice, peppol: Peppol | null = null): Node {
  const isCredit = invoice.type === '381';
  const words = WORDS[isCredit ? 'credit' : 'invoice'];
  const { currency } = invoice;
  return node(
    words.root,
    [
      node('cbc:CustomizationID', peppol?.customization ?? CUSTOMIZATION),
      optional('cbc:ProfileID', peppol?.process ?? null),
      node('cbc:ID', invoice.number),
      node('cbc:IssueDate', invoice.date),
      isCredit ? undefined : optional('cbc:DueDate', invoice.dueDate),
      node(words.type, invoice.type),
      optional('cbc:Note', invoice.note),
      node('cbc:DocumentCurrencyCode', currency),
      optional('cbc:TaxCurrencyCode', invoice.declaredTax?.currency ?? null),
      optional('cbc:BuyerReference', invoice.reference),
      // UNTDID 2005: 432, paid to date.
      invoice.taxDueOnPayment ? path('cac:InvoicePeriod/cbc:DescriptionCode', '432') : undefined,
      billingReference(invoice),
      path('cac:AccountingSupplierParty', [partyNode(invoice.seller, peppol?.seller)]),
      path('cac:AccountingCustomerParty', [partyNode(invoice.buyer, peppol?.buyer)]),
      delivery(invoice),
      paymentMeans(invoice),
      invoice.terms === null ? undefined : path('cac:PaymentTerms/cbc:Note', invoice.terms),
      taxTotal(invoice),
      declaredTax(invoice),
      monetaryTotal(invoice),
      ...invoice.lines.map((line) => lineNode(line, currency, words)),
    ],
    {
      xmlns: `${BASE}:${words.root}-2`,
      'xmlns:cac': `${BASE}:CommonAggregateComponents-2`,
      'xmlns:cbc': `${BASE}:CommonBasicComponents-2`,
    },
  );
}

function optional(name: string, text: string | null): Node | undefined {
  return text === null || text === '' ? undefined : node(name, text);
}

function money(name: string, value: Decimal, currency: string): Node {
  return node(name, decimal(value).toFixed(2), { currencyID: currency });
}

function billingReference({ rectified }: StandardInvoice): Node | undefined {
  if (rectified === null) return undefined;
  const reference = [node('cbc:ID', rectified.number), node('cbc:IssueDate', rectified.date)];
  return path('cac:BillingReference/cac:InvoiceDocumentReference', reference);
}

function partyNode(party: StandardParty, endpoint: Endpoint | undefined): Node {
  const { name, vatNumber, legalId, street, zipCode, city, country } = party;
  return node('cac:Party', [
    endpoint === undefined ? undefined : node('cbc:EndpointID', endpoint.id, { schemeID: endpoint.scheme }),
    node('cac:PostalAddress', [
      optional('cbc:StreetName', street),
      optional('cbc:CityName', city),
      optional('cbc:PostalZone', zipCode),
      path('cac:Country/cbc:IdentificationCode', country),
    ]),
    vatNumber === null
      ? undefined
      : node('cac:PartyTaxScheme', [node('cbc:CompanyID', vatNumber), path('cac:TaxScheme/cbc:ID', 'VAT')]),
    node('cac:PartyLegalEntity', [node('cbc:RegistrationName', name), optional('cbc:CompanyID', legalId)]),
  ]);
}

function delivery({ deliveryDate, buyer }: StandardInvoice): Node {
  return node('cac:Delivery', [
    node('cbc:ActualDeliveryDate', deliveryDate),
    path('cac:DeliveryLocation/cac:Address/cac:Country/cbc:IdentificationCode', buyer.country),
  ]);
}

function paymentMeans({ payment, number }: StandardInvoice): Node | undefined {
  if (payment === null) return undefined;
  const { code, iban, bic, debitedIban } = payment;
  const branch = bic === null ? undefined : path('cac:FinancialInstitutionBranch/cbc:ID', bic);
  return node('cac:PaymentMeans', [
    node('cbc:PaymentMeansCode', code),
    node('cbc:PaymentID', number),
    iban === null ? undefined : node('cac:PayeeFinancialAccount', [node('cbc:ID', iban), branch]),
    debitedIban === null ? undefined : path('cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID', debitedIban),
  ]);
}

function taxTotal({ taxes, totals, currency }: StandardInvoice): Node {
  return node('cac:TaxTotal', [
    money('cbc:TaxAmount', totals.tax, currency),
    ...taxes.map((tax) =>
      node('cac:TaxSubtotal', [
        money('cbc:TaxableAmount', tax.base, currency),
        money('cbc:TaxAmount', tax.amount, currency),
        category('cac:TaxCategory', tax),
      ]),
    ),
  ]);
}

function declaredTax({ declaredTax: declared }: StandardInvoice): Node | undefined {
  if (declared === null) return undefined;
  return node('cac:TaxTotal', [money('cbc:TaxAmount', declared.amount, declared.currency)]);
}

type Categorized = Pick<StandardTax, 'category' | 'rate'> & Partial<Pick<StandardTax, 'reason' | 'vatex'>>;

function category(name: string, { category: id, rate, reason = null, vatex = null }: Categorized): Node {
  return node(name, [
    node('cbc:ID', id),
    optional('cbc:Percent', rate),
    optional('cbc:TaxExemptionReasonCode', vatex),
    optional('cbc:TaxExemptionReason', reason),
    path('cac:TaxScheme/cbc:ID', 'VAT'),
  ]);
}

function monetaryTotal({ totals, currency }: StandardInvoice): Node {
  return node('cac:LegalMonetaryTotal', [
    money('cbc:LineExtensionAmount', totals.net, currency),
    money('cbc:TaxExclusiveAmount', totals.net, currency),
    money('cbc:TaxInclusiveAmount', totals.gross, currency),
    money('cbc:PayableAmount', totals.gross, currency),
  ]);
}

function lineNode(line: StandardLine, currency: string, words: (typeof WORDS)[keyof typeof WORDS]): Node {
  const { discount, charge } = line;
  return node(words.line, [
    node('cbc:ID', line.id),
    node(words.quantity, line.quantity, { unitCode: line.unit }),
    money('cbc:LineExtensionAmount', line.amount, currency),
    discount === null
      ? undefined
      : node('cac:AllowanceCharge', [
          node('cbc:ChargeIndicator', 'false'),
          node('cbc:AllowanceChargeReasonCode', '95'),
          discount.percent === null ? undefined : node('cbc:MultiplierFactorNumeric', discount.percent),
          money('cbc:Amount', discount.amount, currency),
          money('cbc:BaseAmount', discount.base, currency),
        ]),
    charge === null
      ? undefined
      : node('cac:AllowanceCharge', [
          node('cbc:ChargeIndicator', 'true'),
          node('cbc:AllowanceChargeReasonCode', 'FC'),
          money('cbc:Amount', charge, currency),
        ]),
    node('cac:Item', [
      node('cbc:Name', line.name),
      line.code === null ? undefined : path('cac:SellersItemIdentification/cbc:ID', line.code),
      category('cac:ClassifiedTaxCategory', line),
    ]),
    path('cac:Price', [node('cbc:PriceAmount', decimal(line.price).toFixed(), { currencyID: currency })]),
  ]);
}
