/** Rules by which goods are ordered again. */
import { exact, flag, integer, optional, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class ReorderRule extends versionedTable('reorder_rules', {
  itemId: uuid(),
  /** Null = all together. */
  warehouseId: optional(uuid()),
  minimum: exact(),
  maximum: optional(exact()),
  supplierId: optional(uuid()),
  leadTimeDays: integer(),
  /** Ordered in multiples of this. */
  packQuantity: optional(exact()),
  active: flag(),
}) {
  static override entityType = 'ReorderRule';
  static override access = 'stock:read' as const;
}
