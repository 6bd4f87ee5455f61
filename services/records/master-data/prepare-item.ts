/** Completes and checks an item before it is written. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Category, ItemUnit } from '../../../db/models/records/catalogue.ts';
import { StockMovement } from '../../../db/models/trade/stock.ts';
import { inherited } from '../../../db/queries/categories.ts';
import { nextCode } from '../../../db/queries/counters.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { generalTax } from '../taxes/defaults.ts';
import { checkBarcode } from './item-barcodes.ts';

type Row = Record<string, unknown>;

const CODE = { prefix: 'ART', digits: 5 };
/** Members that cannot be changed after movements, whose meaning depends on them. */
const FIXED_BY_STOCK = ['uomId', 'stockTracked', 'batchTracked', 'serialTracked'] as const;

/**
 * Fills in the code, the taxes (the general rate) and `stockTracked` (true for products, false for services and kits).
 * @throws ServiceError validation_failed for a service with stock
 */
export async function prepareNewItem(trx: Db, ctx: Context, values: Row): Promise<Row> {
  const stockTracked = values.stockTracked ?? (values.type === 'product' && values.kit !== true);
  const batchTracked = values.batchTracked === true || values.serialTracked === true;
  checkKind({ ...values, stockTracked, batchTracked });
  await checkBarcode(trx, ctx, values.barcode, null);
  const taxId = values.salesTaxGroupId && values.purchaseTaxGroupId ? null : await generalTax(trx, ctx);
  return {
    ...values,
    stockTracked,
    batchTracked,
    costMethod: values.costMethod ?? (await categoryMethod(trx, values.categoryId)) ?? 'average',
    salesTaxGroupId: values.salesTaxGroupId ?? taxId,
    purchaseTaxGroupId: values.purchaseTaxGroupId ?? taxId,
    code: values.code ?? (await nextCode(trx, ctx.tenantId, 'items', await codeForm(trx, values.categoryId))),
  };
}

/** Checks a change of an item. @throws ServiceError validation_failed; in_use if past movements would change their meaning */
export async function prepareChangedItem(
  trx: Db,
  ctx: Context,
  values: Row,
  current: {
    id: string;
    type: string;
    uomId: string;
    stockTracked: boolean;
    batchTracked: boolean;
    serialTracked: boolean;
  },
): Promise<Row> {
  const begins = values.serialTracked === true && values.batchTracked === undefined;
  const next = begins ? { ...values, batchTracked: true } : values;
  checkKind({ ...current, ...next });
  await checkBarcode(trx, ctx, values.barcode, current.id);
  if (values.uomId !== undefined) await checkOwnUnit(trx, current.id, values.uomId);
  const fixed = FIXED_BY_STOCK.find((member) => values[member] !== undefined && values[member] !== current[member]);
  if (fixed !== undefined) {
    const moved = await StockMovement.query(trx).select('id').findOne({ item_id: current.id });
    if (moved !== undefined) {
      throw new ServiceError('in_use', `${fixed} cannot be changed because stock of the item has moved`);
    }
  }
  if (current.stockTracked && next.stockTracked === false) await checkUnused(trx, current.id);
  return next;
}

/** Asserts that an item that loses its stock is in no list of parts, and no rule orders it. @throws ServiceError in_use */
async function checkUnused(trx: Db, id: string): Promise<void> {
  const [used] = await query<{ parent: string | null }>(
    trx,
    `select i.code as parent from item_components c join items i on i.id = c.item_id where c.component_id = :id::uuid
     union all select null from reorder_rules where item_id = :id::uuid limit 1`,
    { id },
  );
  if (used === undefined) return;
  const message =
    used.parent === null
      ? 'stockTracked cannot be changed because the item is ordered by a reorder rule'
      : `stockTracked cannot be changed because the item is a component of ${used.parent}`;
  throw new ServiceError('in_use', message);
}

/** The costing method of the category, or of the nearest one above that has one. */
async function categoryMethod(trx: Db, categoryId: unknown): Promise<string | null> {
  if (typeof categoryId !== 'string') return null;
  const sql = `select ${inherited(':categoryId::uuid', 'c.cost_method')} as method`;
  const [found] = await query<{ method: string | null }>(trx, sql, { categoryId });
  return found?.method ?? null;
}

/** Form of the item's code, which starts with the prefix of its category, if any. */
async function codeForm(trx: Db, categoryId: unknown): Promise<typeof CODE> {
  if (typeof categoryId !== 'string') return CODE;
  const category = await Category.query(trx).findById(categoryId);
  return { ...CODE, prefix: category?.codePrefix ?? CODE.prefix };
}

/** Asserts that the unit is not also an alternative unit of the item. @throws ServiceError validation_failed */
async function checkOwnUnit(trx: Db, itemId: string, uomId: unknown): Promise<void> {
  const alternative = await ItemUnit.query(trx)
    .select('id')
    .findOne({ item_id: itemId, uom_id: String(uomId) });
  if (alternative !== undefined)
    throw invalidMember('/uomId', 'invalid_choice', 'is already an alternative unit of the item');
}

function checkKind({ type, stockTracked, batchTracked, serialTracked, kit }: Row): void {
  if (kit === true && stockTracked === true) {
    throw invalidMember('/stockTracked', 'invalid_choice', 'must be false for a kit: its components have stock');
  }
  if (serialTracked === true && stockTracked !== true) {
    throw invalidMember('/serialTracked', 'invalid_choice', 'must be false for an item without stock');
  }
  if (serialTracked === true && batchTracked !== true) {
    throw invalidMember('/batchTracked', 'invalid_choice', 'must be true for an item with serial numbers');
  }
  if (type === 'service' && stockTracked === true) {
    throw invalidMember('/stockTracked', 'invalid_choice', 'must be false for a service');
  }
}
