/** Stock as it is, and the movements that made it. */
import { Type } from 'typebox';
import type { Db } from '../../db/database.ts';
import { type ListDefinition, parseListQuery } from '../../db/queries/list.ts';
import { ServiceError } from '../../domain/errors.ts';
import { toNumber } from '../../domain/money.ts';
import { choice, day, instant, nullable, quantity, text, uuid } from '../../services/validation/schemas.ts';
import { type ListRows, listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

const TAG = 'Stock';
const GROUPINGS = ['item', 'item,warehouse'];

const levels: ListDefinition = {
  defaultSort: 'itemCode',
  key: 'row_key',
  fields: {
    itemId: { type: 'uuid' },
    itemCode: { type: 'text', searchable: true },
    itemName: { type: 'text', searchable: true },
    warehouseId: { type: 'uuid' },
    onHand: { type: 'number' },
    reserved: { type: 'number' },
    available: { type: 'number' },
    incoming: { type: 'number' },
  },
};

/** One row for each item and warehouse, or for each item. Conditions are pushed down into it by PostgreSQL. */
const LEVELS_SQL = `
  select l.item_id, i.code as item_code, i.name as item_name, l.warehouse_id, l.on_hand, l.reserved,
         l.on_hand - l.reserved as available, l.incoming, l.id as row_key
  from stock_levels l join items i on i.id = l.item_id`;

interface LevelRow {
  readonly item_id: string;
  readonly item_code: string;
  readonly item_name: string;
  readonly warehouse_id: string | null;
  readonly on_hand: string;
  readonly reserved: string;
  readonly available: string;
  readonly incoming: string;
}

const StockLevel = Type.Object(
  {
    itemId: uuid(),
    itemCode: text(),
    itemName: text(),
    warehouseId: nullable(uuid({ description: 'null when grouped by item' })),
    onHand: quantity(),
    reserved: quantity(),
    available: quantity(),
    incoming: quantity(),
  },
  { title: 'StockLevel' },
);

const movements: ListDefinition = {
  defaultSort: '',
  key: 'seq',
  fields: {
    date: { type: 'date' },
    itemId: { type: 'uuid' },
    warehouseId: { type: 'uuid' },
    quantity: { type: 'number' },
    balance: { type: 'number' },
    docType: { type: 'text' },
    documentId: { type: 'uuid' },
    createdAt: { type: 'instant' },
  },
};

interface MovementRow {
  readonly id: string;
  readonly date: string;
  readonly item_id: string;
  readonly warehouse_id: string;
  readonly quantity: string;
  readonly balance: string;
  readonly doc_type: string | null;
  readonly document_id: string | null;
  readonly created_at: string;
}

const StockMovement = Type.Object(
  {
    id: uuid(),
    date: day(),
    itemId: uuid(),
    warehouseId: uuid(),
    quantity: quantity(),
    balance: quantity(),
    docType: nullable(text()),
    documentId: nullable(uuid()),
    createdAt: instant(),
  },
  { title: 'StockMovement' },
);

export const routes: Route[] = [
  listRoute({
    path: '/api/stock',
    id: 'listStock',
    summary: 'Stock levels by item and warehouse',
    tag: TAG,
    access: 'stock:read',
    list: levels,
    parameters: { groupBy: choice(GROUPINGS, { description: 'Totals by item, or rows by item and warehouse' }) },
    row: StockLevel,
    rows: ({ db, query: { groupBy, ...parameters } }) => levelsOf(db, groupBy, parameters),
  }),
  listRoute({
    path: '/api/stock/movements',
    id: 'listStockMovements',
    summary: 'Stock movements, the newest first',
    tag: TAG,
    access: 'stock:read',
    list: movements,
    row: StockMovement,
    rows: ({ db }) => ({
      from: db('stock_movements'),
      present: (row: MovementRow) => ({
        id: row.id,
        date: row.date,
        itemId: row.item_id,
        warehouseId: row.warehouse_id,
        quantity: toNumber(row.quantity),
        balance: toNumber(row.balance),
        docType: row.doc_type,
        documentId: row.document_id,
        createdAt: row.created_at,
      }),
    }),
  }),
];

function levelsOf(
  db: Db,
  groupBy = 'item,warehouse',
  parameters: Readonly<Record<string, string>>,
): ListRows<LevelRow> {
  if (!GROUPINGS.includes(groupBy)) {
    throw new ServiceError('invalid_parameter', `groupBy must be one of ${GROUPINGS.join(' or ')}`);
  }
  return {
    from: groupBy === 'item' ? totals(db, parameters) : rowsOf(db, LEVELS_SQL),
    parameters,
    present: presentLevel,
  };
}

function presentLevel(row: LevelRow) {
  return {
    itemId: row.item_id,
    itemCode: row.item_code,
    itemName: row.item_name,
    warehouseId: row.warehouse_id,
    onHand: toNumber(row.on_hand),
    reserved: toNumber(row.reserved),
    available: toNumber(row.available),
    incoming: toNumber(row.incoming),
  };
}

function rowsOf(db: Db, sql: string) {
  return db.from(db.raw(`(${sql}) as levels`));
}

function totals(db: Db, parameters: Readonly<Record<string, string>>) {
  // A warehouse would be gone after the sums: what filters by it cannot be answered here.
  if (parseListQuery(levels, parameters).filters.some(({ field }) => field === 'warehouseId')) {
    throw new ServiceError('invalid_parameter', 'warehouseId cannot be combined with groupBy=item');
  }
  return rowsOf(
    db,
    `select item_id, item_code, item_name, null::uuid as warehouse_id, sum(on_hand) as on_hand, sum(reserved) as reserved,
            sum(available) as available, sum(incoming) as incoming, item_id as row_key
     from (${LEVELS_SQL}) as single group by item_id, item_code, item_name`,
  );
}
