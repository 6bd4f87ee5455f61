/** Adjustments, transfers and assemblies. They are final: a mistake is corrected by another one. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { StockOperation } from '../../../db/models/trade/stock.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { adjustStock } from '../../../services/trade/stock/operations/adjust.ts';
import { assembleGoods } from '../../../services/trade/stock/operations/assemble.ts';
import { operationHead, readOperation } from '../../../services/trade/stock/operations/read.ts';
import { AdjustmentBody, AssemblyBody, TransferBody } from '../../../services/trade/stock/operations/schemas.ts';
import { headToJson } from '../../../services/trade/stock/operations/to-json.ts';
import { transferStock } from '../../../services/trade/stock/operations/transfer.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import {
  StockAdjustment,
  StockAdjustmentHead,
  StockAssembly,
  StockTransfer,
  StockTransferHead,
} from './operation-schemas.ts';

const Id = Type.Object({ id: uuid() });

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
    summary: 'Stock adjustments, newest first',
    tag: 'Stock',
    access: StockOperation.access,
    list: { defaultSort: '', fields },
    row: StockAdjustmentHead,
    rows: () => ({ from: 'stock_operations', where: { kind: 'adjustment' }, toJson }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/stock/adjustments',
    id: 'createStockAdjustment',
    summary: 'Adjust stock to a count',
    problems: ['period_closed', 'insufficient_stock', 'batch_expired'],
    description:
      'Compares each line with the current quantity at that place and moves the difference. Found goods enter at the current average cost.',
    tag: 'Stock',
    access: 'stock:create',
    body: AdjustmentBody,
    responses: { 201: dataBody(StockAdjustment) },
    async handler({ db, ctx, body }) {
      const made = await adjustStock(db, ctx, body);
      return created(`/api/stock/adjustments/${made.id}`, made);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/stock/adjustments/:id',
    id: 'getStockAdjustment',
    summary: 'One stock adjustment',
    description: 'With counted and book quantities.',
    tag: 'Stock',
    access: StockOperation.access,
    params: Id,
    responses: { 200: dataBody(StockAdjustment) },
    async handler({ reader, params }) {
      return ok(await readOperation(reader, 'adjustment', params.id));
    },
  }),
  listRoute({
    path: '/api/stock/transfers',
    id: 'listStockTransfers',
    summary: 'Stock transfers, newest first',
    tag: 'Stock',
    access: StockOperation.access,
    list: { defaultSort: '', fields: { ...fields, toWarehouseId: { type: 'uuid' }, toZoneId: { type: 'uuid' } } },
    row: StockTransferHead,
    rows: () => ({ from: 'stock_operations', where: { kind: 'transfer' }, toJson }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/stock/transfers',
    id: 'createStockTransfer',
    summary: 'Move stock to another warehouse or zone',
    problems: ['period_closed', 'insufficient_stock', 'batch_expired'],
    description:
      'Goods keep their cost. Unless a batch is named, the first to expire leave first; a named batch may be pending or expired.',
    tag: 'Stock',
    access: 'stock:create',
    body: TransferBody,
    responses: { 201: dataBody(StockTransfer) },
    async handler({ db, ctx, body }) {
      const made = await transferStock(db, ctx, body);
      return created(`/api/stock/transfers/${made.id}`, made);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/stock/transfers/:id',
    id: 'getStockTransfer',
    summary: 'One stock transfer',
    description: 'The moved goods, with their places and batches.',
    tag: 'Stock',
    access: StockOperation.access,
    params: Id,
    responses: { 200: dataBody(StockTransfer) },
    async handler({ reader, params }) {
      return ok(await readOperation(reader, 'transfer', params.id));
    },
  }),
  listRoute({
    path: '/api/stock/assemblies',
    id: 'listStockAssemblies',
    summary: 'Assemblies, newest first',
    tag: 'Stock',
    access: StockOperation.access,
    list: { defaultSort: '', fields },
    row: StockAdjustmentHead,
    rows: () => ({ from: 'stock_operations', where: { kind: 'assembly' }, toJson }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/stock/assemblies',
    id: 'createStockAssembly',
    summary: 'Assemble an item of its parts',
    problems: ['period_closed', 'insufficient_stock', 'batch_expired'],
    description:
      'The parts leave, and what is made of them comes in at what they cost: the components of the item times the quantity, or those ' +
      'given.',
    tag: 'Stock',
    access: 'stock:create',
    body: AssemblyBody,
    responses: { 201: dataBody(StockAssembly) },
    async handler({ db, ctx, body }) {
      const made = await assembleGoods(db, ctx, body);
      return created(`/api/stock/assemblies/${made.id}`, made);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/stock/assemblies/:id',
    id: 'getStockAssembly',
    summary: 'One assembly',
    description: 'What was made, and of what.',
    tag: 'Stock',
    access: StockOperation.access,
    params: Id,
    responses: { 200: dataBody(StockAssembly) },
    async handler({ reader, params }) {
      return ok(await readOperation(reader, 'assembly', params.id));
    },
  }),
];

function toJson(row: JsonRow) {
  return headToJson(operationHead(fromRow(StockOperation, row)));
}
