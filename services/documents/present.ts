/** A document as clients, the audit log and templates see it. */

import type { CustomValues } from '../../domain/custom-fields.ts';
import { openQuantity } from '../../domain/documents/progress.ts';
import type { DocumentTotals } from '../../domain/documents/totals.ts';
import { DOCUMENT_TYPES, type DocType, type DocumentStatus } from '../../domain/documents/types.ts';
import { type Decimal, decimal, round, toNumber } from '../../domain/money.ts';
import { presentCustom } from '../custom-fields/rows.ts';
import type { DocumentLine, PreparedDocument } from './prepared.ts';

export interface DocumentRow {
  readonly id: string;
  readonly docType: DocType;
  readonly seriesId: string;
  readonly seriesPrefix: string;
  readonly periodId: string;
  readonly number: number | null;
  readonly code: string | null;
  readonly status: DocumentStatus;
  readonly paymentStatus: string | null;
  readonly partner: { readonly id: string; readonly code: string; readonly name: string; readonly nif: string | null };
  readonly date: string;
  readonly dueDate: string | null;
  readonly warehouseId: string | null;
  readonly reference: string | null;
  readonly supplierReference: string | null;
  readonly notes: string | null;
  readonly billingAddress: unknown;
  readonly shippingAddress: unknown;
  readonly vatRegime: string;
  readonly withholdingRate: Decimal;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  /** The invoice that it corrects. */
  readonly rectifies: string | null;
  /** The note whose goods it takes back. */
  readonly returns: string | null;
  readonly reason: string | null;
  readonly returnStock: boolean;
  /** Whether it stands in a series of rectifying invoices. */
  readonly rectifying: boolean;
  readonly currency: string;
  readonly subtotal: Decimal;
  readonly discountTotal: Decimal;
  readonly taxTotal: Decimal;
  readonly withholdingAmount: Decimal;
  readonly total: Decimal;
  readonly paidTotal: Decimal;
  readonly createdBy: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly postedAt: string | null;
  readonly cancelledAt: string | null;
  /** When it was last sent by e-mail. */
  readonly sentAt: string | null;
  /** When an order was closed by hand; null again when it reopens. */
  readonly closedAt: string | null;
  readonly version: number;
  /** As stored, by storage key. */
  readonly custom: CustomValues;
  readonly decimalPrecision: number;
  readonly quantityPrecision: number;
}

export interface LineRow extends DocumentLine {
  readonly documentId: string;
  readonly deliveredQuantity: Decimal;
  readonly invoicedQuantity: Decimal;
  readonly returnedQuantity: Decimal;
  readonly closedQuantity: Decimal;
  /** Invoiced through the notes that delivered this line. */
  readonly invoicedThroughNotes: Decimal;
  /** Of what was delivered of an order's line, came back. */
  readonly returnedThroughNotes: Decimal;
}

export interface TaxRow {
  readonly documentId: string;
  readonly taxGroupId: string;
  readonly code: string;
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeRate: Decimal;
  readonly surchargeAmount: Decimal;
}

/** The head of a document: everything but lines and taxes, as lists show it. */
export function presentHeader(row: DocumentRow): Record<string, unknown> {
  const money = (value: Decimal) => toNumber(round(value, row.decimalPrecision));
  return {
    id: row.id,
    docType: row.docType,
    seriesId: row.seriesId,
    periodId: row.periodId,
    number: row.number,
    code: row.code,
    status: row.status,
    ...(DOCUMENT_TYPES[row.docType].kind === 'invoice' ? { paymentStatus: row.paymentStatus } : {}),
    partnerId: row.partner.id,
    partner: row.partner,
    date: row.date,
    dueDate: row.dueDate,
    warehouseId: row.warehouseId,
    reference: row.reference,
    supplierReference: row.supplierReference,
    notes: row.notes,
    billingAddress: row.billingAddress,
    shippingAddress: row.shippingAddress,
    vatRegime: row.vatRegime,
    withholdingRate: toNumber(row.withholdingRate),
    projectId: row.projectId,
    costCenterId: row.costCenterId,
    ...presentCorrection(row),
    currency: row.currency,
    subtotal: money(row.subtotal),
    discountTotal: money(row.discountTotal),
    taxTotal: money(row.taxTotal),
    withholdingAmount: money(row.withholdingAmount),
    total: money(row.total),
    paidTotal: money(row.paidTotal),
    outstanding: money(decimal(row.total).minus(row.paidTotal).toFixed()),
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    postedAt: row.postedAt,
    cancelledAt: row.cancelledAt,
    sentAt: row.sentAt,
    ...(DOCUMENT_TYPES[row.docType].kind === 'order' ? { closedAt: row.closedAt } : {}),
    version: row.version,
    ...presentCustom(row.custom),
  };
}

