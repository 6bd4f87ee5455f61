/** Schemas of responses with documents: common to all types, with additions by type. */
import { type TProperties, Type } from 'typebox';
import { MAIL_STATUSES } from '../../../domain/messages/mail/kinds.ts';
import { RECTIFICATION_METHODS, RECTIFICATION_TYPES } from '../../../domain/trade/documents/rectifications.ts';
import { namedStatuses } from '../../../domain/trade/documents/transitions.ts';
import {
  DOCUMENT_STATUSES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentKind,
  type DocumentTypeInfo,
} from '../../../domain/trade/documents/types.ts';
import { VAT_REGIMES, VAT_USES } from '../../../domain/trade/documents/vat.ts';
import { WARNING_CODES } from '../../../domain/trade/documents/warnings.ts';
import { PAYMENT_STATUSES } from '../../../domain/trade/payments/types.ts';
import { RECORD_STATUSES } from '../../../services/ledger/verifactu/document-record.ts';
import {
  choice,
  day,
  instant,
  integer,
  membersIf,
  nullable,
  uuid,
  withCustomFields,
} from '../../../services/platform/validation/schemas.ts';
import { Address } from '../../../services/trade/documents/schemas.ts';
import { AgencyError } from '../../ledger/verifactu/schemas.ts';
import { compared } from '../../route.ts';

const decimal = Type.Number();

const Line = Type.Object(
  {
    id: uuid(),
    lineNumber: integer(),
    itemId: nullable(uuid()),
    description: Type.String(),
    quantity: decimal,
    price: decimal,
    priceWithTax: nullable(decimal),
    discountPercent: decimal,
    secondDiscountPercent: decimal,
    documentDiscount: decimal,
    documentCharge: decimal,
    taxGroupId: uuid(),
    taxRate: decimal,
    amount: decimal,
    warehouseId: nullable(uuid()),
    zoneId: nullable(uuid()),
    uomId: nullable(uuid()),
    uomFactor: decimal,
    batchDetails: nullable(
      Type.Array(Type.Object({ batchNum: Type.String(), quantity: decimal, expiryDate: Type.Optional(day()) })),
    ),
    components: nullable(
      Type.Array(Type.Object({ itemId: uuid(), quantity: decimal }), {
        description: 'Components of a kit with their quantities in one of it; null for all other lines',
      }),
    ),
    vatRegime: nullable(choice(VAT_REGIMES)),
    vatUse: choice(VAT_USES),
    withholdingRate: nullable(Type.Number({ description: "Null: the document's" })),
    deductiblePercent: nullable(decimal),
    nonDeductibleTax: decimal,
    accountId: nullable(uuid()),
    projectId: nullable(uuid()),
    costCenterId: nullable(uuid()),
    salespersonId: Type.Optional(nullable(uuid({ description: "For sales; null: the document's" }))),
    commissionPercent: Type.Optional(
      nullable(Type.Number({ description: 'For sales, if agreed; null: by the rates' })),
    ),
    marginCost: Type.Optional(
      nullable(
        Type.Number({
          description: 'Of sales under the margin scheme: what was paid for the goods of the line, with tax',
        }),
      ),
    ),
    serviceFrom: Type.Optional(
      nullable(day({ description: 'Of invoices: the first day of the service that it is spread over' })),
    ),
    serviceTo: Type.Optional(nullable(day({ description: 'Of invoices: the last day of that service' }))),
    baseType: nullable(Type.String()),
    baseId: nullable(uuid()),
    baseLineId: nullable(uuid()),
    pluginData: nullable(Type.Object({}, { additionalProperties: true })),
    openQuantity: decimal,
    deliveredQuantity: decimal,
    invoicedQuantity: decimal,
    returnedQuantity: decimal,
    baseUnit: Type.Object(
      {
        quantity: decimal,
        openQuantity: decimal,
        deliveredQuantity: decimal,
        invoicedQuantity: decimal,
        returnedQuantity: decimal,
      },
      {
        description: "The same quantities in the item's own unit, with up to six decimals",
        title: 'BaseUnitQuantities',
      },
    ),
  },
  { title: 'DocumentLine' },
);

const TaxLine = Type.Object(
  {
    taxGroupId: uuid(),
    code: Type.String(),
    rate: decimal,
    base: decimal,
    amount: decimal,
    surchargeRate: decimal,
    surchargeAmount: decimal,
  },
  { title: 'DocumentTax' },
);

/** A warning: like a fault of a 422, but about a change that was made anyway. */
const Warning = Type.Object(
  {
    pointer: Type.String({ description: 'JSON pointer to the member of the document' }),
    code: choice(WARNING_CODES, { description: 'Kind of the warning' }),
    message: Type.String({ description: 'Explanation for people' }),
  },
  { title: 'DocumentWarning' },
);

const CustomsDocument = Type.Object(
  { number: Type.String(), date: day(), base: decimal, vatAmount: decimal, deferred: Type.Boolean() },
  { description: 'The customs document of goods from outside the EU; null: none has come' },
);

