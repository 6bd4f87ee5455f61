/**
 * Schemas of client input for documents, declared once: they validate and describe requests, and provide the types for
 * services. All types share them, with additions for some.
 */
import { Type } from 'typebox';
import { RECTIFICATION_METHODS, RECTIFICATION_TYPES } from '../../../domain/trade/documents/rectifications.ts';
import { DOCUMENT_TYPES, type DocType, type DocumentTypeInfo } from '../../../domain/trade/documents/types.ts';
import { VAT_REGIMES, VAT_USES } from '../../../domain/trade/documents/vat.ts';
import { MAX_SERIALS } from '../../../domain/trade/stock/serial-numbers.ts';
import {
  amount,
  choice,
  clearable,
  currencyCode,
  day,
  documentType,
  exchangeRate,
  flag,
  type Input,
  label,
  membersIf,
  nullable,
  resettable,
  text,
  uuid,
  withCustomFields,
} from '../../platform/validation/schemas.ts';

/** A postal address in requests and responses. */
export const Address = Type.Object(
  {
    name: Type.Optional(label()),
    street: Type.Optional(label()),
    city: Type.Optional(label()),
    state: Type.Optional(label()),
    zipCode: Type.Optional(label({ max: 20 })),
    countryCode: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166 country code' })),
  },
  { additionalProperties: false },
);

/** Quantities are positive except in rectifying invoices, which are recognized once the series is known. */
const QUANTITIES = {
  positive: amount({ minimum: 0.000001, description: 'Greater than zero, in the unit of the line' }),
  any: amount({ description: 'In the unit of the line; greater than zero except in rectifying invoices' }),
};
const PERCENT = { places: 4, minimum: 0, maximum: 100 };
const percent = amount(PERCENT);

/** The part of a line's quantity in one batch. */
export const BatchInput = Type.Object(
  {
    batchNum: label({ max: 100 }),
    quantity: amount({
      minimum: 0.000001,
      description: "In the line's unit; the batches must add up to the line's quantity",
    }),
    expiryDate: Type.Optional(day()),
  },
  { additionalProperties: false },
);

/** Serial numbers of a line, instead of its batches. */
export const SERIAL_NUMBERS = {
  serialNumbers: Type.Optional(
    Type.Array(label({ max: 100 }), {
      minItems: 1,
      maxItems: MAX_SERIALS,
      uniqueItems: true,
      description: 'One for each piece, of an item with serial numbers; instead of batchDetails',
    }),
  ),
  serialRange: Type.Optional(
    Type.Object(
      {
        from: label({ max: 100, description: 'The first number, such as A-0098' }),
        to: label({ max: 100, description: 'The last number, such as A-0104' }),
      },
      { additionalProperties: false, description: 'Consecutive serial numbers, in addition to serialNumbers' },
    ),
  ),
};

/** Types of documents that lines can deliver or invoice. */
const BASE_TYPES: readonly DocType[] = ['SQ', 'SO', 'SDN', 'PR', 'PO', 'PDN'];

