import type { Db } from '../../../db/database.ts';
import { ItemBarcode, ItemUnit } from '../../../db/models/records/catalogue.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { checkDigit, isGtin } from '../../../domain/records/barcodes.ts';
import { choice, label, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { checkBarcode } from './item-barcodes.ts';

/** Further barcodes of items, besides the one of the item itself and those of its units. */
export const itemBarcodes = declareResource({
  name: 'ItemBarcode',
  plural: 'ItemBarcodes',
  path: '/api/items/:id/barcodes',
  idParameter: 'barcodeId',
  parent: { member: 'itemId', table: 'items', phrase: 'This item' },
  tag: 'Items',
  model: ItemBarcode,
  defaultSort: 'barcode',
  fields: {
    itemId: { schema: uuid(), filled: true, write: 'never' },
    barcode: {
      schema: label({ max: 100, description: 'Unique among all barcodes of items and units' }),
      required: true,
      searchable: true,
    },
    kind: {
      schema: choice(['gtin', 'other'], {
        description: 'gtin: 8, 12, 13 or 14 digits with a check digit, as EAN and UPC codes are; other: any text',
      }),
      default: 'gtin',
    },
    uomId: {
      schema: uuid({ description: "The unit that it is on, such as a box; the item's own by default" }),
      reference: { table: 'uoms' },
    },
  },
  async onCreate({ trx, ctx }, values) {
    checkKind(values);
    await checkUnit(trx, values.itemId, values.uomId);
    await checkBarcode(trx, ctx, values.barcode, null);
    return values;
  },
  async onPatch({ trx, ctx }, values, current) {
    checkKind({ ...current, ...values });
    await checkUnit(trx, current.itemId, values.uomId);
    await checkBarcode(trx, ctx, values.barcode, current.id);
    return values;
  },
});

function checkKind({ kind, barcode }: Readonly<Record<string, unknown>>): void {
  if (kind !== 'gtin' || typeof barcode !== 'string' || isGtin(barcode)) return;
  const digits = /^[0-9]{8}$|^[0-9]{12,14}$/.test(barcode);
  const message = digits
    ? `must end in its check digit, ${checkDigit(barcode.slice(0, -1))}; a code without one has the kind other`
    : 'must have 8, 12, 13 or 14 digits; another code has the kind other';
  throw invalidMember('/barcode', 'invalid', message);
}

/** Asserts that the unit is one of the item's. */
async function checkUnit(trx: Db, itemId: unknown, uomId: unknown): Promise<void> {
  if (typeof uomId !== 'string') return;
  const [own, alternative] = await Promise.all([
    Item.query(trx)
      .select('id')
      .findOne({ id: String(itemId), uom_id: uomId }),
    ItemUnit.query(trx)
      .select('id')
      .findOne({ item_id: String(itemId), uom_id: uomId }),
  ]);
  if (own === undefined && alternative === undefined)
    throw invalidMember('/uomId', 'invalid_choice', 'is not a unit of this item');
}
