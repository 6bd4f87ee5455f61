/**
 * Documents as clients, the audit log and templates see them. The audit log keeps stored members; responses add derived
 * ones.
 */

import { type Decimal, decimal, optionalNumber, roundedNumber, toNumber } from '../../../domain/money.ts';
import { openQuantity } from '../../../domain/trade/documents/progress.ts';
import type { RectificationMethod } from '../../../domain/trade/documents/rectifications.ts';
import { DOCUMENT_TYPES, type DocumentKind } from '../../../domain/trade/documents/types.ts';
import type { Warning } from '../../../domain/trade/documents/warnings.ts';
import { discountAmount } from '../../../domain/trade/payments/terms.ts';
import { documentRecordToJson } from '../../ledger/verifactu/document-record.ts';
import { customToJson } from '../../records/custom-fields/rows.ts';
import { partialBaseQuantity } from './resolve/unit.ts';
import type { DocumentRow, LineRow, LoadedDocument, StoredDocument, TakingBack } from './stored.ts';

/** The head of a document, without lines and taxes, as in lists. */
export function headerToJson(row: DocumentRow) {
  const money = (value: Decimal) => roundedNumber(value, row.decimalPrecision);
  return {
    id: row.id,
    docType: row.docType,
    seriesId: row.seriesId,
    periodId: row.periodId,
    number: row.number,
    code: row.code,
    status: row.status,
    // Invoices only.
    ...(row.paymentStatus === null ? {} : { paymentStatus: row.paymentStatus }),
    partnerId: row.partner.id,
    partner: row.partner,
    date: row.date,
    ...datesToJson(row),
    dueDate: row.dueDate,
    ...deliveryToJson(row),
    paymentTermsId: row.paymentTermsId,
    warehouseId: row.warehouseId,
    reference: row.reference,
    supplierReference: row.supplierReference,
    ...(row.docType === 'PINV' ? { customsDocument: customsToJson(row.customsDocument) } : {}),
    notes: row.notes,
    internalNotes: row.internalNotes,
    tags: row.tags,
    billingAddress: row.billingAddress,
    shippingAddress: row.shippingAddress,
    vatRegime: row.vatRegime,
    withholdingRate: toNumber(row.withholdingRate),
    ...(DOCUMENT_TYPES[row.docType].side === 'purchase' ? { proRata: optionalNumber(row.proRata) } : {}),
    ...(DOCUMENT_TYPES[row.docType].kind === 'invoice' ? { cashBasis: row.cashBasis } : {}),
    projectId: row.projectId,
    costCenterId: row.costCenterId,
    ...(DOCUMENT_TYPES[row.docType].side === 'sales' ? { salespersonId: row.salespersonId } : {}),
    ...correctionToJson(row),
    ...(row.docType === 'SINV' ? { dunningPaused: row.dunningPaused } : {}),
    discountPercent: optionalNumber(row.discountPercent),
    discountAmount: row.discountAmount === null ? null : money(row.discountAmount),
    chargeAmount: row.chargeAmount === null ? null : money(row.chargeAmount),
    chargeText: row.chargeText,
    currency: row.currency,
    exchangeRate: optionalNumber(row.exchangeRate),
    subtotal: money(row.subtotal),
    discountTotal: money(row.discountTotal),
    taxTotal: money(row.taxTotal),
    withholdingAmount: money(row.withholdingAmount),
    total: money(row.total),
    paidTotal: money(row.paidTotal),
    outstanding: money(decimal(row.total).minus(row.paidTotal).toFixed()),
    companyAmounts: companyAmountsToJson(row),
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    postedAt: row.postedAt,
    cancelledAt: row.cancelledAt,
    sentAt: row.sentAt,
    ...(DOCUMENT_TYPES[row.docType].kind === 'order' ? { closedAt: row.closedAt } : {}),
    ...quotationToJson(row),
    lockedAt: row.lockedAt,
    lockDueAt: row.lockDueAt,
    version: row.version,
    ...customToJson(row.custom),
  };
}

/** The sums in the company's currency; null if they are. */
function companyAmountsToJson(row: DocumentRow) {
  if (row.companyTotal === null) return null;
  const money = (value: Decimal | null) => roundedNumber(value ?? '0', row.companyPlaces);
  return {
    subtotal: money(row.companySubtotal),
    taxTotal: money(row.companyTaxTotal),
    withholdingAmount: money(row.companyWithholdingAmount),
    total: money(row.companyTotal),
    paidTotal: money(row.companyPaidTotal),
    outstanding: money(
      decimal(row.companyTotal)
        .minus(row.companyPaidTotal ?? '0')
        .toFixed(),
    ),
  };
}

