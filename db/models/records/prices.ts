/** Price lists and their prices. */
import { day, exact, flag, optional, text, uuid } from '../columns.ts';
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
