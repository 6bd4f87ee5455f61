/** Stock movements. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { DOC_TYPE_NAMES, DOC_TYPES } from '../../../domain/trade/documents/types.ts';
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
} from '../../../services/platform/validation/schemas.ts';
import { MOVEMENTS_SQL, movementToJson } from '../../../services/trade/stock/read-movements.ts';
import { listRoute } from '../../lists/list-route.ts';
import type { Route } from '../../route.ts';

const KINDS = ['adjustment', 'transfer', 'assembly', 'landed_cost'] as const;

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

export const StockMovement = Type.Object(
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
    quantity: quantity({ description: 'Negative if goods left; 0 if only values changed' }),
    balance: quantity({ description: 'Quantity on hand at that place afterwards' }),
    unitCost: nullable(
      amount({
        description:
          "By the item's costMethod; null in valuation movements. For goods that left, it changes when earlier movements are added, " +
          'when an invoice changes their cost, and, if they left before they came in, when they come in',
      }),
    ),
    value: nullable(amount({ description: "Change of the stock value, by the item's costMethod" })),
    revaluesId: nullable(
      uuid({
        description:
          'For a valuation movement (quantity 0): the receipt whose cost an invoice or a landed cost changed',
      }),
    ),
    docType: nullable(
      text({ description: 'Type of the document that moved the goods; null for adjustments and transfers' }),
    ),
    documentId: nullable(uuid()),
    operationType: nullable(choice(KINDS)),
    operationId: nullable(
      uuid({
        description: 'The adjustment or transfer that moved the goods, or the landed cost that changed their value',
      }),
    ),
    documentCode: nullable(text({ description: 'Code of the document, adjustment, transfer or landed cost' })),
    reason: nullable(text()),
    rounding: flag({
      description: "Whether it removes dust: a remainder of divided quantities below the unit's last decimal",
    }),
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
    // Counted in an index, since the compared columns are in the rows themselves.
    rows: () => ({
      from: `(${MOVEMENTS_SQL}) as movements`,
      count: 'select count(*) from stock_movements',
      toJson: movementToJson,
    }),
  }),
];
