/** What can be made of a document: the next one, a return, what rectifies it; each with what its request may say. */
import { Type } from 'typebox';
import type { Step } from '../../domain/documents/progress.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { amount, day, flag, label, text, uuid } from '../../services/validation/schemas.ts';
import { BatchInput } from './schemas.ts';

const LINE = {
  baseLineId: uuid({ description: 'A line of the document' }),
  quantity: amount({ minimum: 0.000001, description: 'Greater than zero, in the unit of the line' }),
};
const DELIVERED = {
  batchDetails: Type.Optional(Type.Array(BatchInput, { minItems: 1, maxItems: 200 })),
  zoneId: Type.Optional(uuid({ description: 'A zone of the warehouse' })),
  allowExpired: Type.Optional(flag({ description: 'Lets named batches leave though they have expired' })),
};
const RETURNED = {
  batchDetails: Type.Optional(
    Type.Array(BatchInput, {
      minItems: 1,
      maxItems: 200,
      description: 'Which batches go back, of those of the line; in the order in which they moved when absent',
    }),
  ),
  zoneId: Type.Optional(
    uuid({ description: 'The zone to put the goods into or take them from; by default where they were, or now lie' }),
  ),
};
export const DATE = { date: Type.Optional(day({ description: "Today in the company's time zone when absent" })) };

/** The supplier's number of the paper that follows. */
export function supplierReference(docType: DocType) {
  const { side } = DOCUMENT_TYPES[docType];
  return side === 'sales'
    ? {}
    : {
        supplierReference: Type.Optional(
          label({ description: "The supplier's own number; of his invoices each once" }),
        ),
      };
}

function linesOf(members: Parameters<typeof Type.Object>[0], description: string) {
  const line = Type.Object({ ...LINE, ...members }, { additionalProperties: false });
  return { lines: Type.Optional(Type.Array(line, { minItems: 1, maxItems: 1000, description })) };
}

interface Action {
  readonly step: Step;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly body: Parameters<typeof Type.Object>[0];
  readonly bodyOptional: boolean;
}

/** What can follow a document, by its kind. */
export function actionsOf(docType: DocType): readonly Action[] {
  const { kind, side } = DOCUMENT_TYPES[docType];
  const sales = side === 'sales';
  if (kind === 'order') {
    return [
      {
        step: 'deliver',
        path: sales ? 'deliver' : 'receive',
        summary: sales ? 'Deliver a sales order' : 'Receive the goods of a purchase order',
        description:
          'Makes a delivery note of what is open, or of the lines given. 409 `nothing_open` when all is done.',
        body: {
          ...DATE,
          warehouseId: Type.Optional(uuid({ description: "That of the order's lines when absent" })),
          ...linesOf(DELIVERED, 'All that is open when absent'),
        },
        bodyOptional: true,
      },
    ];
  }
  if (kind === 'delivery_note') {
    return [
      {
        step: 'invoice',
        path: 'invoice',
        summary: 'Invoice a delivery note',
        description:
          'Makes a draft invoice of what is open, or of the lines given. 409 `nothing_open` when all is done.',
        body: { ...DATE, ...supplierReference(docType), ...linesOf({}, 'All that is open when absent') },
        bodyOptional: true,
      },
      {
        step: 'return',
        path: 'return',
        summary: 'Return goods of a delivery note',
        description:
          'Makes a note with quantities below zero; the goods move back at the cost they moved with. What is returned is not invoiced any more, and does not open the order again.',
        body: {
          ...DATE,
          reason: Type.Optional(text({ max: 2000 })),
          ...linesOf(RETURNED, 'All not yet returned when absent'),
        },
        bodyOptional: true,
      },
    ];
  }
  return [
    {
      step: 'rectify',
      path: 'rectify',
      summary: 'Rectify a posted invoice',
      description:
        'Makes a draft with quantities below zero in the rectifying series. Its notes stay invoiced; with `returnStock` the goods come back when it is posted.',
      body: {
        ...DATE,
        reason: text({ max: 2000 }),
        returnStock: Type.Optional(flag({ description: 'Whether the goods come back, at their original cost' })),
        ...supplierReference(docType),
        ...linesOf({}, 'All not yet rectified when absent'),
      },
      bodyOptional: false,
    },
  ];
}
