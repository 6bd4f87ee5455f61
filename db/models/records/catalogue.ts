/** Models that supplement items and partners: categories, alternative units, addresses. */
import type { CostMethod } from '../../../domain/trade/stock/cost-methods.ts';
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Category extends versionedTable('categories', {
  code: optional(text()),
  name: text(),
  parentId: optional(uuid()),
  codePrefix: optional(text()),
  salesAccountId: optional(uuid()),
  purchaseAccountId: optional(uuid()),
  /** The default of new items; null for that of the category above. */
  costMethod: optional(text<CostMethod>()),
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

export class ItemBarcode extends versionedTable('item_barcodes', {
  itemId: uuid(),
  barcode: text(),
  /** gtin: with a check digit. */
  kind: text<'gtin' | 'other'>(),
  /** The unit that it is on; null for the item's own. */
  uomId: optional(uuid()),
}) {
  static override entityType = 'ItemBarcode';
  static override access = 'items:read' as const;
}

/** A planned cost of an item, from a day on. */
export class StandardCost extends versionedTable('standard_costs', {
  itemId: uuid(),
  date: day(),
  /** The cost of one in its own unit. */
  cost: exact(),
}) {
  static override entityType = 'StandardCost';
  static override access = 'standard_costs:read' as const;
}

/** A part of an item that is assembled. */
export class ItemComponent extends versionedTable('item_components', {
  itemId: uuid(),
  componentId: uuid(),
  /** In one of the item; both in their own units. */
  quantity: exact(),
}) {
  static override entityType = 'ItemComponent';
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

/** A property that the company rents, which model 180 names. */
export class RentedProperty extends versionedTable('rented_properties', {
  /** The landlord. */
  partnerId: uuid(),
  name: text(),
  /** That of its rents. */
  costCenterId: optional(uuid()),
  cadastralReference: optional(text()),
  /** By the codes of the INE. */
  streetType: text(),
  street: text(),
  number: optional(integer()),
  stairs: optional(text()),
  floor: optional(text()),
  door: optional(text()),
  details: optional(text()),
  municipality: text(),
  /** By the INE. */
  municipalityCode: optional(text()),
  zipCode: text(),
}) {
  static override entityType = 'RentedProperty';
  static override access = 'journal_entries:read' as const;
}