/** Members of lines of every type. */
const LINE_INPUT = {
  itemId: Type.Optional(uuid({ description: 'The item; without one, give a description' })),
  description: Type.Optional(text({ max: 2000 })),
  price: Type.Optional(
    amount({ description: "Unit price without tax; defaults to the base line's, the price list's or the item's" }),
  ),
  priceWithTax: Type.Optional(
    amount({ description: 'Unit price with tax, instead of price: the tax is included in the total of its rate' }),
  ),
  discountPercent: Type.Optional(
    amount({
      ...PERCENT,
      description: "Defaults to the base line's; with a price from the list, to the list's discount",
    }),
  ),
  secondDiscountPercent: Type.Optional(
    amount({ ...PERCENT, description: "Deducted from what discountPercent leaves; defaults to the base line's" }),
  ),
  taxGroupId: Type.Optional(uuid()),
  warehouseId: Type.Optional(uuid()),
  uomId: Type.Optional(uuid({ description: 'A unit of the item; defaults to its own' })),
  uomFactor: Type.Optional(
    amount({
      places: 9,
      minimum: 0.000000001,
      description: "Size of the unit in the item's own unit, for this line; defaults to the item's factor",
    }),
  ),
  zoneId: Type.Optional(uuid({ description: 'A zone of the warehouse' })),
  batchDetails: Type.Optional(
    Type.Array(BatchInput, {
      minItems: 1,
      maxItems: 200,
      description: 'Batches coming in; on sales, batches to deliver, by default the first to expire',
    }),
  ),
  ...SERIAL_NUMBERS,
  allowExpired: Type.Optional(flag({ description: 'Allows named batches to leave although they have expired' })),
  vatUse: Type.Optional(choice(VAT_USES, { description: 'Use of the goods; none: VAT is part of the cost' })),
  withholdingRate: Type.Optional(
    amount({ ...PERCENT, description: "Income tax withheld from this line, in percent; defaults to the document's" }),
  ),
  deductiblePercent: Type.Optional(
    amount({
      ...PERCENT,
      description:
        'Percentage of the VAT of a purchase that is deductible, e.g. 50 for a car; the rest is part of the cost',
    }),
  ),
  accountId: Type.Optional(uuid()),
  projectId: Type.Optional(uuid()),
  costCenterId: Type.Optional(uuid()),
  baseId: Type.Optional(uuid({ description: 'The document that the line delivers or invoices' })),
  baseLineId: Type.Optional(
    uuid({ description: 'The line of that document; defaults to its first open line with the item' }),
  ),
  vatRegime: Type.Optional(choice(VAT_REGIMES)),
  pluginData: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
};

/** Members of lines of sales. */
const SALES_LINE = {
  marginCost: Type.Optional(
    amount({
      minimum: 0,
      description:
        'In the regime margin: what was paid for the goods of the line, with tax; of lines based on another, their share of its',
    }),
  ),
  salespersonId: Type.Optional(uuid({ description: "Defaults to the base line's, then to the document's" })),
  commissionPercent: Type.Optional(
    amount({ ...PERCENT, description: 'Commission on the amount of the line, instead of that of the rates' }),
  ),
};

/** Members of lines of invoices. */
const INVOICE_LINE = {
  serviceFrom: Type.Optional(
    day({
      description:
        'First day of the service: income and expense of months after that of the invoice wait on 485 and 480 until then; of a line that ' +
        "takes back, defaults to the other's",
    }),
  ),
  serviceTo: Type.Optional(day({ description: 'Last day of the service' })),
};

/** Members of lines that differ in invoices, which may also take back what another invoice charged. */
function ofType(docType: DocType) {
  const invoice = DOCUMENT_TYPES[docType].kind === 'invoice';
  return {
    ...membersIf(DOCUMENT_TYPES[docType].side === 'sales', SALES_LINE),
    ...membersIf(invoice, INVOICE_LINE),
    baseType: documentType(invoice ? [...BASE_TYPES, 'SINV', 'PINV'] : BASE_TYPES),
    quantity: invoice ? QUANTITIES.any : QUANTITIES.positive,
  };
}

/** A line of a new document. */
function lineInput(docType: DocType) {
  const { quantity, baseType, ...more } = ofType(docType);
  return Type.Object(
    { ...LINE_INPUT, ...more, quantity, baseType: Type.Optional(baseType) },
    { additionalProperties: false },
  );
}

