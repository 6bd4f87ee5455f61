/** Bodies of documents, the same for all six types but for what a type adds. */
import { type TSchema, Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { VAT_REGIMES } from '../../domain/documents/vat.ts';
import {
  amount,
  choice,
  day,
  documentType,
  flag,
  label,
  nullable,
  resettable,
  text,
  uuid,
  withCustomFields,
} from '../../services/validation/schemas.ts';

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

/** What goods and services bought are used for, which decides whether their tax is deducted. */
export const VAT_USES = ['current', 'investment', 'none'] as const;

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
const BASE_TYPES = ['SO', 'SDN', 'PO', 'PDN'] as const satisfies DocType[];

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
  vatUse: Type.Optional(choice(VAT_USES, { description: 'What the goods are for; none: VAT is part of the cost' })),
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

const internalNotes = text({ max: 20_000, description: 'For the company itself: never printed or sent' });
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
  const { kind, side } = DOCUMENT_TYPES[docType];
  const schema = Type.Object(
    {
      seriesId: Type.Optional(uuid({ description: 'The default series of the type when absent' })),
      periodId: Type.Optional(uuid({ description: 'The period of the date when absent' })),
      partnerId: uuid(),
      date: Type.Optional(day({ description: "Today in the company's time zone when absent" })),
      dueDate: Type.Optional(day({ description: "From the partner's payment terms when absent" })),
      warehouseId: Type.Optional(uuid({ description: 'The default warehouse when absent' })),
      reference: Type.Optional(label()),
      ...(side === 'purchase' ? { supplierReference: Type.Optional(label()) } : {}),
      notes: Type.Optional(text({ max: 4000 })),
      internalNotes: Type.Optional(internalNotes),
      tags: Type.Optional(tags),
      billingAddress: Type.Optional(Address),
      shippingAddress: Type.Optional(Address),
      vatRegime: Type.Optional(choice(VAT_REGIMES)),
      withholdingRate: Type.Optional(percent),
      projectId: Type.Optional(uuid()),
      costCenterId: Type.Optional(uuid()),
      ...(kind === 'invoice' ? RECTIFYING : {}),
      lines: Type.Array(lineInput(docType), { minItems: 1, maxItems: 1000 }),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, DOCUMENT_TYPES[docType].entityType);
}

/** A line of a changed document: with the id of one that is there it keeps what it leaves out. */
const LinePatch = Type.Object(
  {
    id: Type.Optional(
      uuid({ description: 'A line of the document, which keeps what is left out here; a new line without' }),
    ),
    ...Object.fromEntries(Object.entries(LINE_INPUT).map(([name, schema]) => [name, Type.Optional(nullable(schema))])),
    baseType: Type.Optional(nullable(documentType(BASE_TYPES))),
    quantity: Type.Optional(QUANTITIES.positive),
  },
  { additionalProperties: false },
);

/** What can be changed of a document of a type, as its state allows. */
export function documentPatch(docType: DocType) {
  const purchase = DOCUMENT_TYPES[docType].side === 'purchase';
  const cleared = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));
  const schema = Type.Object(
    {
      seriesId: cleared(uuid()),
      periodId: cleared(uuid()),
      partnerId: Type.Optional(uuid()),
      date: cleared(day()),
      dueDate: cleared(day({ description: "Null: from the partner's payment terms" })),
      warehouseId: cleared(uuid()),
      reference: cleared(label()),
      ...(purchase ? { supplierReference: cleared(label()) } : {}),
      notes: cleared(text({ max: 4000 })),
      internalNotes: cleared(internalNotes),
      tags: Type.Optional(resettable(tags, [])),
      billingAddress: cleared(Address),
      shippingAddress: cleared(Address),
      vatRegime: cleared(choice(VAT_REGIMES)),
      withholdingRate: cleared(percent),
      projectId: cleared(uuid()),
      costCenterId: cleared(uuid()),
      lines: Type.Optional(
        Type.Array(LinePatch, { minItems: 1, maxItems: 1000, description: 'All lines: those left out are removed' }),
      ),
    },
    { additionalProperties: false },
  );
  return withCustomFields(schema, DOCUMENT_TYPES[docType].entityType);
}
