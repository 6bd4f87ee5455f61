/** Documents: heads of all six types in one table, their lines and taxes. */

import type { DeductionRegime } from '../../domain/accounting/tax-treatment.ts';
import type { CustomValues } from '../../domain/custom-fields.ts';
import type { DocType, DocumentStatus } from '../../domain/documents/types.ts';
import type { VatRegime, VatUse } from '../../domain/documents/vat.ts';
import type { Decimal } from '../../domain/money.ts';
import type { PaymentStatus } from '../../domain/payments/types.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from './columns.ts';
import { table, versionedTable } from './table.ts';

export interface PostalAddress {
  readonly name?: string;
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zipCode?: string;
  readonly countryCode?: string;
}

/** Part of a line's quantity, in the line's unit, that is of one batch. */
export interface BatchDetail {
  readonly batchNum: string;
  readonly quantity: number | Decimal;
  /** Expiry of incoming goods; an existing batch keeps its own. */
  readonly expiryDate?: string;
}

export class Document extends versionedTable('documents', {
  docType: text<DocType>(),
  seriesId: uuid(),
  periodId: uuid(),
  number: optional(integer()),
  code: optional(text()),
  status: text<DocumentStatus>(),
  paymentStatus: optional(text<PaymentStatus>()),
  partnerId: uuid(),
  date: day(),
  /** Of a supplier's invoice: its own date; `date` is when it is entered. */
  documentDate: optional(day()),
  /** Of an invoice: when goods or services were supplied, if that is known. */
  operationDate: optional(day()),
  /** The last one, where it is due in parts. */
  dueDate: optional(day()),
  paymentTermsId: optional(uuid()),
  /** Off an invoice that is paid at once until the day. */
  promptDiscountPercent: optional(exact()),
  promptDiscountUntil: optional(day()),
  warehouseId: optional(uuid()),
  reference: optional(text()),
  supplierReference: optional(text()),
  notes: optional(text()),
  /** Never printed. */
  internalNotes: optional(text()),
  tags: json<readonly string[]>(),
  billingAddress: optional(json<PostalAddress>()),
  shippingAddress: optional(json<PostalAddress>()),
  vatRegime: text<VatRegime>(),
  withholdingRate: exact(),
  /** Of purchases: the percentage by which tax was deducted; null = all of it. */
  proRata: optional(exact()),
  /** Of purchases: how the company was taxed when it was made. */
  deductionRegime: optional(text<DeductionRegime>()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  /** The invoice that it corrects. */
  rectifies: optional(uuid()),
  /** The note whose goods it takes back. */
  returns: optional(uuid()),
  reason: optional(text()),
  returnStock: flag(),
  currency: text(),
  subtotal: exact(),
  discountTotal: exact(),
  taxTotal: exact(),
  withholdingAmount: exact(),
  total: exact(),
  paidTotal: exact(),
  createdBy: optional(uuid()),
  postedAt: optional(instant()),
  cancelledAt: optional(instant()),
  /** When it was last sent by e-mail. */
  sentAt: optional(instant()),
  /** When an order was closed by hand; null again when it reopens. */
  closedAt: optional(instant()),
  /** Since when it cannot be changed. */
  lockedAt: optional(instant()),
  /** When it will be locked; null once it is. */
  lockDueAt: optional(instant()),
  /** By storage key. */
  custom: json<CustomValues>(),
}) {}

export class DocumentLine extends table('document_lines', {
  documentId: uuid(),
  lineNumber: integer(),
  itemId: optional(uuid()),
  description: text(),
  quantity: exact(),
  price: exact(),
  /** The price with tax, where the total follows from that; `price` is then what is left without tax. */
  priceWithTax: optional(exact()),
  discountPercent: exact(),
  taxGroupId: uuid(),
  taxRate: exact(),
  surchargeRate: exact(),
  amount: exact(),
  warehouseId: optional(uuid()),
  zoneId: optional(uuid()),
  uomId: optional(uuid()),
  uomFactor: exact(),
  /** In the item's own unit. */
  baseQuantity: exact(),
  batchDetails: optional(json<readonly BatchDetail[]>()),
  allowExpired: flag(),
  /** Null = the document's. */
  vatRegime: optional(text<VatRegime>()),
  vatUse: text<VatUse>(),
  /** Null = the document's. */
  withholdingRate: optional(exact()),
  /** Of purchases: how much of its tax can be deducted; null = nobody said. */
  deductiblePercent: optional(exact()),
  /** Of purchases: the tax that cannot be deducted, which is part of its cost. */
  lostTax: exact(),
  accountId: optional(uuid()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  baseType: optional(text<DocType>()),
  baseId: optional(uuid()),
  baseLineId: optional(uuid()),
  pluginData: optional(json<Readonly<Record<string, unknown>>>()),
  deliveredQuantity: exact(),
  invoicedQuantity: exact(),
  returnedQuantity: exact(),
  closedQuantity: exact(),
}) {}

export class DocumentTax extends table('document_taxes', {
  documentId: uuid(),
  taxGroupId: uuid(),
  code: text(),
  rate: exact(),
  base: exact(),
  amount: exact(),
  surchargeRate: exact(),
  surchargeAmount: exact(),
}) {}

/** A part of an invoice with a due date of its own; an invoice that is due at once has none. */
export class DocumentInstalment extends table('document_instalments', {
  documentId: uuid(),
  partnerId: uuid(),
  number: integer(),
  dueDate: day(),
  amount: exact(),
  /** Σ of the applications that name it. */
  settled: exact(),
  outstanding: exact(),
}) {}
