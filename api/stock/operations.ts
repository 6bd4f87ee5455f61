/** Adjustments and transfers. They are made once and stay: another one sets right what one got wrong. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../db/queries/list.ts';
import { adjustStock } from '../../services/stock/operations/adjust.ts';
import type { AdjustmentInput, TransferInput } from '../../services/stock/operations/input.ts';
import { presentHead } from '../../services/stock/operations/present.ts';
import { headOf, readOperation, type StoredOperation } from '../../services/stock/operations/read.ts';
import { transferStock } from '../../services/stock/operations/transfer.ts';
import {
  amount,
  dataOf,
  day,
  instant,
  integer,
  label,
  nullable,
  quantity,
  text,
  uuid,
} from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const MAX_LINES = 1000;
const batchNum = () => label({ max: 100 });
const Id = Type.Object({ id: uuid() });

const heading = {
  reason: Type.Optional(text({ max: 500, description: 'Why, for whoever looks at it later' })),
  date: Type.Optional(day({ description: "Today in the company's time zone when absent" })),
};

function linesOf<L extends Parameters<typeof Type.Object>[0]>(members: L) {
  const line = Type.Object(members, { additionalProperties: false });
  return Type.Array(line, { minItems: 1, maxItems: MAX_LINES });
}

const AdjustmentBody = Type.Object(
  {
    warehouseId: uuid(),
    zoneId: Type.Optional(uuid({ description: 'Where it was counted, for all lines that name no zone' })),
    ...heading,
    lines: linesOf({
      itemId: uuid(),
      zoneId: Type.Optional(uuid()),
      batchNum: Type.Optional(batchNum()),
      expiryDate: Type.Optional(day({ description: 'Of a batch that is found for the first time' })),
      countedQuantity: amount({ minimum: 0, description: "What is really there, in the item's own unit" }),
    }),
  },
  { additionalProperties: false },
);

const TransferBody = Type.Object(
  {
    warehouseId: uuid({ description: 'Where the goods leave' }),
    zoneId: Type.Optional(uuid({ description: 'For all lines that name no zone' })),
    toWarehouseId: Type.Optional(uuid({ description: 'Where they come in; the same warehouse when absent' })),
    toZoneId: Type.Optional(uuid({ description: 'For all lines that name no zone' })),
    ...heading,
    lines: linesOf({
      itemId: uuid(),
      quantity: amount({ minimum: 0.000001, description: "In the item's own unit" }),
      batchNum: Type.Optional(batchNum()),
      zoneId: Type.Optional(
        uuid({ description: 'Without one: from anywhere, within one warehouse from outside zones' }),
      ),
      toZoneId: Type.Optional(uuid()),
    }),
  },
  { additionalProperties: false },
);

const head = {
  id: uuid(),
  code: text(),
  date: day(),
  periodId: uuid(),
  warehouseId: uuid(),
  zoneId: nullable(uuid()),
  reason: nullable(text()),
  createdBy: nullable(uuid()),
  createdAt: instant(),
  version: integer(),
};
const ends = { toWarehouseId: uuid(), toZoneId: nullable(uuid()) };
const item = { itemId: uuid(), itemCode: text() };
const place = { zoneId: nullable(uuid()), batchId: nullable(uuid()), batchNum: nullable(text()) };
const unitCost = amount({ description: 'As it was valued then' });

const StockAdjustment = Type.Object(
  {
    ...head,
    lines: Type.Array(
      Type.Object({
        ...item,
        ...place,
        countedQuantity: quantity(),
        previousQuantity: quantity(),
        difference: quantity(),
        unitCost: nullable(unitCost),
      }),
    ),
  },
  { title: 'StockAdjustment' },
);

const StockTransfer = Type.Object(
  {
    ...head,
    ...ends,
    lines: Type.Array(
      Type.Object({
        ...item,
        quantity: quantity(),
        zoneId: nullable(uuid()),
        toZoneId: nullable(uuid()),
        batchNum: nullable(text()),
        moved: Type.Array(Type.Object({ ...place, quantity: quantity(), unitCost })),
      }),
    ),
  },
  { title: 'StockTransfer' },
);

const fields: ListDefinition['fields'] = {
  code: { type: 'text', searchable: true },
  date: { type: 'date' },
  warehouseId: { type: 'uuid' },
  zoneId: { type: 'uuid' },
  reason: { type: 'text', searchable: true },
  createdBy: { type: 'uuid' },
  createdAt: { type: 'instant' },
};

export const routes: Route[] = [
  listRoute({
    path: '/api/stock/adjustments',
    id: 'listStockAdjustments',
    summary: 'Stock adjustments, the newest first',
    tag: 'Stock',
    access: 'stock:read',
    list: { defaultSort: '', fields },
    row: Type.Object(head, { title: 'StockAdjustmentHead' }),
    rows: ({ db }) => ({ from: db('stock_operations').where({ kind: 'adjustment' }), present }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/stock/adjustments',
    id: 'createStockAdjustment',
    summary: 'Set stock to what was counted',
    description:
      'Each line is compared with what is there at that place at this moment; the difference moves, finds at the present average cost.',
    tag: 'Stock',
    access: 'stock:create',
    body: AdjustmentBody,
    responses: { 201: dataOf(StockAdjustment) },
    async handler({ db, ctx, body }) {
      const made = await adjustStock(db, ctx, body as AdjustmentInput);
      return created(`/api/stock/adjustments/${made.id}`, made);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/stock/adjustments/:id',
    id: 'getStockAdjustment',
    summary: 'One stock adjustment',
    tag: 'Stock',
    access: 'stock:read',
    params: Id,
    responses: { 200: dataOf(StockAdjustment) },
    async handler({ db, params }) {
      return ok(await readOperation(db, 'adjustment', params.id));
    },
  }),
  listRoute({
    path: '/api/stock/transfers',
    id: 'listStockTransfers',
    summary: 'Stock transfers, the newest first',
    tag: 'Stock',
    access: 'stock:read',
    list: { defaultSort: '', fields: { ...fields, toWarehouseId: { type: 'uuid' }, toZoneId: { type: 'uuid' } } },
    row: Type.Object({ ...head, ...ends }, { title: 'StockTransferHead' }),
    rows: ({ db }) => ({ from: db('stock_operations').where({ kind: 'transfer' }), present }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/stock/transfers',
    id: 'createStockTransfer',
    summary: 'Move stock to another warehouse or zone',
    description:
      'Goods keep what they cost. Without batch the first to expire leave first; a named batch may be pending or have expired.',
    tag: 'Stock',
    access: 'stock:create',
    body: TransferBody,
    responses: { 201: dataOf(StockTransfer) },
    async handler({ db, ctx, body }) {
      const made = await transferStock(db, ctx, body as TransferInput);
      return created(`/api/stock/transfers/${made.id}`, made);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/stock/transfers/:id',
    id: 'getStockTransfer',
    summary: 'One stock transfer',
    tag: 'Stock',
    access: 'stock:read',
    params: Id,
    responses: { 200: dataOf(StockTransfer) },
    async handler({ db, params }) {
      return ok(await readOperation(db, 'transfer', params.id));
    },
  }),
];

function present(row: StoredOperation) {
  return presentHead(headOf(row));
}
