import { ItemUnit } from '../../../db/models/records/catalogue.ts';
import { Item } from '../../../db/models/records/master-data.ts';
import { removeRowsWhere } from '../../../db/write.ts';
import { COST_METHODS } from '../../../domain/trade/stock/cost-methods.ts';
import { amount, choice, flag, integer, label, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { declareResource } from '../resources/declaration.ts';
import { defaultDimensions } from './default-dimensions.ts';
import { prepareChangedItem, prepareNewItem } from './prepare-item.ts';

/** SQL condition: the total stock in all warehouses is below the minimum of the item. */
const BELOW_MINIMUM = `(min_stock > 0 and active
  and coalesce((select sum(l.on_hand) from stock_levels l where l.item_id = items.id), 0) < min_stock) = ?::boolean`;

/** SQL condition: one of the barcodes of the item or its units is this. */
const SCANNED = `items.id = any(array(select found.id from (select ?::text as code) scanned cross join lateral (
  select i.id from items i where i.barcode = scanned.code
  union all select u.item_id from item_units u where u.barcode = scanned.code
  union all select b.item_id from item_barcodes b where b.barcode = scanned.code) found))`;

export const items = declareResource({
  name: 'Item',
  plural: 'Items',
  path: '/api/items',
  tag: 'Items',
  model: Item,
  customFields: 'Item',
  watched: 'item',
  defaultSort: 'code',
  problems: ['in_use'],
  filters: {
    scan: { type: 'text', condition: SCANNED, sortable: false },
    belowMinimum: { type: 'boolean', condition: BELOW_MINIMUM, sortable: false },
  },
  fields: {
    code: {
      schema: label({ max: 50, description: 'Assigned by the service when absent' }),
      filled: true,
      searchable: true,
    },
    sku: { schema: label({ max: 100, description: 'Unique' }), searchable: true },
    name: { schema: label({ max: 500 }), required: true, searchable: true },
    description: { schema: text({ min: 0, max: 10_000 }) },
    barcode: { schema: label({ max: 100 }), searchable: true },
    type: { schema: choice(['product', 'service']), default: 'product' },
    categoryId: { schema: uuid(), reference: { table: 'categories' } },
    uomId: { schema: uuid(), required: true, reference: { table: 'uoms' } },
    salePrice: { schema: amount({ minimum: 0 }), default: 0 },
    purchasePrice: { schema: amount({ minimum: 0 }), default: 0 },
    salesTaxGroupId: {
      schema: uuid({ description: 'Defaults to the general rate' }),
      reference: { table: 'taxes' },
    },
    purchaseTaxGroupId: {
      schema: uuid({ description: 'Defaults to the general rate' }),
      reference: { table: 'taxes' },
    },
    stockTracked: { schema: flag({ description: 'Defaults to true for products, false for services' }), filled: true },
    batchTracked: { schema: flag({ description: 'Stock is tracked by batch' }), default: false },
    serialTracked: {
      schema: flag({ description: 'Each piece has a serial number, a batch of one; then batchTracked is true' }),
      default: false,
    },
    kit: {
      schema: flag({
        description:
          'Sold as its components (/api/items/{id}/components), which are reserved and moved; it has no stock itself',
      }),
      default: false,
    },
    warrantyMonths: {
      schema: integer({ minimum: 1, maximum: 600, description: 'Months of warranty from the sale on' }),
    },
    weight: { schema: amount({ exclusiveMinimum: 0, description: 'Of one unit, in kilograms' }) },
    volume: { schema: amount({ exclusiveMinimum: 0, description: 'Of one unit, in cubic metres' }) },
    minStock: { schema: quantity({ minimum: 0 }), default: 0 },
    costMethod: {
      schema: choice(COST_METHODS, {
        description: "Defaults to the category's, or that of one above, then to average",
      }),
      filled: true,
      restored: 'average',
    },
    salesAccountId: { schema: uuid(), reference: { table: 'accounts', mustBeActive: true } },
    purchaseAccountId: { schema: uuid(), reference: { table: 'accounts', mustBeActive: true } },
    ...defaultDimensions('document lines with it that the document gives none'),
    active: { schema: flag(), default: true },
  },
  onCreate: ({ trx, ctx }, values) => prepareNewItem(trx, ctx, values),
  onPatch: ({ trx, ctx }, values, current) => prepareChangedItem(trx, ctx, values, current),
  onDelete: ({ trx, ctx }, { id }) => removeRowsWhere(trx, ctx, ItemUnit, { item_id: id }),
});