const CompanyAmounts = Type.Object(
  {
    subtotal: decimal,
    taxTotal: decimal,
    withholdingAmount: decimal,
    total: decimal,
    paidTotal: decimal,
    outstanding: decimal,
  },
  { title: 'CompanyAmounts', description: "The sums in the company's currency; null if that is the document's" },
);

const LETTERS = 'D draft, O open/posted, P partial, C closed, X cancelled';
const STATUS_WORDS: Readonly<Record<DocumentKind, string>> = {
  quotation: 'D draft, O sent, A accepted, R rejected, E expired, P partly ordered, C ordered, X cancelled',
  order: LETTERS,
  delivery_note: LETTERS,
  invoice: LETTERS,
};

function header(docType: DocType) {
  const { kind, side } = DOCUMENT_TYPES[docType];
  return {
    id: uuid(),
    docType: choice([docType]),
    seriesId: uuid(),
    periodId: uuid(),
    number: nullable(integer({ description: 'Null in a draft' })),
    code: nullable(Type.String({ description: 'Prefix, number and suffix; null in a draft' })),
    status: choice(namedStatuses(docType), { description: STATUS_WORDS[kind] }),
    ...membersIf(kind === 'invoice', { paymentStatus: choice(PAYMENT_STATUSES) }),
    partnerId: uuid(),
    partner: Type.Object(
      { id: uuid(), code: Type.String(), name: Type.String(), nif: nullable(Type.String()) },
      { title: 'DocumentPartner' },
    ),
    date: day(),
    ...membersIf(kind === 'invoice' && side === 'purchase', {
      documentDate: nullable(day({ description: "The date of the supplier's invoice; `date` is when it was entered" })),
    }),
    ...membersIf(kind === 'invoice', { operationDate: nullable(day()) }),
    dueDate: nullable(day({ description: 'The last due date, if it is due in instalments' })),
    ...membersIf(kind === 'order' || kind === 'quotation', {
      deliveryDate: nullable(day({ description: 'When the goods are expected' })),
    }),
    paymentTermsId: nullable(uuid()),
    warehouseId: nullable(uuid()),
    reference: nullable(Type.String()),
    supplierReference: nullable(Type.String()),
    ...membersIf(docType === 'PINV', { customsDocument: nullable(CustomsDocument) }),
    notes: nullable(Type.String()),
    internalNotes: nullable(Type.String({ description: 'Never printed' })),
    tags: Type.Array(Type.String(), { description: 'Tags of the company' }),
    billingAddress: nullable(Address),
    shippingAddress: nullable(Address),
    vatRegime: choice(VAT_REGIMES),
    withholdingRate: decimal,
    ...membersIf(side === 'purchase', { proRata: nullable(decimal) }),
    ...membersIf(kind === 'invoice', {
      cashBasis: Type.Boolean({ description: 'Whether its VAT is due, or deducted, as it is paid (criterio de caja)' }),
    }),
    projectId: nullable(uuid()),
    costCenterId: nullable(uuid()),
    ...membersIf(side === 'sales', { salespersonId: nullable(uuid({ description: 'Salesperson of the document' })) }),
    ...correction(DOCUMENT_TYPES[docType]),
    ...membersIf(docType === 'SINV', {
      dunningPaused: Type.Boolean({ description: 'Whether the customer is not reminded of it' }),
    }),
    discountPercent: nullable(
      Type.Number({ description: 'Discount of the whole document, in percent; null for none, or an amount' }),
    ),
    discountAmount: nullable(Type.Number({ description: 'The same as an amount; null for none, or a percentage' })),
    chargeAmount: nullable(
      Type.Number({ description: 'Charge for the whole document, such as freight; null for none' }),
    ),
    chargeText: nullable(Type.String({ description: 'Name of that charge, also of one that lines took along' })),
    currency: Type.String(),
    exchangeRate: nullable(
      Type.Number({
        description: "What one unit of the company's currency is worth in `currency`; null if that is the company's",
      }),
    ),
    subtotal: decimal,
    discountTotal: decimal,
    taxTotal: decimal,
    withholdingAmount: decimal,
    total: decimal,
    paidTotal: decimal,
    outstanding: decimal,
    companyAmounts: nullable(CompanyAmounts),
    createdBy: nullable(uuid()),
    createdAt: instant(),
    updatedAt: instant(),
    postedAt: nullable(instant()),
    cancelledAt: nullable(instant()),
    sentAt: nullable(instant({ description: 'Last time it was sent by e-mail' })),
    ...membersIf(kind === 'quotation', {
      validUntil: nullable(day({ description: 'Last day on which it can be accepted; null for no end' })),
      expiresAt: nullable(instant({ description: 'When it expires; null if it does not, or was answered' })),
      revision: integer({ minimum: 1, description: 'Number of its version' }),
      decidedAt: nullable(instant({ description: 'When it was accepted or rejected' })),
      decidedBy: nullable(Type.String({ description: 'Who accepted or rejected it, as they call themselves' })),
      decisionNote: nullable(Type.String({ description: 'What they said about it' })),
    }),
    ...membersIf(kind === 'order', {
      closedAt: nullable(instant({ description: 'When its open lines were given up' })),
    }),
    lockedAt: nullable(instant()),
    lockDueAt: nullable(instant()),
    version: integer(),
  };
}

