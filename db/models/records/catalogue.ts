/** Models that supplement items and partners: categories, alternative units, addresses. */
import { flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Category extends versionedTable('categories', {
  code: optional(text()),
  name: text(),
  parentId: optional(uuid()),
  codePrefix: optional(text()),
  salesAccountId: optional(uuid()),
  purchaseAccountId: optional(uuid()),
  /** 0 at the top. */
  depth: integer(),
}) {
  static override entityType = 'Category';
  static override access = 'categories:read' as const;
}

export class ItemUnit extends versionedTable('item_units', {
  itemId: uuid(),
  uomId: uuid(),
  /** One of this unit is numerator ÷ denominator of the item's own. */
  factorNumerator: integer(),
  factorDenominator: integer(),
  barcode: optional(text()),
}) {
  static override entityType = 'ItemUnit';
  static override access = 'items:read' as const;
}

export class PartnerAddress extends versionedTable('partner_addresses', {
  partnerId: uuid(),
  name: text(),
  street: optional(text()),
  city: optional(text()),
  state: optional(text()),
  zipCode: optional(text()),
  countryCode: optional(text()),
  /** B billing, S shipping. */
  type: text<'B' | 'S'>(),
  isDefault: flag(),
}) {
  static override entityType = 'PartnerAddress';
  static override access = 'partners:read' as const;
}
