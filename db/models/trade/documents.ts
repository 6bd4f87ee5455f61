/** Documents: heads of all types in one table, with their lines and taxes. */

import type { CustomsDocument } from '../../../domain/ledger/accounting/customs.ts';
import type { DeductionRegime } from '../../../domain/ledger/accounting/tax-treatment.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { CustomValues } from '../../../domain/records/custom-fields.ts';
import type { RectificationType } from '../../../domain/trade/documents/rectifications.ts';
import type { DocType, DocumentStatus } from '../../../domain/trade/documents/types.ts';
import type { VatRegime, VatUse } from '../../../domain/trade/documents/vat.ts';
import type { PaymentStatus } from '../../../domain/trade/payments/types.ts';
import type { KitComponent } from '../../../domain/trade/stock/kits.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export interface PostalAddress {
  readonly name?: string;
  readonly street?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zipCode?: string;
  readonly countryCode?: string;
}

/** Part of a line's quantity in one batch, in the line's unit. */
export interface BatchDetail {
  readonly batchNum: string;
  readonly quantity: number | Decimal;
  /** Expiry date of incoming goods; an existing batch keeps its own. */
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
  /** For a supplier's invoice: its own date; `date` is when it is entered. */
  documentDate: optional(day()),
  /** For an invoice: date of supply of goods or services, if known. */
  operationDate: optional(day()),
  /** The last due date if it is due in several parts. */
  dueDate: optional(day()),
  paymentTermsId: optional(uuid()),
  /** Discount on an invoice paid in full by the given day. */
  promptDiscountPercent: optional(exact()),
  promptDiscountUntil: optional(day()),
  warehouseId: optional(uuid()),
  reference: optional(text()),
  supplierReference: optional(text()),
  /** For a supplier's invoice of imported goods. */
  customsDocument: optional(json<CustomsDocument>()),
  notes: optional(text()),
  /** Notes that are never printed. */
  internalNotes: optional(text()),
  tags: json<readonly string[]>(),
  billingAddress: optional(json<PostalAddress>()),
  shippingAddress: optional(json<PostalAddress>()),
  vatRegime: text<VatRegime>(),
  withholdingRate: exact(),
  /** For purchases: percentage of deducted tax; null = all of it. */
  proRata: optional(exact()),
  /** For purchases: the company's tax regime at the time. */
  deductionRegime: optional(text<DeductionRegime>()),
  /** For invoices: whether their tax is due, or deducted, as they are paid. */
  cashBasis: flag(),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  /** For sales. */
  salespersonId: optional(uuid()),
  /** The invoice that this one corrects. */
  rectifies: optional(uuid()),
  /** The note whose goods this one takes back. */
  returns: optional(uuid()),
  reason: optional(text()),
  /** For a sales invoice that rectifies: null = R1, or R5 if the other is simplified. */
  rectificationType: optional(text<RectificationType>()),
  /** For a sales invoice that rectifies: null = by differences. */
  rectificationMethod: optional(text<'substitution'>()),
  returnStock: flag(),
  /** For an invoice of notes: whether these can be invoiced again because it was credited in full (decision 0260). */
  notesReleased: flag(),
  /** Discount of the whole document, in percent; null if none is given, or an amount. */
  discountPercent: optional(exact()),
  /** The same as an amount, as the lines are priced. */
  discountAmount: optional(exact()),
  /** Charge for the whole document, such as freight, as the lines are priced. */
  chargeAmount: optional(exact()),
  /** Name of that charge; kept by documents whose lines took it along. */
  chargeText: optional(text()),
  currency: text(),
  /** Units of it for one of the company's currency; null if that is the company's. */
  exchangeRate: optional(exact()),
  subtotal: exact(),
  discountTotal: exact(),
  taxTotal: exact(),
  withholdingAmount: exact(),
  total: exact(),
  paidTotal: exact(),
  /** The same sums in the company's currency; null if that is the document's. */
  companySubtotal: optional(exact()),
  companyTaxTotal: optional(exact()),
  companyWithholdingAmount: optional(exact()),
  companyTotal: optional(exact()),
  companyPaidTotal: optional(exact()),
  createdBy: optional(uuid()),
  postedAt: optional(instant()),
  cancelledAt: optional(instant()),
  /** Last time it was sent by e-mail. */
  sentAt: optional(instant()),
  /** Time at which an order was closed manually; null again once it reopens. */
  closedAt: optional(instant()),
  /** Time at which it was locked. */
  lockedAt: optional(instant()),
  /** Time at which it will be locked; null once it is locked. */
  lockDueAt: optional(instant()),
  /** For a sales invoice: whether its customer is not reminded of it. */
  dunningPaused: flag(),
  /** For a sales invoice: the level of the last reminder of it, written by reminders alone; 0 for none. */
  dunningLevel: integer(),
  /** The day on which it reached that level; null for none. */
  dunnedOn: optional(day()),
  /** For an order or quotation: when its goods are expected. */
  deliveryDate: optional(day()),
  /** For a quotation: the last day on which it can be accepted. */
  validUntil: optional(day()),
  /** For a quotation that was sent: when it expires; null once it was answered. */
  expiresAt: optional(instant()),
  /** The version of a quotation, from 1. */
  revision: integer(),
  decidedAt: optional(instant()),
  /** Who accepted or rejected a quotation, as they call themselves. */
  decidedBy: optional(text()),
  decisionNote: optional(text()),
  /** Values by storage key. */
  custom: json<CustomValues>(),
}) {}

