/** Schemas of counts and transfers: they validate and describe requests, and give services their input types. */
import { Type } from 'typebox';
import { amount, day, type Input, label, text, uuid } from '../../../platform/validation/schemas.ts';

const MAX_LINES = 1000;
const batchNum = () => label({ max: 100 });

const heading = {
  reason: Type.Optional(text({ max: 500, description: 'The reason, for later reference' })),
  date: Type.Optional(day({ description: "Defaults to today in the company's time zone" })),
};

function linesSchema<L extends Parameters<typeof Type.Object>[0]>(members: L) {
  const line = Type.Object(members, { additionalProperties: false });
  return Type.Array(line, { minItems: 1, maxItems: MAX_LINES });
}

export const AdjustmentBody = Type.Object(
  {
    warehouseId: uuid(),
    zoneId: Type.Optional(uuid({ description: 'Zone of the count, for lines without their own zone' })),
    ...heading,
    lines: linesSchema({
      itemId: uuid(),
      zoneId: Type.Optional(uuid()),
      batchNum: Type.Optional(batchNum()),
      expiryDate: Type.Optional(day({ description: 'Expiry date of a new batch' })),
      countedQuantity: amount({ minimum: 0, description: "Counted quantity, in the item's own unit" }),
      unitCost: Type.Optional(
        amount({
          minimum: 0,
          description:
            'What a unit of opening stock cost: what comes in is entered against the account for opening balances (300/555) instead of ' +
            'the stock variation',
        }),
      ),
    }),
  },
  { additionalProperties: false },
);

export type AdjustmentInput = Input<typeof AdjustmentBody>;
export type AdjustmentLineInput = AdjustmentInput['lines'][number];

export const AssemblyBody = Type.Object(
  {
    itemId: uuid({ description: 'The item that is made' }),
    quantity: amount({ minimum: 0.000001, description: "How much is made, in the item's own unit" }),
    warehouseId: uuid({ description: 'Where the parts lie, and what is made comes in' }),
    ...heading,
    components: Type.Optional(
      Type.Array(
        Type.Object(
          { itemId: uuid(), quantity: amount({ minimum: 0.000001, description: 'In all, in its own unit' }) },
          { additionalProperties: false },
        ),
        {
          minItems: 1,
          maxItems: MAX_LINES,
          description: 'The parts; by default the components of the item times the quantity',
        },
      ),
    ),
  },
  { additionalProperties: false },
);
export type AssemblyInput = Input<typeof AssemblyBody>;

export const TransferBody = Type.Object(
  {
    warehouseId: uuid({ description: 'Warehouse that the goods leave' }),
    zoneId: Type.Optional(uuid({ description: 'For all lines that name no zone' })),
    toWarehouseId: Type.Optional(uuid({ description: 'Warehouse that receives the goods; defaults to the same one' })),
    toZoneId: Type.Optional(uuid({ description: 'For all lines that name no zone' })),
    ...heading,
    lines: linesSchema({
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
export type TransferInput = Input<typeof TransferBody>;
