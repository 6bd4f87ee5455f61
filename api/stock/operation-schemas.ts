/** Counts and transfers as they are sent and answered. */
import { Type } from 'typebox';
import {
  amount,
  day,
  instant,
  integer,
  label,
  nullable,
  quantity,
  text,
  uuid,
} from '../../services/validation/schemas.ts';

const MAX_LINES = 1000;
const batchNum = () => label({ max: 100 });

const heading = {
  reason: Type.Optional(text({ max: 500, description: 'Why, for whoever looks at it later' })),
  date: Type.Optional(day({ description: "Today in the company's time zone when absent" })),
};

function linesOf<L extends Parameters<typeof Type.Object>[0]>(members: L) {
  const line = Type.Object(members, { additionalProperties: false });
  return Type.Array(line, { minItems: 1, maxItems: MAX_LINES });
}

export const AdjustmentBody = Type.Object(
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

export const TransferBody = Type.Object(
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
