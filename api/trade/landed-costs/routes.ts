/** Landed costs: freight, duty and the like, that become part of what received goods cost. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { LandedCost } from '../../../db/models/trade/landed-costs.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { addLandedCost } from '../../../services/trade/landed-costs/add.ts';
import { cancelLandedCost } from '../../../services/trade/landed-costs/cancel.ts';
import { landedCostHead, readLandedCost } from '../../../services/trade/landed-costs/read.ts';
import { LandedCostBody, METHOD } from '../../../services/trade/landed-costs/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Stock';
const COLLECTION = '/api/landed-costs';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const STATUSES = ['posted', 'cancelled'] as const;

const head = {
  id: uuid(),
  code: text(),
  date: day({ description: 'From when on the goods cost more' }),
  periodId: uuid(),
  description: nullable(text()),
  status: choice(STATUSES),
  total: Type.Number({ description: 'Sum of the costs' }),
  createdBy: nullable(uuid()),
  cancelledAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};
const Head = Type.Object(head, { title: 'LandedCostHead' });
const Answer = Type.Object(
  {
    ...head,
    costs: Type.Array(
      Type.Object({
        description: nullable(text()),
        method: METHOD,
        amount: Type.Number(),
        documentLineId: nullable(uuid({ description: 'The line of the purchase invoice that charges it' })),
        documentId: nullable(uuid({ description: 'That invoice' })),
      }),
      { description: 'The single costs' },
    ),
    shares: Type.Array(
      Type.Object({
        documentId: uuid(),
        documentCode: nullable(text()),
        documentLineId: uuid({ description: 'The line of the receipt' }),
        itemId: uuid(),
        itemCode: text(),
        quantity: Type.Number({ description: "In the item's own unit" }),
        amount: Type.Number({ description: 'What the goods of the line cost more' }),
      }),
      { description: 'What each received line bears' },
    ),
  },
  { title: 'LandedCost' },
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', searchable: true },
    date: { type: 'date', notNull: true },
    description: { type: 'text', searchable: true },
    status: { type: 'choice', choices: STATUSES },
    total: { type: 'number' },
    createdBy: { type: 'uuid' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-date',
};

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'stock:read',
    path: COLLECTION,
    id: 'listLandedCosts',
    summary: 'Landed costs, newest first',
    list,
    row: Head,
    rows: () => ({ from: 'landed_costs', toJson: (row: JsonRow) => landedCostHead(fromRow(LandedCost, row)) }),
  }),
  defineRoute({
    tag: TAG,
    access: 'stock:create',
    method: 'POST',
    path: COLLECTION,
    id: 'createLandedCost',
    summary: 'Spread costs of bringing goods in over their receipts',
    description:
      'Spreads freight, duty, insurance and the like over received goods: those on hand and those that were sold cost their part more, ' +
      'by either costing method, from the date on. No entry is made: the invoices of carriers and customs are entered as they are.',
    problems: ['period_closed'],
    body: LandedCostBody,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const id = await addLandedCost(db, ctx, body);
      return created(`${COLLECTION}/${id}`, await readLandedCost(db, id));
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'stock:read',
    method: 'GET',
    path: ONE,
    id: 'getLandedCost',
    summary: 'One landed cost',
    description: 'With its costs, and what each received line bears.',
    params: Id,
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => ok(await readLandedCost(reader, params.id)),
  }),
  defineRoute({
    tag: TAG,
    access: 'stock:create',
    method: 'POST',
    path: `${ONE}/cancel`,
    id: 'cancelLandedCost',
    summary: 'Cancel a landed cost',
    description: 'The goods cost again what they did without it, from the date on.',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    body: Type.Object(
      { date: Type.Optional(day({ description: 'Defaults to today, or to its own date if that is later' })) },
      { additionalProperties: false },
    ),
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, params, body, ifMatch }) {
      await cancelLandedCost(db, ctx, params.id, { ...body, ifMatch });
      return ok(await readLandedCost(db, params.id));
    },
  }),
];