/** What a document corrects: members of invoices and notes only. */
function presentCorrection({ docType, rectifies, returns, reason, returnStock }: DocumentRow): Record<string, unknown> {
  const { kind } = DOCUMENT_TYPES[docType];
  if (kind === 'order') return {};
  return kind === 'invoice' ? { rectifies, reason, returnStock } : { returns, reason };
}

/** The whole document. */
export function presentDocument(
  row: DocumentRow,
  lines: readonly LineRow[],
  taxes: readonly TaxRow[],
): Record<string, unknown> {
  const money = (value: Decimal) => toNumber(round(value, row.decimalPrecision));
  const quantity = (value: Decimal) => toNumber(round(value, row.quantityPrecision));
  const { kind } = DOCUMENT_TYPES[row.docType];
  return {
    ...presentHeader(row),
    lines: lines.map((line) => ({
      id: line.id,
      lineNumber: line.lineNumber,
      itemId: line.itemId,
      description: line.description,
      quantity: quantity(line.quantity),
      price: toNumber(line.price),
      discountPercent: toNumber(line.discountPercent),
      taxGroupId: line.taxGroupId,
      taxRate: toNumber(line.taxRate),
      amount: money(line.amount),
      warehouseId: line.warehouseId,
      zoneId: line.zoneId,
      uomId: line.uomId,
      uomFactor: toNumber(line.uomFactor),
      batchDetails:
        line.batchDetails?.map((batch) => ({ ...batch, quantity: quantity(decimal(batch.quantity).toFixed()) })) ??
        null,
      vatRegime: line.vatRegime,
      vatUse: line.vatUse,
      accountId: line.accountId,
      projectId: line.projectId,
      costCenterId: line.costCenterId,
      baseType: line.baseType,
      baseId: line.baseId,
      baseLineId: line.baseLineId,
      pluginData: line.pluginData,
      openQuantity: quantity(openQuantity(kind, line)),
      deliveredQuantity: quantity(line.deliveredQuantity),
      invoicedQuantity: quantity(decimal(line.invoicedQuantity).plus(line.invoicedThroughNotes).toFixed()),
      returnedQuantity: quantity(decimal(line.returnedQuantity).plus(line.returnedThroughNotes).toFixed()),
    })),
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

/** A document that is about to be inserted, as the rows that it becomes. */
export function rowsOf(
  prepared: PreparedDocument,
  made: {
    readonly by: string | null;
    readonly at: string;
    readonly custom: CustomValues;
    readonly decimalPrecision: number;
    readonly quantityPrecision: number;
  },
): { row: DocumentRow; lines: LineRow[]; taxes: TaxRow[] } {
  const { totals, partner } = prepared;
  const { amounts: _amounts, taxes, ...sums } = totals satisfies DocumentTotals;
  const row: DocumentRow = {
    ...prepared,
    ...sums,
    number: null,
    code: null,
    paymentStatus: DOCUMENT_TYPES[prepared.docType].kind === 'invoice' ? 'pending' : null,
    partner: { id: partner.id, code: partner.code, name: partner.name, nif: partner.nif },
    paidTotal: '0',
    createdBy: made.by,
    createdAt: made.at,
    updatedAt: made.at,
    postedAt: null,
    cancelledAt: null,
    sentAt: null,
    closedAt: null,
    version: 1,
    custom: made.custom,
    decimalPrecision: made.decimalPrecision,
    quantityPrecision: made.quantityPrecision,
  };
  const lines = prepared.lines.map((line) => ({
    ...line,
    documentId: prepared.id,
    deliveredQuantity: '0',
    invoicedQuantity: '0',
    returnedQuantity: '0',
    closedQuantity: '0',
    invoicedThroughNotes: '0',
    returnedThroughNotes: '0',
  }));
  return { row, lines, taxes: taxes.map((tax) => ({ ...tax, documentId: prepared.id })) };
}