/** Members about the document that an invoice or note corrects. */
function correction({ kind, side }: DocumentTypeInfo) {
  return {
    ...membersIf(kind === 'invoice', { rectifies: nullable(uuid()) }),
    ...membersIf(kind === 'delivery_note', { returns: nullable(uuid()) }),
    ...membersIf(kind === 'delivery_note' || kind === 'invoice', { reason: nullable(Type.String()) }),
    ...membersIf(kind === 'invoice', { returnStock: Type.Boolean() }),
    ...membersIf(kind === 'invoice' && side === 'sales', {
      rectificationType: nullable(choice(RECTIFICATION_TYPES)),
      rectificationMethod: nullable(choice(RECTIFICATION_METHODS)),
    }),
  };
}

const TakingBack = Type.Object({
  id: uuid(),
  code: nullable(Type.String({ description: 'Null in a draft' })),
  date: day(),
  status: choice(DOCUMENT_STATUSES),
});

/** Documents that take back from an invoice or note; only in single documents, not in lists. */
function takenBackBy({ kind }: DocumentTypeInfo) {
  const described = (description: string) => Type.Array(TakingBack, { description });
  return {
    ...membersIf(kind === 'invoice', {
      rectifiedBy: described('Its rectifying invoices, including drafts but not cancelled ones'),
    }),
    ...membersIf(kind === 'delivery_note', { returnedBy: described('Its returns that are not cancelled') }),
  };
}

const promptDiscount = nullable(
  Type.Object(
    { percent: decimal, until: day(), amount: decimal },
    { description: 'Discount if it is paid in full by that day; null for none' },
  ),
);

const instalments = Type.Array(
  Type.Object({
    number: integer({ description: 'From 1, by due date' }),
    dueDate: day(),
    amount: decimal,
    outstanding: decimal,
  }),
  { description: 'Its instalments, which add up to the total' },
);

/** A document without lines, as in lists. */
export function documentHeader(docType: DocType) {
  return answered(docType, `${DOCUMENT_TYPES[docType].entityType}Head`, header(docType));
}

/** A whole document. */
export function documentBody(docType: DocType) {
  return answered(docType, DOCUMENT_TYPES[docType].entityType, wholeMembers(docType));
}

/** A document that is being sent, with its mail. */
export function sentBody(docType: DocType) {
  const { entityType } = DOCUMENT_TYPES[docType];
  return answered(docType, `Sent${entityType}`, { ...wholeMembers(docType), email: QueuedEmail });
}

const QueuedEmail = Type.Object(
  { id: uuid({ description: 'Id for GET /api/emails/{id}, which shows its delivery' }), status: choice(MAIL_STATUSES) },
  { title: 'QueuedEmail' },
);

const InvoiceRecord = nullable(
  Type.Object(
    {
      recordId: uuid({ description: 'Id in /api/verifactu/records' }),
      kind: choice(['registration', 'annulment'], { description: 'annulment: of a cancelled invoice' }),
      status: choice(RECORD_STATUSES, { description: 'What the tax agency says of it; queued: nothing yet' }),
      hash: Type.String({ description: 'SHA-256 of the record and of the hash before, in hexadecimal capitals' }),
      csv: nullable(Type.String({ description: 'Code by which the agency can verify that it has the record' })),
      qrUrl: Type.String({ description: 'Where anybody can look the invoice up; also the QR code on its paper' }),
      errors: Type.Array(AgencyError, { description: 'What the agency objects to; empty for nothing' }),
    },
    { description: 'Its last record for the tax agency; null if it has none' },
  ),
);

const FullInvoice = nullable(
  Type.Object(
    {
      id: uuid(),
      code: Type.String({ description: 'Its number as printed' }),
      date: day({ description: 'Date of issue' }),
      partnerId: uuid({ description: 'To whom it was issued' }),
      partner: Type.Object({ id: uuid(), code: Type.String(), name: Type.String(), nif: Type.String() }),
      billingAddress: nullable(Address),
    },
    { description: 'The full invoice that was given in exchange for it, a simplified one; null if there is none' },
  ),
);

function wholeMembers(docType: DocType) {
  return {
    ...header(docType),
    ...takenBackBy(DOCUMENT_TYPES[docType]),
    ...membersIf(DOCUMENT_TYPES[docType].kind === 'invoice', { promptDiscount, instalments }),
    ...membersIf(docType === 'SINV', { verifactu: InvoiceRecord, fullInvoice: FullInvoice }),
    lines: Type.Array(Line),
    taxes: Type.Array(TaxLine),
    warnings: Type.Optional(
      Type.Array(Warning, {
        description: 'Warnings; only in responses to create, change and post',
      }),
    ),
  };
}

function answered<M extends TProperties>(docType: DocType, title: string, members: M) {
  return compared(withCustomFields(Type.Object(members, { title }), DOCUMENT_TYPES[docType].entityType));
}