/** A customs document as clients see it. */
export function customsToJson(document: DocumentRow['customsDocument']) {
  if (document === null) return null;
  const { number, date, base, vatAmount, deferred } = document;
  return { number, date, base: toNumber(base), vatAmount: toNumber(vatAmount), deferred };
}

/** Additional dates of invoices. */
function datesToJson({ docType, documentDate, operationDate }: DocumentRow) {
  const { kind, side } = DOCUMENT_TYPES[docType];
  if (kind !== 'invoice') return {};
  return side === 'purchase' ? { documentDate, operationDate } : { operationDate };
}

/** Members of quotations: how long they are valid, and the answer to them. */
function quotationToJson(row: DocumentRow) {
  if (DOCUMENT_TYPES[row.docType].kind !== 'quotation') return {};
  const { validUntil, expiresAt, revision, decidedAt, decidedBy, decisionNote } = row;
  return { validUntil, expiresAt, revision, decidedAt, decidedBy, decisionNote };
}

/** Members of invoices and notes that say what the document corrects. */
function correctionToJson(row: DocumentRow) {
  const { docType, rectifies, returns, reason, returnStock, rectificationType, rectificationMethod: method } = row;
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order' || kind === 'quotation') return {};
  if (kind !== 'invoice') return { returns, reason };
  const rectificationMethod: RectificationMethod | null = row.rectifying ? (method ?? 'differences') : null;
  return { rectifies, reason, returnStock, ...(docType === 'SINV' ? { rectificationType, rectificationMethod } : {}) };
}

/** The whole document as stored. */
export function documentToJson({ row, lines, taxes, instalments }: StoredDocument) {
  const money = (value: Decimal) => roundedNumber(value, row.decimalPrecision);
  return {
    ...headerToJson(row),
    ...dueToJson({ row, instalments }),
    lines: lines.map((line) => lineToJson(row, line)),
    taxes: taxes.map((tax) => ({
      taxGroupId: tax.taxGroupId,
      code: tax.code,
      rate: toNumber(tax.rate),
      base: money(tax.base),
      amount: money(tax.amount),
      surchargeRate: toNumber(tax.surchargeRate),
      surchargeAmount: money(tax.surchargeAmount),
    })),
  };
}

/** The instalments of an invoice, with the open amount of each; invoices only. */
export function dueToJson({ row, instalments }: Pick<StoredDocument, 'row' | 'instalments'>) {
  if (DOCUMENT_TYPES[row.docType].kind !== 'invoice') return {};
  const money = (value: Decimal) => roundedNumber(value, row.decimalPrecision);
  const outstanding = decimal(row.total).minus(row.paidTotal).toFixed();
  const whole = { number: 1, dueDate: row.dueDate ?? row.date, amount: row.total, outstanding };
  const { promptDiscountPercent: percent, promptDiscountUntil: until, decimalPrecision: places } = row;
  return {
    promptDiscount:
      percent === null || until === null
        ? null
        : { percent: toNumber(percent), until, amount: toNumber(discountAmount(row.total, percent, places)) },
    instalments: (instalments.length === 0 ? [whole] : instalments).map(({ number, dueDate, ...part }) => ({
      number,
      dueDate,
      amount: money(part.amount),
      outstanding: money(part.outstanding),
    })),
  };
}

export type LineJson = ReturnType<typeof lineToJson>;

/** When the goods of an order or quotation are expected; others have no such member. */
function deliveryToJson({ docType, deliveryDate }: DocumentRow) {
  const { kind } = DOCUMENT_TYPES[docType];
  return kind === 'order' || kind === 'quotation' ? { deliveryDate } : {};
}