/** Members of heads of every type, other than the partner; all optional. */
const HEAD_INPUT = {
  currency: Type.Optional(
    currencyCode("Defaults to that of the base document, then to the partner's, then to the company's"),
  ),
  exchangeRate: Type.Optional(
    exchangeRate({
      description:
        "What one unit of the company's currency is worth in the document's; defaults to the rate of the day (/api/exchange-rates), and " +
        'of a rectifying invoice to that of the other; only in another currency',
    }),
  ),
  reference: Type.Optional(label()),
  notes: Type.Optional(text({ max: 4000 })),
  internalNotes: Type.Optional(text({ max: 20_000, description: 'Internal: never printed or sent' })),
  billingAddress: Type.Optional(Address),
  shippingAddress: Type.Optional(Address),
  discountPercent: Type.Optional(
    amount({
      ...PERCENT,
      description:
        'Discount of the whole document, spread over its lines by their value; by default that of the lines it is based on',
    }),
  ),
  discountAmount: Type.Optional(
    amount({
      minimum: 0,
      description: 'The same as an amount, instead of discountPercent; with tax where the prices include it',
    }),
  ),
  chargeAmount: Type.Optional(
    amount({
      minimum: 0,
      description:
        'Charge for the whole document, such as freight, spread over its lines by their value, whose taxes it bears; with tax where the ' +
        'prices include it; by default that of the lines it is based on',
    }),
  ),
  chargeText: Type.Optional(label({ max: 100, description: 'Name of the charge, for the printed document' })),
  vatRegime: Type.Optional(choice(VAT_REGIMES)),
  withholdingRate: Type.Optional(percent),
  projectId: Type.Optional(uuid()),
  costCenterId: Type.Optional(uuid()),
};
/** The customs document of imported goods, which charges their VAT. */
const CustomsDocument = Type.Object(
  {
    number: label({ description: 'The number of the customs declaration (MRN)' }),
    date: day({ description: 'The date of the customs declaration' }),
    base: amount({ description: 'The base of the VAT: value of the goods with duties; negative if taken back' }),
    vatAmount: amount({ description: 'VAT charged by customs' }),
    deferred: Type.Optional(
      nullable(flag({ description: 'Whether the VAT is paid with the VAT return instead of at customs' })),
    ),
  },
  {
    additionalProperties: false,
    description:
      'The customs document of goods from outside the EU: the source of boxes 32 to 35 of model 303, and of 77 where deferred. ' +
      'It can also be added to a posted invoice',
  },
);
export type CustomsDocumentInput = Input<typeof CustomsDocument>;

