/** Proposals to order goods again, and ordering them. */
import { Type } from 'typebox';
import {
  amount,
  choice,
  flag,
  integer,
  nullable,
  quantity,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { reorder } from '../../../services/trade/reorder/order.ts';
import { proposals, proposalToJson } from '../../../services/trade/reorder/proposals.ts';
import { assertPermission } from '../../permission.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Stock';
const PATH = '/api/reorder';

const Proposal = Type.Object(
  {
    ruleId: uuid({ description: 'The rule that proposes it' }),
    itemId: uuid(),
    itemCode: text(),
    itemName: text(),
    warehouseId: nullable(uuid({ description: 'The warehouse that needs it; null for all together' })),
    supplierId: nullable(uuid({ description: 'Whom to order from' })),
    supplierName: nullable(text({ description: 'Name of the supplier' })),
    orderable: flag({
      description:
        'Whether the supplier can be ordered from; false without one, or if it is inactive or a mere customer',
    }),
    onHand: quantity({ description: 'On hand' }),
    reserved: quantity({ description: 'By open sales orders' }),
    incoming: quantity({ description: 'From open purchase orders' }),
    requested: quantity({ description: 'In purchase requests that can still be ordered' }),
    projected: quantity({ description: 'On hand, less reserved, plus incoming and requested' }),
    minimum: quantity({ description: 'Of which less is expected' }),
    maximum: nullable(quantity({ description: 'Up to which is ordered' })),
    packQuantity: nullable(quantity({ description: 'In multiples of which is ordered' })),
    leadTimeDays: integer({ description: 'Days until the goods come' }),
    quantity: quantity({ description: 'What to order' }),
  },
  { title: 'ReorderProposal' },
);

const FILTER = {
  supplierId: Type.Optional(uuid({ description: 'Only what is ordered from this supplier' })),
  warehouseId: Type.Optional(uuid({ description: 'Only rules of this warehouse' })),
  itemId: Type.Optional(uuid({ description: 'Only this item' })),
};

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: PATH,
    id: 'listReorderProposals',
    summary: 'What should be ordered again',
    description:
      'Items of which less is expected than the minimum of their rule (/api/reorder-rules), with how much to order.',
    tag: TAG,
    access: 'stock:read',
    query: Type.Object(FILTER),
    responses: { 200: Type.Object({ data: Type.Array(Proposal) }, { title: 'ReorderProposals' }) },
    handler: async ({ reader, query }) => ({
      status: 200,
      body: { data: (await proposals(reader, query)).map(proposalToJson) },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    id: 'reorder',
    summary: 'Order what should be ordered again',
    description:
      'One purchase order for each supplier and warehouse, or one purchase request. Done again, it orders nothing twice: what is ordered ' +
      'is expected. Needs the permission to make such documents.',
    tag: TAG,
    access: 'purchase_orders:create',
    problems: ['forbidden', 'nothing_open', 'period_closed', 'invalid_transition', 'budget_exceeded'],
    body: Type.Object(
      {
        ...FILTER,
        kind: Type.Optional(
          choice(['order', 'request'], { description: 'Purchase orders, the default, or purchase requests' }),
        ),
        lines: Type.Optional(
          Type.Array(
            Type.Object(
              {
                ruleId: uuid({ description: 'A rule that proposes something' }),
                quantity: Type.Optional(amount({ minimum: 0.000001, description: 'Instead of the proposed quantity' })),
              },
              { additionalProperties: false },
            ),
            { minItems: 1, maxItems: 1000, description: 'Only these proposals; all by default' },
          ),
        ),
      },
      { additionalProperties: false },
    ),
    responses: {
      201: Type.Object(
        {
          data: Type.Object({
            documents: Type.Array(
              Type.Object({
                id: uuid(),
                docType: choice(['PO', 'PR']),
                code: nullable(text()),
                partnerId: uuid(),
                total: Type.Number(),
                path: text({ description: 'Where to read it' }),
              }),
              { description: 'What was made' },
            ),
            skipped: Type.Array(Proposal, {
              description:
                'What was not ordered because its rule names no supplier, or one that cannot be ordered from',
            }),
          }),
        },
        { title: 'Reordered' },
      ),
    },
    async handler({ db, ctx, caller, body }) {
      if (body.kind === 'request') assertPermission(caller, 'purchase_requests:create');
      const { documents, skipped } = await reorder(db, ctx, body);
      const path = body.kind === 'request' ? '/api/purchases/requests' : '/api/purchases';
      return {
        status: 201,
        body: {
          data: {
            documents: documents.map(({ id, docType, code, partnerId, total }) => ({
              id,
              docType,
              code,
              partnerId,
              total,
              path: `${path}/${id}`,
            })),
            skipped: skipped.map(proposalToJson),
          },
        },
      };
    },
  }),
];