/** A line as in responses, without its quantities in the item's own unit. */
export function lineToJson({ docType, decimalPrecision, quantityPrecision }: DocumentRow, line: LineRow) {
  const quantity = (value: Decimal) => roundedNumber(value, quantityPrecision);
  const progress = totalProgress(line);
  return {
    id: line.id,
    lineNumber: line.lineNumber,
    itemId: line.itemId,
    description: line.description,
    quantity: quantity(line.quantity),
    price: toNumber(line.price),
    priceWithTax: optionalNumber(line.priceWithTax),
    discountPercent: toNumber(line.discountPercent),
    secondDiscountPercent: toNumber(line.secondDiscountPercent),
    documentDiscount: roundedNumber(line.documentDiscount, decimalPrecision),
    documentCharge: roundedNumber(line.documentCharge, decimalPrecision),
    taxGroupId: line.taxGroupId,
    taxRate: toNumber(line.taxRate),
    amount: roundedNumber(line.amount, decimalPrecision),
    warehouseId: line.warehouseId,
    zoneId: line.zoneId,
    uomId: line.uomId,
    uomFactor: toNumber(line.uomFactor),
    batchDetails:
      line.batchDetails?.map((batch) => ({ ...batch, quantity: quantity(decimal(batch.quantity).toFixed()) })) ?? null,
    components: line.components?.map(({ itemId, quantity: each }) => ({ itemId, quantity: toNumber(each) })) ?? null,
    vatRegime: line.vatRegime,
    vatUse: line.vatUse,
    withholdingRate: optionalNumber(line.withholdingRate),
    deductiblePercent: optionalNumber(line.deductiblePercent),
    nonDeductibleTax: roundedNumber(line.lostTax, decimalPrecision),
    accountId: line.accountId,
    projectId: line.projectId,
    costCenterId: line.costCenterId,
    ...(DOCUMENT_TYPES[docType].side === 'sales'
      ? {
          salespersonId: line.salespersonId,
          commissionPercent: optionalNumber(line.commissionPercent),
          marginCost: optionalNumber(line.marginCost),
        }
      : {}),
    ...(DOCUMENT_TYPES[docType].kind === 'invoice' ? { serviceFrom: line.serviceFrom, serviceTo: line.serviceTo } : {}),
    baseType: line.baseType,
    baseId: line.baseId,
    baseLineId: line.baseLineId,
    pluginData: line.pluginData,
    openQuantity: quantity(openQuantity(DOCUMENT_TYPES[docType].kind, line)),
    deliveredQuantity: quantity(line.deliveredQuantity),
    invoicedQuantity: quantity(progress.invoiced),
    returnedQuantity: quantity(progress.returned),
  };
}

/**
 * The invoiced and returned quantities of a line, directly and through the notes that delivered it, in the line's unit.
 */
function totalProgress(line: LineRow): { readonly invoiced: Decimal; readonly returned: Decimal } {
  return {
    invoiced: decimal(line.invoicedQuantity).plus(line.invoicedThroughNotes).toFixed(),
    returned: decimal(line.returnedQuantity).plus(line.returnedThroughNotes).toFixed(),
  };
}

type Stored = ReturnType<typeof documentToJson>;
/** A document as clients receive it. */
export type DocumentAnswer = ReturnType<typeof documentAnswer> & { readonly warnings?: readonly Warning[] };

/** Builds a response. @param stored result of `documentToJson`, if already computed */
export function documentAnswer(document: LoadedDocument, stored: Stored = documentToJson(document)) {
  const { row, lines, takenBackBy, record, full } = document;
  const { kind } = DOCUMENT_TYPES[row.docType];
  return {
    ...stored,
    ...takenBackToJson(row, takenBackBy),
    ...(row.docType === 'SINV' ? { verifactu: documentRecordToJson(record), fullInvoice: fullToJson(full) } : {}),
    lines: stored.lines.map((line, index) => ({
      ...line,
      baseUnit: baseUnitQuantities(kind, line, lines[index] as LineRow),
    })),
  };
}

function fullToJson(full: LoadedDocument['full']) {
  if (full === null) return null;
  const { recipient, ...shown } = full;
  return { ...shown, partner: { id: full.partnerId, code: recipient.code, name: recipient.name, nif: recipient.nif } };
}

/** Members of invoices and notes that list the documents that take back from them. */
function takenBackToJson({ docType }: DocumentRow, takenBackBy: readonly TakingBack[]) {
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order' || kind === 'quotation') return {};
  return kind === 'invoice' ? { rectifiedBy: takenBackBy } : { returnedBy: takenBackBy };
}

/** The quantities of a line in the item's own unit, under the same names. */
function baseUnitQuantities(kind: DocumentKind, shown: LineJson, line: LineRow) {
  const { quantity, openQuantity: open, deliveredQuantity, invoicedQuantity, returnedQuantity } = shown;
  if (decimal(line.quantity).eq(line.baseQuantity)) {
    return { quantity, openQuantity: open, deliveredQuantity, invoicedQuantity, returnedQuantity };
  }
  const part = (value: Decimal) => toNumber(partialBaseQuantity(line, value));
  const progress = totalProgress(line);
  return {
    quantity: toNumber(line.baseQuantity),
    openQuantity: part(openQuantity(kind, line)),
    deliveredQuantity: part(line.deliveredQuantity),
    invoicedQuantity: part(progress.invoiced),
    returnedQuantity: part(progress.returned),
  };
}
