/**
 * What clients send of documents, declared once: it validates and describes requests, and is the type of what services take. All six types
 * of documents share it, but for what only some of them have.
 */
import { Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { VAT_REGIMES, VAT_USES } from '../../domain/documents/vat.ts';
import {
  amount,
  choice,
  clearable,
  day,
  documentType,
  flag,
  type Input,
  label,
  membersIf,
  resettable,
  text,
  uuid,
  withCustomFields,
} from '../validation/schemas.ts';

/** An address, as it is given and answered. */
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

/** Quantities are positive but in rectifying invoices, which is told where the series is known. */
const QUANTITIES = {
  positive: amount({ minimum: 0.000001, description: 'Greater than zero, in the unit of the line' }),
  any: amount({ description: 'In the unit of the line; greater than zero but in rectifying invoices' }),
};
const PERCENT = { places: 4, minimum: 0, maximum: 100 };
const percent = amount(PERCENT);

/** Part of a line's quantity that is of one batch. */
export const BatchInput = Type.Object(
  {
    batchNum: label({ max: 100 }),
    quantity: amount({ minimum: 0.000001, description: "In the line's unit; together the line's quantity" }),
    expiryDate: Type.Optional(day()),
  },
  { additionalProperties: false },
);

/** What lines deliver or invoice. */
const BASE_TYPES: readonly DocType[] = ['SO', 'SDN', 'PO', 'PDN'];

/** What lines of every type take. */
const LINE_INPUT = {
  itemId: Type.Optional(uuid({ description: 'An item; or give a description' })),
  description: Type.Optional(text({ max: 2000 })),
  price: Type.Optional(
    amount({ description: "Unit price without tax; by default the base line's, the price list's or the item's" }),
  ),
  discountPercent: Type.Optional(
    amount({
      ...PERCENT,
      description: "By default the base line's; with the price list's price also the discount of the list",
    }),
  ),
  taxGroupId: Type.Optional(uuid()),
  warehouseId: Type.Optional(uuid()),
  uomId: Type.Optional(uuid({ description: 'A unit of the item; its own when absent' })),
  uomFactor: Type.Optional(
    amount({
      places: 9,
      minimum: 0.000000001,
      description: "How many of the item's own unit one is in this line; by default as the item says",
    }),
  ),
  zoneId: Type.Optional(uuid({ description: 'A zone of the warehouse' })),
  batchDetails: Type.Optional(
    Type.Array(BatchInput, {
      minItems: 1,
      maxItems: 200,
      description: 'What comes in; on sales which batches leave, the first to expire when absent',
    }),
  ),
  allowExpired: Type.Optional(flag({ description: 'Lets named batches leave though they have expired' })),
  vatUse: Type.Optional(choice(VAT_USES, { description: 'Use of the goods; none: VAT is part of the cost' })),
  accountId: Type.Optional(uuid()),
  projectId: Type.Optional(uuid()),
  costCenterId: Type.Optional(uuid()),
  baseId: Type.Optional(uuid({ description: 'The document that the line delivers or invoices' })),
  baseLineId: Type.Optional(uuid({ description: 'Its line; else the first one with that item that is still open' })),
  vatRegime: Type.Optional(choice(VAT_REGIMES)),
  pluginData: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
};

/** A line of a new document: of invoices it may also take back what another invoice charged. */
function lineInput(docType: DocType) {
  const invoice = DOCUMENT_TYPES[docType].kind === 'invoice';
  const baseType = documentType(invoice ? [...BASE_TYPES, 'SINV', 'PINV'] : BASE_TYPES);
  const quantity = invoice ? QUANTITIES.any : QUANTITIES.positive;
  return Type.Object({ ...LINE_INPUT, quantity, baseType: Type.Optional(baseType) }, { additionalProperties: false });
}

/** What heads of every type take besides their partner; all of it may be left out. */
const HEAD_INPUT = {
  reference: Type.Optional(label()),
  notes: Type.Optional(text({ max: 4000 })),
  internalNotes: Type.Optional(text({ max: 20_000, description: 'For the company itself: never printed or sent' })),
  billingAddress: Type.Optional(Address),
  shippingAddress: Type.Optional(Address),
  vatRegime: Type.Optional(choice(VAT_REGIMES)),
  withholdingRate: Type.Optional(percent),
  projectId: Type.Optional(uuid()),
  costCenterId: Type.Optional(uuid()),
};
const SUPPLIER_REFERENCE = { supplierReference: Type.Optional(label()) };
const tags = Type.Array(label({ max: 50 }), {
  maxItems: 50,
  uniqueItems: true,
  description: 'Words to find documents by: ?tags=urgent, ?tags[in]=urgent,web',
});

/** What an invoice takes besides, when it corrects another. */
const RECTIFYING = {
  rectifies: Type.Optional(uuid({ description: 'The posted invoice that this one corrects' })),
  reason: Type.Optional(text({ max: 2000, description: 'Why it is rectified' })),
  returnStock: Type.Optional(flag({ description: 'Whether the goods of a rectifying invoice come back at posting' })),
};

/** What a new document of a type takes. */
export function documentInput(docType: DocType) {
  const { kind, side, entityType } = DOCUMENT_TYPES[docType];
  const schema = Type.Object(
    {
      seriesId: Type.Optional(uuid({ description: 'The default series of the type when absent' })),
      periodId: Type.Optional(uuid({ description: 'The period of the date when absent' })),
      partnerId: uuid(),
      date: Type.Optional(day({ description: "Today in the company's time zone when absent" })),
      dueDate: Type.Optional(day({ description: "From the partner's payment terms when absent" })),
      warehouseId: Type.Optional(uuid({ description: 'The default warehouse when absent' })),
      ...HEAD_INPUT,
      ...membersIf(side === 'purchase', SUPPLIER_REFERENCE),
      tags: Type.Optional(tags),
      ...membersIf(kind === 'invoice', RECTIFYING),
      lines: Type.Array(lineInput(docType), { minItems: 1, maxItems: 1000 }),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, entityType);
}

/** A line of a changed document: with the id of one that is there it keeps what it leaves out. */
const LINE_PATCH = Type.Object(
  {
    id: Type.Optional(
      uuid({ description: 'A line of the document, which keeps what is left out here; a new line without' }),
    ),
    ...clearable({ ...LINE_INPUT, baseType: documentType(BASE_TYPES) }),
    quantity: Type.Optional(QUANTITIES.positive),
  },
  { additionalProperties: false },
);

/** What can be changed of a document of a type, as its state allows. */
export function documentPatch(docType: DocType) {
  const { side, entityType } = DOCUMENT_TYPES[docType];
  const schema = Type.Object(
    {
      ...clearable({
        seriesId: uuid(),
        periodId: uuid(),
        date: day(),
        dueDate: day({ description: "Null: from the partner's payment terms" }),
        warehouseId: uuid(),
        ...HEAD_INPUT,
        ...membersIf(side === 'purchase', SUPPLIER_REFERENCE),
      }),
      partnerId: Type.Optional(uuid()),
      tags: Type.Optional(resettable(tags, [])),
      lines: Type.Optional(
        Type.Array(LINE_PATCH, { minItems: 1, maxItems: 1000, description: 'All lines: those left out are removed' }),
      ),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, entityType);
}

type Document = Input<ReturnType<typeof documentInput>>;

/** A line of a new document, as it was sent. */
export type DocumentLineInput = Document['lines'][number];

/** A new document, as it was sent. */
export interface DocumentInput extends Document {
  /** The note whose goods come back; quantities are below zero then. Set by the return itself, not by clients. */
  readonly returns?: string;
  /** The custom fields of the document's type; their values are checked against the definitions. */
  readonly [name: `custom_${string}`]: unknown;
}

/** Members to change; null clears. Custom fields besides. */
export type DocumentPatch = Input<ReturnType<typeof documentPatch>>;

/** A line of a PATCH: with the `id` of one that is there it keeps what it leaves out, else it is a new one. */
export type LinePatch = NonNullable<DocumentPatch['lines']>[number];
