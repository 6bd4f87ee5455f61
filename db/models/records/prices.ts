/** Price lists and their prices, price rules and promotions. */

import type { PriceBasis } from '../../../domain/records/prices/offers.ts';
import type { DocumentSide } from '../../../domain/trade/documents/types.ts';
import { day, exact, flag, integer, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class PriceList extends versionedTable('price_lists', {
  code: text(),
  name: text(),
  /** ISO 4217 code of three letters. */
  currency: text(),
  includesTax: flag(),
  validFrom: optional(day()),
  validTo: optional(day()),
  active: flag(),
}) {
  static override entityType = 'PriceList';
  static override access = 'pricelists:read' as const;
}

export class Price extends versionedTable('prices', {
  priceListId: uuid(),
  itemId: uuid(),
  /** Price per unit of the item; either this or `discountPercent` is null. */
  price: optional(exact()),
  discountPercent: optional(exact()),
  /** In the item's own unit. */
  minQuantity: exact(),
  validFrom: optional(day()),
  validTo: optional(day()),
}) {
  static override entityType = 'Price';
  static override access = 'pricelists:read' as const;
}

/** Price rules that apply together, for a time. */
export class Promotion extends versionedTable('promotions', {
  code: text(),
  name: text(),
  validFrom: day(),
  validTo: day(),
  active: flag(),
}) {
  static override entityType = 'Promotion';
  static override access = 'pricelists:read' as const;
}

/** Sets the price or discount of some items for some partners. It has item or category, and partner, group or list, or neither. */
export class PriceRule extends versionedTable('price_rules', {
  name: text(),
  side: text<DocumentSide>(),
  /** Rules with a greater one go first. */
  priority: integer(),
  itemId: optional(uuid()),
  categoryId: optional(uuid()),
  partnerId: optional(uuid()),
  partnerGroupId: optional(uuid()),
  priceListId: optional(uuid()),
  promotionId: optional(uuid()),
  /** In the item's own unit. */
  minQuantity: exact(),
  validFrom: optional(day()),
  validTo: optional(day()),
  basis: text<PriceBasis>(),
  /** Per unit of the item; for the basis `fixed`. */
  price: optional(exact()),
  includesTax: flag(),
  /** For the basis `price_list`. */
  basisPriceListId: optional(uuid()),
  adjustmentPercent: exact(),
  adjustmentAmount: exact(),
  /** The price is rounded to multiples of this. */
  rounding: optional(exact()),
  discountPercent: exact(),
  /** Whether its discount is deducted from what others leave. */
  combines: flag(),
  active: flag(),
}) {
  static override entityType = 'PriceRule';
  static override access = 'pricelists:read' as const;
}
