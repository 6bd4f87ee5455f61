/** The routes that make the next document of one, and the one that shows how documents came from each other. */
import { Type } from 'typebox';
import type { Step } from '../../domain/documents/progress.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { documentFlow } from '../../services/documents/flow.ts';
import { type Following, followDocument, followingType, invoiceNotes } from '../../services/documents/follow.ts';
import { amount, choice, dataOf, day, flag, label, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { created, ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { documentBody } from './answer-schemas.ts';
import { BatchInput } from './schemas.ts';

const Id = Type.Object({ id: uuid() });

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
const DATE = { date: Type.Optional(day({ description: "Today in the company's time zone when absent" })) };

type Invoiced = Parameters<typeof invoiceNotes>[3];

/** The supplier's number of the paper that follows. */
function supplierReference(docType: DocType) {
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
function actionsOf(docType: DocType): readonly Action[] {
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

const Node = Type.Object({
  type: choice(DOC_TYPES.map((code) => DOCUMENT_TYPES[code].name)),
  docType: choice(DOC_TYPES),
  id: uuid(),
  code: nullable(Type.String()),
  status: choice(['D', 'O', 'P', 'C', 'X']),
  date: day(),
  total: Type.Number(),
  currency: Type.String(),
  relation: choice(['before', 'self', 'after'], { description: 'Where it stands, seen from the document asked for' }),
});
const Flow = dataOf(
  Type.Object({
    nodes: Type.Array(Node, { description: 'By date' }),
    links: Type.Array(
      Type.Object({ from: uuid(), to: uuid(), relation: choice(['delivers', 'invoices', 'returns', 'rectifies']) }),
      { description: '`to` delivers, invoices … `from`' },
    ),
    payments: Type.Array(
      Type.Object({
        id: uuid(),
        type: choice(['payment_in', 'payment_out']),
        date: day(),
        amount: Type.Number(),
        currency: Type.String(),
        reference: nullable(Type.String()),
        documentIds: Type.Array(uuid(), { description: 'The documents of the flow that it was applied to' }),
      }),
    ),
    entries: Type.Array(
      Type.Object({
        id: uuid(),
        number: nullable(Type.Integer()),
        date: day(),
        kind: Type.String(),
        description: nullable(Type.String()),
        total: Type.Number(),
        sourceType: Type.String(),
        sourceId: uuid({ description: 'The document or payment that entered it' }),
        reversalOf: nullable(uuid()),
      }),
      { description: 'Of the documents and payments in the ledger' },
    ),
    truncated: flag({ description: 'Whether more documents belong to it than are shown' }),
  }),
);

/** The routes of one type of document. */
export function followRoutes(docType: DocType): Route[] {
  const type = DOCUMENT_TYPES[docType];
  const tag = type.side === 'sales' ? 'Sales' : 'Purchases';
  const words = type.name.replaceAll('_', ' ');
  const routes = actionsOf(docType).map(({ step, path, summary, description, body: members, bodyOptional }) => {
    const next = DOCUMENT_TYPES[followingType(docType, step)];
    return defineRoute({
      method: 'POST',
      path: `${type.path}/:id/${path}`,
      id: `${path}${type.entityType}`,
      summary,
      description,
      tag,
      access: `${next.resource}:create`,
      params: Id,
      body: Type.Object(members, { additionalProperties: false }),
      bodyOptional,
      responses: { 201: dataOf(documentBody(next.code)) },
      async handler({ db, ctx, params, body, ifMatch }) {
        const following = (body ?? {}) as Following;
        const document = await followDocument(db, ctx, params.id, step, following, { docType, ifMatch });
        return created(`${next.path}/${document.id}`, document);
      },
    });
  });
  const flow = defineRoute({
    method: 'GET',
    path: `${type.path}/:id/flow`,
    id: `get${type.entityType}Flow`,
    summary: `What led to a ${words} and what came of it`,
    description: 'Documents, payments and entries that the role may not read are left out.',
    tag,
    access: `${type.resource}:read`,
    params: Id,
    responses: { 200: Flow },
    async handler({ db, params, caller }) {
      const types = DOC_TYPES.filter((code) => caller.permissions.has(`${DOCUMENT_TYPES[code].resource}:read`));
      const reader = {
        types: new Set(types),
        payments: caller.permissions.has('payments:read'),
        entries: caller.permissions.has('journal_entries:read'),
      };
      return ok(await documentFlow(db, params.id, docType, reader));
    },
  });
  return type.kind === 'invoice' ? [...routes, flow, fromNotesRoute(docType)] : [...routes, flow];
}

function fromNotesRoute(docType: DocType): Route {
  const type = DOCUMENT_TYPES[docType];
  return defineRoute({
    method: 'POST',
    path: `${type.path}/from-notes`,
    id: `create${type.entityType}FromNotes`,
    summary: 'One invoice of several delivery notes',
    description: 'Makes a draft of all that is open of the notes, which are of one partner, in the order given.',
    tag: type.side === 'sales' ? 'Sales' : 'Purchases',
    access: `${type.resource}:create`,
    body: Type.Object(
      {
        ids: Type.Array(uuid(), { minItems: 1, maxItems: 1000, description: 'Delivery notes' }),
        ...DATE,
        ...supplierReference(docType),
      },
      { additionalProperties: false },
    ),
    responses: { 201: dataOf(documentBody(docType)) },
    async handler({ db, ctx, body }) {
      const document = await invoiceNotes(db, ctx, docType, body as Invoiced);
      return created(`${type.path}/${document.id}`, document);
    },
  });
}
