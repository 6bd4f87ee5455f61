/** Writes an issued invoice as Facturae 3.2.2 (Orden HAP/1650/2015), without its signature. */
import { Faults } from '../../../faults.ts';
import { decimal } from '../../../money.ts';
import { shortened } from '../../../shorten.ts';
import { type Node, node } from '../../../xml.ts';
import { CASH_BASIS_TEXT, legalText } from '../../documents/legal-texts.ts';
import type { Mentioned } from '../../documents/mentions.ts';
import { unionSchemeText } from '../../documents/union-scheme.ts';
import type { InvoiceData } from '../invoice.ts';
import { amountNode, cents, totalNode } from './amounts.ts';
import { CORRECTION_METHODS, CORRECTION_REASONS, PAYMENT_MEANS } from './codes.ts';
import { lineNode, taxParts, withholdingNode } from './lines.ts';
import { buyerParty, sellerParty } from './parties.ts';

export const NAMESPACES = {
  'xmlns:ds': 'http://www.w3.org/2000/09/xmldsig#',
  'xmlns:fe': 'http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml',
} as const;
const VERSION = '3.2.2';
const MAX_NUMBER = 20;

const SELLER = {
  pointer: '/company',
  members: { street: 'address', zipCode: 'zipCode', city: 'city' },
  whose: 'the company',
} as const;
const BUYER = {
  pointer: '/billingAddress',
  members: { street: 'street', zipCode: 'zipCode', city: 'city' },
  whose: 'the customer',
} as const;

/**
 * Builds the document.
 * @throws ServiceError validation_failed naming what the format demands and the invoice lacks
 */
export function facturae(invoice: InvoiceData): Node {
  const faults = new Faults();
  checkInvoice(invoice, faults);
  const document = node(
    'fe:Facturae',
    [
      fileHeader(invoice),
      node('Parties', [sellerParty(invoice.seller, SELLER, faults), buyerParty(invoice.buyer, BUYER, faults)]),
      node('Invoices', [invoiceNode(invoice, faults)]),
    ],
    NAMESPACES,
  );
  faults.throwIfAny();
  return document;
}

function checkInvoice({ currency, lines }: InvoiceData, faults: Faults): void {
  if (currency !== 'EUR') faults.add('/currency', 'other_currency', 'must be EUR for Facturae');
  const fine = lines.every(({ amount }) => decimal(amount).round(2).eq(amount));
  if (!fine) faults.add('/lines', 'too_precise', 'must have amounts of at most two decimals for Facturae');
}

function fileHeader({ number, prefix, seller, totals, currency }: InvoiceData): Node {
  const parts = numberParts(number, prefix);
  return node('FileHeader', [
    node('SchemaVersion', VERSION),
    node('Modality', 'I'),
    node('InvoiceIssuerType', 'EM'),
    node('Batch', [
      node('BatchIdentifier', shortened(`${seller.taxId ?? ''}${parts.number}${parts.series ?? ''}`, 70)),
      node('InvoicesCount', '1'),
      totalNode('TotalInvoicesAmount', totals.total),
      totalNode('TotalOutstandingAmount', totals.total),
      totalNode('TotalExecutableAmount', totals.total),
      node('InvoiceCurrencyCode', currency),
    ]),
  ]);
}

/** The number without its series, if it begins with one. */
function numberParts(number: string, prefix: string): { readonly number: string; readonly series: string | undefined } {
  const split = prefix !== '' && number.startsWith(prefix) && number.length > prefix.length;
  return split ? { number: number.slice(prefix.length), series: prefix } : { number, series: undefined };
}

function numberNodes(number: string, prefix: string, faults: Faults): (Node | undefined)[] {
  const parts = numberParts(number, prefix);
  if (parts.number.length > MAX_NUMBER || (parts.series ?? '').length > MAX_NUMBER) {
    const message = `makes the number ${number}; series and number must have at most ${MAX_NUMBER} characters each`;
    faults.add('/seriesId', 'too_long', message);
  }
  return [
    node('InvoiceNumber', parts.number),
    parts.series === undefined ? undefined : node('InvoiceSeriesCode', parts.series),
  ];
}

function invoiceNode(invoice: InvoiceData, faults: Faults): Node {
  const { number, prefix, lines, taxes, withholdings } = invoice;
  return node('Invoice', [
    node('InvoiceHeader', [
      ...numberNodes(number, prefix, faults),
      node('InvoiceDocumentType', 'FC'),
      node('InvoiceClass', invoice.rectified === null ? 'OO' : 'OR'),
      correctiveNode(invoice, faults),
    ]),
    issueData(invoice),
    node(
      'TaxesOutputs',
      taxes.map((tax) => taxParts(tax, invoice.taxSet)),
    ),
    withholdings.length === 0 ? undefined : node('TaxesWithheld', withholdings.map(withholdingNode)),
    totalsNode(invoice),
    node(
      'Items',
      lines.map((line, index) => lineNode(invoice, line, index + 1)),
    ),
    paymentNode(invoice),
    literalsNode(invoice),
    additionalNode(invoice),
  ]);
}

