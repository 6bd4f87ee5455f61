import { ReorderRule } from '../../../db/models/trade/replenishment.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import { amount, flag, integer, quantity, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import type { Row } from '../resources/field.ts';
import { assertStocked } from './item-stock.ts';

/** When items are ordered again, how much and from whom: `GET /api/reorder` proposes, `POST` orders. */
export const reorderRules = declareResource({
  name: 'ReorderRule',
  plural: 'ReorderRules',
  path: '/api/reorder-rules',
  tag: 'Stock',
  model: ReorderRule,
  defaultSort: 'createdAt',
  naturalKey: ['itemId', 'warehouseId'],
  fields: {
    itemId: { schema: uuid(), required: true, write: 'create', reference: { table: 'items' } },
    warehouseId: {
      schema: uuid({ description: 'Only the stock of this warehouse; by default that of all together' }),
      write: 'create',
      reference: { table: 'warehouses' },
    },
    minimum: {
      schema: quantity({
        minimum: 0,
        description: 'Goods are ordered when less is expected: on hand, less reserved, plus ordered',
      }),
      required: true,
    },
    maximum: { schema: quantity({ minimum: 0, description: 'Ordered up to this; the minimum by default' }) },
    supplierId: {
      schema: uuid({ description: 'Whom to order from' }),
      reference: { table: 'partners', mustBeActive: true },
    },
    leadTimeDays: {
      schema: integer({ minimum: 0, maximum: 3650, description: 'Days until the goods come' }),
      default: 0,
    },
    packQuantity: {
      schema: amount({ minimum: 0.000001, description: "Ordered in multiples of this, in the item's own unit" }),
    },
    active: { schema: flag(), default: true },
  },
  async onCreate({ trx }, values) {
    await assertStocked(trx, values.itemId);
    return checkMaximum(values, values);
  },
  onPatch: async (_, values, current) => checkMaximum({ ...current, ...values }, values),
});

function checkMaximum({ minimum, maximum }: Row, values: Row): Row {
  if (
    maximum === null ||
    maximum === undefined ||
    !decimal(String(maximum) as `${number}`).lt(String(minimum) as `${number}`)
  )
    return values;
  throw invalidMember('/maximum', 'out_of_range', 'must not be less than the minimum');
}