/** An earlier version of a quotation. */
export class DocumentRevision extends table('document_revisions', {
  documentId: uuid(),
  revision: integer(),
  /** The document as clients saw it. */
  content: json<Readonly<Record<string, unknown>>>(),
  createdAt: instant(),
}) {}

export class DocumentLine extends table('document_lines', {
  documentId: uuid(),
  lineNumber: integer(),
  itemId: optional(uuid()),
  description: text(),
  quantity: exact(),
  price: exact(),
  /** The price with tax, if it decides the total; `price` is then the rest without tax. */
  priceWithTax: optional(exact()),
  discountPercent: exact(),
  /** Deducted from what `discountPercent` leaves. */
  secondDiscountPercent: exact(),
  /** Its share of the document's discount, as it is priced: with tax where the price includes it. */
  documentDiscount: exact(),
  /** Its share of the document's charge, likewise. */
  documentCharge: exact(),
  taxGroupId: uuid(),
  taxRate: exact(),
  surchargeRate: exact(),
  amount: exact(),
  /** The amount in the company's currency; null if that is the document's. */
  companyAmount: optional(exact()),
  warehouseId: optional(uuid()),
  zoneId: optional(uuid()),
  uomId: optional(uuid()),
  uomFactor: exact(),
  /** Quantity in the item's own unit. */
  baseQuantity: exact(),
  batchDetails: optional(json<readonly BatchDetail[]>()),
  allowExpired: flag(),
  /** Components of a kit as they were when it was sold; null for all other lines. */
  components: optional(json<readonly KitComponent[]>()),
  /** Null = the document's. */
  vatRegime: optional(text<VatRegime>()),
  vatUse: text<VatUse>(),
  /** Null = the document's. */
  withholdingRate: optional(exact()),
  /** For purchases: deductible percentage of its tax; null = not specified. */
  deductiblePercent: optional(exact()),
  /** For purchases: tax that cannot be deducted and is part of the cost. */
  lostTax: exact(),
  companyLostTax: optional(exact()),
  accountId: optional(uuid()),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  /** Null = the document's. */
  salespersonId: optional(uuid()),
  /** Agreed for this line; null = by the rates. */
  commissionPercent: optional(exact()),
  /** Sales under the margin scheme only: what was paid for the goods, with tax. */
  marginCost: optional(exact()),
  /** Days of the service over which an invoice spreads the amount; null = it is not spread. */
  serviceFrom: optional(day()),
  serviceTo: optional(day()),
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

/** A part of an invoice with its own due date; an invoice due at once has none. */
export class DocumentInstalment extends table('document_instalments', {
  documentId: uuid(),
  partnerId: uuid(),
  number: integer(),
  dueDate: day(),
  amount: exact(),
  /** Sum of the applications that name it. */
  settled: exact(),
  outstanding: exact(),
}) {}
