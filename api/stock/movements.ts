/** Stock movements. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../db/queries/list.ts';
import { byMethod, WORTH } from '../../db/queries/stock-values.ts';
import { DOC_TYPE_NAMES, DOC_TYPES } from '../../domain/documents/types.ts';
import { type Decimal, toNumber } from '../../domain/money.ts';
import {
  amount,
  choice,
  day,
  flag,
  instant,
  nullable,
  quantity,
  text,
  uuid,
} from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

const KINDS = ['adjustment', 'transfer'] as const;

const list: ListDefinition = {
  defaultSort: '',
  key: 'seq',
  fields: {
    date: { type: 'date' },
    itemId: { type: 'uuid' },
    itemCode: { type: 'text', searchable: true },
    itemName: { type: 'text', searchable: true },
    warehouseId: { type: 'uuid' },
    zoneId: { type: 'uuid' },
    batchId: { type: 'uuid' },
    batchNum: { type: 'text', searchable: true },
    quantity: { type: 'number' },
    balance: { type: 'number' },
    unitCost: { type: 'number' },
    value: { type: 'number' },
    revaluesId: { type: 'uuid' },
    docType: { type: 'choice', choices: [...DOC_TYPES, ...Object.keys(DOC_TYPE_NAMES)], synonyms: DOC_TYPE_NAMES },
    documentId: { type: 'uuid' },
    operationType: { type: 'choice', choices: KINDS },
    operationId: { type: 'uuid' },
    documentCode: { type: 'text', searchable: true },
    reason: { type: 'text', searchable: true },
    rounding: { type: 'boolean' },
    createdAt: { type: 'instant' },
  },
};

/** Movements with their costs, by the item's costing method, and their causes. Left joins, which PostgreSQL omits to count. */
const MOVEMENTS_SQL = `
  select m.id, m.seq, m.date, m.item_id, i.code as item_code, i.name as item_name, m.warehouse_id, m.zone_id, m.batch_id, b.batch_num,
    m.quantity,
    m.balance, round(case when m.quantity < 0 then ${WORTH} / m.quantity
      when m.quantity > 0 then ${byMethod('fifo_unit_cost', 'unit_cost')} end, 6) as unit_cost,
    ${byMethod('fifo_change', 'average_change')} as value, v.adjusts_id as revalues_id, m.doc_type, m.document_id,
    o.kind as operation_type, m.operation_id, coalesce(d.code, o.code) as document_code, coalesce(o.reason, d.reason) as reason,
    m.rounding, m.created_at
  from stock_movements m left join items i on i.id = m.item_id
  left join stock_layers v on v.id = m.id left join batches b on b.id = m.batch_id
  left join documents d on d.id = m.document_id left join stock_operations o on o.id = m.operation_id`;

interface MovementRow {
  readonly id: string;
  readonly date: string;
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly warehouse_id: string;
  readonly zone_id: string | null;
  readonly batch_id: string | null;
  readonly batch_num: string | null;
  readonly quantity: Decimal;
  readonly balance: Decimal;
  readonly unit_cost: Decimal | null;
  readonly value: Decimal | null;
  readonly revalues_id: string | null;
  readonly doc_type: string | null;
  readonly document_id: string | null;
  readonly operation_type: string | null;
  readonly operation_id: string | null;
  readonly document_code: string | null;
  readonly reason: string | null;
  readonly rounding: boolean;
  readonly created_at: string;
}

const StockMovement = Type.Object(
  {
    id: uuid(),
    date: day(),
    itemId: uuid(),
    itemCode: text(),
    itemName: text(),
    warehouseId: uuid(),
    zoneId: nullable(uuid()),
    batchId: nullable(uuid()),
    batchNum: nullable(text()),
    quantity: quantity({ description: 'Negative: goods left; 0: only values changed' }),
    balance: quantity({ description: 'On hand at that place afterwards' }),
    unitCost: nullable(
      amount({
        description:
          "By the item's costMethod; null in valuation movements. Of goods that left it changes when earlier movements are added, " +
          'when an invoice changes what they had cost, and, if they left before they came, when they come',
      }),
    ),
    value: nullable(amount({ description: "By how much it changed the value of the stock, by the item's costMethod" })),
    revaluesId: nullable(
      uuid({ description: 'Of a valuation movement (quantity 0): the receipt whose cost an invoice changed' }),
    ),
    docType: nullable(
      text({ description: 'Of the document that moved the goods; null for adjustments and transfers' }),
    ),
    documentId: nullable(uuid()),
    operationType: nullable(choice(KINDS)),
    operationId: nullable(uuid({ description: 'The adjustment or transfer that moved the goods' })),
    documentCode: nullable(text({ description: 'Of the document, adjustment or transfer' })),
    reason: nullable(text()),
    rounding: flag({ description: "Removes dust: what divided quantities leave, less than the unit's last decimal" }),
    createdAt: instant(),
  },
  { title: 'StockMovement' },
);

export const routes: Route[] = [
  listRoute({
    path: '/api/stock/movements',
    id: 'listStockMovements',
    summary: 'Stock movements, newest first',
    tag: 'Stock',
    access: 'stock:read',
    list,
    row: StockMovement,
    // Counted in an index: what a join would compare is in the rows.
    rows: () => ({ from: `(${MOVEMENTS_SQL}) as movements`, count: 'select count(*) from stock_movements', toJson }),
  }),
];

function toJson(row: MovementRow) {
  return {
    id: row.id,
    date: row.date,
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    warehouseId: row.warehouse_id,
    zoneId: row.zone_id,
    batchId: row.batch_id,
    batchNum: row.batch_num,
    quantity: toNumber(row.quantity),
    balance: toNumber(row.balance),
    unitCost: row.unit_cost === null ? null : toNumber(row.unit_cost),
    value: row.value === null ? null : toNumber(row.value),
    revaluesId: row.revalues_id,
    docType: row.doc_type,
    documentId: row.document_id,
    operationType: row.operation_type,
    operationId: row.operation_id,
    documentCode: row.document_code,
    reason: row.reason,
    rounding: row.rounding,
    createdAt: row.created_at,
  };
}
