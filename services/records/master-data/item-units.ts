import type { Db } from '../../../db/database.ts';
import { ItemUnit } from '../../../db/models/records/catalogue.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { integer, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { checkBarcode } from './item-barcodes.ts';

export const itemUnits = declareResource({
  name: 'ItemUnit',
  plural: 'ItemUnits',
  path: '/api/items/:id/units',
  idParameter: 'unitId',
  parent: { member: 'itemId', table: 'items', phrase: 'This item' },
  tag: 'Items',
  model: ItemUnit,
  defaultSort: 'createdAt',
  problems: ['in_use'],
  fields: {
    itemId: { schema: uuid(), filled: true, write: 'never' },
    uomId: { schema: uuid(), required: true, reference: { table: 'uoms' } },
    factorNumerator: {
      schema: integer({ minimum: 1, description: "One of this unit is numerator ÷ denominator of the item's own" }),
      required: true,
    },
    factorDenominator: { schema: integer({ minimum: 1 }), default: 1 },
    barcode: { schema: label({ max: 100, description: 'Unique among items and units' }), searchable: true },
  },
  async onCreate({ trx, ctx }, values) {
    await checkUnit(trx, values.itemId, values.uomId);
    await checkBarcode(trx, ctx, values.barcode, null);
    return values;
  },
  async onPatch({ trx, ctx }, values, current) {
    await checkUnit(trx, current.itemId, values.uomId);
    await checkBarcode(trx, ctx, values.barcode, current.id);
    return values;
  },
});

/** Asserts that the unit is not the item's own, which needs no factor. */
async function checkUnit(trx: Db, itemId: unknown, uomId: unknown): Promise<void> {
  if (typeof uomId !== 'string') return;
  const own = await Item.query(trx)
    .select('id')
    .findOne({ id: String(itemId), uom_id: uomId });
  if (own !== undefined) throw invalidMember('/uomId', 'invalid_choice', "is the item's own unit");
}
