/** What clients send to have the next document made of one: a note, an invoice, a return, what rectifies it. */
import { Type } from 'typebox';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { BatchInput } from '../documents/schemas.ts';
import { amount, day, flag, type Input, label, membersIf, text, uuid } from '../validation/schemas.ts';

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
  zoneId: Type.Optional(uuid({ description: 'A zone of the warehouse' })),
  allowExpired: Type.Optional(flag({ description: 'Lets named batches leave though they have expired' })),
};
const RETURNED = {
  batchDetails: batches('Which batches go back, of those of the line; in the order in which they moved when absent'),
  zoneId: Type.Optional(
    uuid({ description: 'The zone to put the goods into or take them from; by default where they were, or now lie' }),
  ),
};
const DATE = { date: Type.Optional(day({ description: "Today in the company's time zone when absent" })) };

/** The supplier's number of the paper that follows. */
function supplierReference(docType: DocType) {
  const description = "The supplier's own number; of his invoices each once";
  return membersIf(DOCUMENT_TYPES[docType].side === 'purchase', {
    supplierReference: Type.Optional(label({ description })),
  });
}

function linesOf<M extends Parameters<typeof Type.Object>[0]>(members: M, description: string) {
  const line = Type.Object({ ...LINE, ...members }, { additionalProperties: false });
  return { lines: Type.Optional(Type.Array(line, { minItems: 1, maxItems: 1000, description })) };
}

function bodyOf<M extends Parameters<typeof Type.Object>[0]>(members: M) {
  return Type.Object({ ...DATE, ...members }, { additionalProperties: false });
}

/** What one invoice of several notes takes. */
export function fromNotesInput(docType: DocType) {
  const ids = Type.Array(uuid(), { minItems: 1, maxItems: 1000, description: 'Delivery notes' });
  return bodyOf({ ids, ...supplierReference(docType) });
}
export type FromNotesInput = Input<ReturnType<typeof fromNotesInput>>;

export const deliverInput = bodyOf({
  warehouseId: Type.Optional(uuid({ description: "That of the order's lines when absent" })),
  ...linesOf(DELIVERED, 'All that is open when absent'),
});

export const returnInput = bodyOf({
  reason: Type.Optional(text({ max: 2000 })),
  ...linesOf(RETURNED, 'All not yet returned when absent'),
});

export function invoiceInput(docType: DocType) {
  return bodyOf({ ...supplierReference(docType), ...linesOf({}, 'All that is open when absent') });
}

export function rectifyInput(docType: DocType) {
  return bodyOf({
    reason: text({ max: 2000 }),
    returnStock: Type.Optional(flag({ description: 'Whether the goods come back, at their original cost' })),
    ...supplierReference(docType),
    ...linesOf({}, 'All not yet rectified when absent'),
  });
}

type Delivered = Input<typeof deliverInput>;
type Rectified = Input<ReturnType<typeof rectifyInput>>;

/** A part of one line, greater than zero also of what is taken back. */
export type FollowingLine = NonNullable<Delivered['lines']>[number];

/** What follow-ups are told, each its part of it; without lines, all that is open of all lines. */
export type Following = Omit<Partial<Delivered & Rectified>, 'lines'> & { readonly lines?: readonly FollowingLine[] };
