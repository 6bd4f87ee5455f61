/** Batches: created on the first receipt of their goods, and released for sale here. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  choice,
  dataBody,
  day,
  instant,
  integer,
  nullable,
  quantity,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import {
  BATCHES_SQL,
  batchToJson,
  changeBatch,
  confirmBatch,
  readBatch,
} from '../../../services/trade/stock/batch-records.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const STATUSES = ['pending', 'confirmed'] as const;

const list: ListDefinition = {
  defaultSort: 'expiryDate',
  fields: {
    itemId: { type: 'uuid' },
    itemCode: { type: 'text', searchable: true },
    itemName: { type: 'text', searchable: true },
    batchNum: { type: 'text', searchable: true },
    expiryDate: { type: 'date' },
    status: { type: 'choice', choices: STATUSES },
    onHand: { type: 'number' },
    createdAt: { type: 'instant' },
    updatedAt: { type: 'instant' },
  },
};

const Batch = Type.Object(
  {
    id: uuid(),
    itemId: uuid(),
    itemCode: text(),
    itemName: text(),
    batchNum: text(),
    expiryDate: nullable(day({ description: 'Last date on which it may be delivered; null for no limit' })),
    status: choice(STATUSES, { description: 'pending: not for sale' }),
    onHand: quantity({ description: 'Quantity on hand in all warehouses' }),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Batch' },
);

const shared = { tag: 'Stock', params: Type.Object({ id: uuid() }), responses: { 200: dataBody(Batch) } } as const;

export const routes: Route[] = [
  listRoute({
    path: '/api/batches',
    id: 'listBatches',
    summary: 'Batches, by expiry',
    tag: 'Stock',
    access: 'stock:read',
    list,
    row: Batch,
    rows: () => ({ from: `(${BATCHES_SQL}) as batches`, toJson: batchToJson }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/batches/:id',
    id: 'getBatch',
    summary: 'One batch',
    description: 'With its quantities and expiry date.',
    access: 'stock:read',
    async handler({ reader, params }) {
      return ok(await readBatch(reader, params.id));
    },
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: '/api/batches/:id',
    id: 'updateBatch',
    summary: 'Correct the expiry date of a batch',
    description: 'null if it never expires.',
    access: 'stock:update',
    body: Type.Object({ expiryDate: Type.Optional(nullable(day())) }, { additionalProperties: false }),
    async handler({ db, ctx, params, body, ifMatch }) {
      return ok(await changeBatch(db, ctx, params.id, body, ifMatch));
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: '/api/batches/:id/confirm',
    id: 'confirmBatch',
    summary: 'Release a pending batch for sale',
    problems: ['invalid_transition'],
    description: 'Until then it is not sold.',
    access: 'stock:update',
    async handler({ db, ctx, params, ifMatch }) {
      return ok(await confirmBatch(db, ctx, params.id, ifMatch));
    },
  }),
];