function correctiveNode(invoice: InvoiceData, faults: Faults): Node | undefined {
  const { rectified, reason, rectificationType, substitutes } = invoice;
  if (rectified === null) return undefined;
  const method = CORRECTION_METHODS[substitutes ? 'substitution' : 'differences'];
  // Insolvency has a reason of its own; what else changes the base has none that says more.
  const code = rectificationType === 'R2' ? '85' : '16';
  return node('Corrective', [
    ...numberNodes(rectified.number, rectified.prefix, faults),
    node('ReasonCode', code),
    node('ReasonDescription', CORRECTION_REASONS[code]),
    taxPeriod(rectified.date),
    node('CorrectionMethod', method.code),
    node('CorrectionMethodDescription', method.text),
    reason === null ? undefined : node('AdditionalReasonDescription', shortened(reason, 2500)),
    node('InvoiceIssueDate', rectified.date),
  ]);
}

/** The quarter of a day. */
function taxPeriod(day: string): Node {
  const [year, month] = [day.slice(0, 4), Number(day.slice(5, 7))];
  const first = month - ((month - 1) % 3);
  const last = new Date(Date.UTC(Number(year), first + 2, 0)).toISOString().slice(0, 10);
  const start = `${year}-${String(first).padStart(2, '0')}-01`;
  return node('TaxPeriod', [node('StartDate', start), node('EndDate', last)]);
}

function issueData({ date, operationDate, currency, language, reference }: InvoiceData): Node {
  const fits = reference !== null && reference.length <= 20;
  return node('InvoiceIssueData', [
    node('IssueDate', date),
    operationDate === null || operationDate === date ? undefined : node('OperationDate', operationDate),
    node('InvoiceCurrencyCode', currency),
    node('TaxCurrencyCode', currency),
    node('LanguageName', language),
    fits ? node('ReceiverTransactionReference', reference) : undefined,
  ]);
}

/** Totals after withholding, as the schema's formulas have them. */
function totalsNode({ totals }: InvoiceData): Node {
  return node('InvoiceTotals', [
    amountNode('TotalGrossAmount', totals.net),
    amountNode('TotalGrossAmountBeforeTaxes', totals.net),
    amountNode('TotalTaxOutputs', totals.tax),
    amountNode('TotalTaxesWithheld', totals.withheld),
    amountNode('InvoiceTotal', totals.total),
    amountNode('TotalOutstandingAmount', totals.total),
    amountNode('TotalExecutableAmount', totals.total),
  ]);
}

function paymentNode({ payment, instalments, totals }: InvoiceData): Node | undefined {
  const { iban, bic, debitedIban } = payment;
  const method = payment.method ?? (iban === null ? null : 'transfer');
  if (method === null || instalments.length === 0 || !decimal(totals.total).gt(0)) return undefined;
  // A transfer needs an account to pay to, a debit one to be debited.
  const complete = method === 'transfer' ? iban !== null : method !== 'direct_debit' || debitedIban !== null;
  const account = (name: string, own: string | null, bank: string | null) =>
    own === null
      ? undefined
      : node(name, [node('IBAN', own), bank === null ? undefined : node('BIC', bank.padEnd(11, 'X'))]);
  return node(
    'PaymentDetails',
    instalments.map(({ dueDate, amount }) =>
      node('Installment', [
        node('InstallmentDueDate', dueDate),
        node('InstallmentAmount', cents(amount)),
        node('PaymentMeans', PAYMENT_MEANS[complete ? method : 'voucher']),
        method === 'transfer' ? account('AccountToBeCredited', iban, bic) : undefined,
        method === 'direct_debit' ? account('AccountToBeDebited', debitedIban, null) : undefined,
      ]),
    ),
  );
}

/** The mentions of RD 1619/2012, art. 6, each once. */
function literalsNode(invoice: InvoiceData): Node | undefined {
  const ofTaxes = invoice.taxes.flatMap(({ mention }) => (mention === null ? [] : [mentionText(invoice, mention)]));
  const cashBasis = invoice.cashBasis ? [CASH_BASIS_TEXT[invoice.language]] : [];
  const unionScheme = unionSchemeText(invoice.consumptionStates, invoice.language) ?? [];
  const said = [...ofTaxes, ...cashBasis].concat(unionScheme);
  if (said.length === 0) return undefined;
  return node(
    'LegalLiterals',
    [...new Set(said)].map((text) => node('LegalReference', shortened(text, 250))),
  );
}

function mentionText(invoice: InvoiceData, { mention, article }: Mentioned): string {
  return legalText(mention, article, invoice);
}

function additionalNode({ reference, notes, qrUrl }: InvoiceData): Node | undefined {
  const long = reference !== null && reference.length > 20 ? reference : null;
  const texts = [long, notes, qrUrl === null ? null : `VERI*FACTU: ${qrUrl}`].filter((text) => text !== null);
  if (texts.length === 0) return undefined;
  return node('AdditionalData', [node('InvoiceAdditionalInformation', shortened(texts.join('\n'), 2500))]);
}