const VALID_UNTIL = {
  validUntil: Type.Optional(
    day({ description: 'Last day on which it can be accepted; it then expires. Omit it for no end' }),
  ),
};
const SALESPERSON = {
  salespersonId: Type.Optional(
    uuid({ description: "Salesperson; defaults to that of the base document, then to the partner's" }),
  ),
};
const DELIVERY_DATE = {
  deliveryDate: Type.Optional(
    day({ description: 'When the goods are expected; what can be promised is counted by it' }),
  ),
};
const CASH_BASIS = {
  cashBasis: Type.Optional(
    flag({
      description:
        "Whether the supplier is under the cash basis, so that its tax is deducted as it is paid; defaults to the partner's. In years in " +
        'which the company is itself under it, every invoice is',
    }),
  ),
};
const SUPPLIER_REFERENCE = { supplierReference: Type.Optional(label()) };
const tags = Type.Array(label({ max: 50 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Tags for finding documents: ?tags=urgent, ?tags[in]=urgent,web',
});

/** Additional dates of invoices; suppliers' invoices also have a document date. */
export function invoiceDates({ kind, side }: Pick<DocumentTypeInfo, 'kind' | 'side'>) {
  const operationDate = day({ description: 'Date of supply of goods or services, if different from the invoice date' });
  const documentDate = day({
    description:
      "The date of the supplier's invoice, from which due dates count; defaults to `date`, when it is entered",
  });
  return {
    ...membersIf(kind === 'invoice', { operationDate: Type.Optional(operationDate) }),
    ...membersIf(kind === 'invoice' && side === 'purchase', { documentDate: Type.Optional(documentDate) }),
  };
}

/** Additional members of invoices that correct another. */
const RECTIFYING = {
  rectifies: Type.Optional(uuid({ description: 'The posted invoice that this one rectifies' })),
  reason: Type.Optional(text({ max: 2000, description: 'Reason for the rectification' })),
  returnStock: Type.Optional(flag({ description: 'Whether posting the rectifying invoice brings the goods back' })),
};

/** Additional members of sales invoices that rectify another. */
const RECTIFICATION = {
  rectificationType: Type.Optional(
    choice(RECTIFICATION_TYPES, {
      description:
        'Type of a rectifying invoice: R1 returns, discounts and errors of law, the default; R2 insolvency; R3 bad debts; R4 others. ' +
        'Of a simplified invoice it is always R5',
    }),
  ),
  rectificationMethod: Type.Optional(
    choice(RECTIFICATION_METHODS, {
      description:
        'differences, the default: the lines are what changes. substitution: lines take back all that the other invoice charged, and ' +
        'others state it as it should have been; paper and record show these, and what they replace',
    }),
  ),
};

/** How and why an invoice rectifies, as its record states it. */
export function rectification(docType: DocType) {
  return membersIf(docType === 'SINV', RECTIFICATION);
}

/** The input for a new document of a type. */
export function documentInput(docType: DocType) {
  const { kind, side, entityType } = DOCUMENT_TYPES[docType];
  const schema = Type.Object(
    {
      seriesId: Type.Optional(uuid({ description: "Defaults to the type's default series" })),
      periodId: Type.Optional(uuid({ description: 'Defaults to the period of the date' })),
      partnerId: uuid(),
      date: Type.Optional(day({ description: "Defaults to today in the company's time zone" })),
      ...invoiceDates(DOCUMENT_TYPES[docType]),
      dueDate: Type.Optional(
        day({ description: 'Due date of the whole amount; by default it follows from the payment terms' }),
      ),
      paymentTermsId: Type.Optional(
        uuid({ description: "Defaults to those of the base document, or else to the partner's" }),
      ),
      warehouseId: Type.Optional(uuid({ description: 'Defaults to the default warehouse' })),
      ...membersIf(kind === 'quotation', VALID_UNTIL),
      ...membersIf(kind === 'quotation' || kind === 'order', DELIVERY_DATE),
      ...HEAD_INPUT,
      ...membersIf(side === 'purchase', SUPPLIER_REFERENCE),
      ...membersIf(side === 'sales', SALESPERSON),
      tags: Type.Optional(tags),
      ...membersIf(docType === 'PINV', { customsDocument: Type.Optional(CustomsDocument), ...CASH_BASIS }),
      ...membersIf(kind === 'invoice', RECTIFYING),
      ...rectification(docType),
      lines: Type.Array(lineInput(docType), { minItems: 1, maxItems: 1000 }),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, entityType);
}

/** A line of a changed document. With the id of an existing line, omitted members keep their values. */
function linePatch(docType: DocType) {
  const { quantity, baseType, ...more } = ofType(docType);
  return Type.Object(
    {
      id: Type.Optional(
        uuid({ description: 'An existing line, whose omitted members keep their values; omit the id for a new line' }),
      ),
      ...clearable({ ...LINE_INPUT, ...more, baseType }),
      quantity: Type.Optional(quantity),
    },
    { additionalProperties: false },
  );
}

/** Members of a document that can be changed, if its status allows. */
export function documentPatch(docType: DocType) {
  const { kind, side, entityType } = DOCUMENT_TYPES[docType];
  const schema = Type.Object(
    {
      ...clearable({
        seriesId: uuid(),
        periodId: uuid(),
        date: day(),
        ...invoiceDates(DOCUMENT_TYPES[docType]),
        dueDate: day({ description: "Due date of the whole amount; null: by the partner's payment terms" }),
        paymentTermsId: uuid({ description: 'null: the whole amount is due on the due date' }),
        warehouseId: uuid(),
        ...membersIf(kind === 'quotation', VALID_UNTIL),
        ...membersIf(kind === 'quotation' || kind === 'order', DELIVERY_DATE),
        ...HEAD_INPUT,
        ...membersIf(side === 'purchase', SUPPLIER_REFERENCE),
        ...membersIf(side === 'sales', SALESPERSON),
        ...membersIf(docType === 'PINV', { customsDocument: CustomsDocument }),
      }),
      ...membersIf(docType === 'SINV', {
        dunningPaused: Type.Optional(
          flag({ description: 'Whether the customer is not reminded of it; in every state' }),
        ),
      }),
      partnerId: Type.Optional(uuid()),
      tags: Type.Optional(resettable(tags, [])),
      lines: Type.Optional(
        Type.Array(linePatch(docType), {
          minItems: 1,
          maxItems: 1000,
          description: 'All lines; omitted lines are removed',
        }),
      ),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, entityType);
}

type Document = Input<ReturnType<typeof documentInput>>;

/** A line of a new document, as sent. */
export type DocumentLineInput = Document['lines'][number];

/** A new document, as sent. */
export interface DocumentInput extends Document {
  /** The note whose goods come back; its quantities are then negative. Set by the return itself, not by clients. */
  readonly returns?: string;
  /** Custom fields of the document's type, checked against their definitions. */
  readonly [name: `custom_${string}`]: unknown;
}

/** Members to change, including custom fields; null clears a member. */
export type DocumentPatch = Input<ReturnType<typeof documentPatch>>;

/** A line of a PATCH. With the `id` of an existing line, omitted members keep their values; without, it is new. */
export type LinePatch = NonNullable<DocumentPatch['lines']>[number];
