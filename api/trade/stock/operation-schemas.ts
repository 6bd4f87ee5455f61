/** Schemas of counts and transfers. */
import { Type } from 'typebox';
import {
  amount,
  day,
  flag,
  instant,
  integer,
  nullable,
  quantity,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';

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
const unitCost = amount({ description: 'Unit cost at the time' });

export const StockAdjustmentHead = Type.Object(head, { title: 'StockAdjustmentHead' });

export const StockAdjustment = Type.Object(
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

export const StockTransferHead = Type.Object({ ...head, ...ends }, { title: 'StockTransferHead' });

export const StockTransfer = Type.Object(
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

export const StockAssembly = Type.Object(
  {
    ...head,
    lines: Type.Array(
      Type.Object({
        ...item,
        quantity: quantity(),
        produced: flag({ description: 'Whether it was made; otherwise it is a part' }),
        unitCost: nullable(unitCost),
      }),
    ),
  },
  { title: 'StockAssembly' },
);
