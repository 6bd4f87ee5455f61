/** Schemas of what clients send to create follow-ups: a note, an invoice, a return, a rectifying invoice. */
import { Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { amount, day, flag, type Input, label, membersIf, text, uuid } from '../../platform/validation/schemas.ts';
import { BatchInput, invoiceDates, rectification, SERIAL_NUMBERS } from '../documents/schemas.ts';

const batches = (description?: string) =>
  Type.Optional(
    Type.Array(BatchInput, { minItems: 1, maxItems: 200, ...(description === undefined ? {} : { description }) }),
  );
const LINE = {
  baseLineId: uuid({ description: 'A line of the document' }),
  quantity: amount({ minimum: 0.000001, description: 'Greater than zero, in the unit of the line' }),
};
const DELIVERED = {
  batchDetails: batches(),
  ...SERIAL_NUMBERS,
  zoneId: Type.Optional(uuid({ description: 'A zone of the warehouse' })),
  allowExpired: Type.Optional(flag({ description: 'Allows named batches to leave although they have expired' })),
};
const RETURNED = {
  batchDetails: batches('The batches to return, of those of the line; by default in the order in which they moved'),
  ...SERIAL_NUMBERS,
  zoneId: Type.Optional(
    uuid({ description: 'The zone to put the goods into or take them from; defaults to where they were, or now are' }),
  ),
};
const DATE = { date: Type.Optional(day({ description: "Defaults to today in the company's time zone" })) };

/** The further dates of an invoice that follows, and the supplier's number. */
function invoiceMembers(docType: DocType) {
  const description = "The supplier's own number; unique among their invoices";
  return {
    ...invoiceDates({ kind: 'invoice', side: DOCUMENT_TYPES[docType].side }),
    ...membersIf(DOCUMENT_TYPES[docType].side === 'purchase', {
      supplierReference: Type.Optional(label({ description })),
    }),
  };
}

function linesMember<M extends Parameters<typeof Type.Object>[0]>(members: M, description: string) {
  const line = Type.Object({ ...LINE, ...members }, { additionalProperties: false });
  return { lines: Type.Optional(Type.Array(line, { minItems: 1, maxItems: 1000, description })) };
}

function followUpBody<M extends Parameters<typeof Type.Object>[0]>(members: M) {
  return Type.Object({ ...DATE, ...members }, { additionalProperties: false });
}

/** The input of one invoice of several notes. */
export function fromNotesInput(docType: DocType) {
  const ids = Type.Array(uuid(), { minItems: 1, maxItems: 1000, description: 'Delivery notes' });
  return followUpBody({ ids, ...invoiceMembers(docType) });
}
export type FromNotesInput = Input<ReturnType<typeof fromNotesInput>>;

export const orderInput = followUpBody({
  warehouseId: Type.Optional(uuid({ description: 'Defaults to that of the lines' })),
  ...linesMember({}, 'Defaults to all that is open'),
});

export const deliverInput = followUpBody({
  warehouseId: Type.Optional(uuid({ description: "Defaults to that of the order's lines" })),
  ...linesMember(DELIVERED, 'Defaults to all that is open'),
});

export const returnInput = followUpBody({
  reason: Type.Optional(text({ max: 2000 })),
  ...linesMember(RETURNED, 'Defaults to all that is not returned yet'),
});

export function invoiceInput(docType: DocType) {
  return followUpBody({ ...invoiceMembers(docType), ...linesMember({}, 'Defaults to all that is open') });
}

export function rectifyInput(docType: DocType) {
  return followUpBody({
    reason: text({ max: 2000 }),
    returnStock: Type.Optional(flag({ description: 'Whether the goods come back, at their original cost' })),
    ...rectification(docType),
    ...invoiceMembers(docType),
    ...linesMember(
      { batchDetails: RETURNED.batchDetails, ...SERIAL_NUMBERS },
      'Defaults to all that is not rectified yet; batches and serial numbers only with returnStock',
    ),
  });
}

type Delivered = Input<typeof deliverInput>;
type Rectified = Input<ReturnType<typeof rectifyInput>>;

/** A part of one line; positive even when it is taken back. */
export type FollowingLine = NonNullable<Delivered['lines']>[number];

/** The input of follow-ups; each uses its part of it. Without lines, everything open of all lines. */
export type Following = Omit<Partial<Delivered & Rectified>, 'lines'> & { readonly lines?: readonly FollowingLine[] };
