/** Price lists and their prices. */
import { TenantModel } from './base.ts';

export class PriceList extends TenantModel {
  static override tableName = 'price_lists';
  static override entityType = 'PriceList';
  declare code: string;
  declare name: string;
  /** ISO 4217 code of three letters. */
  declare currency: string;
  declare includesTax: boolean;
  declare validFrom: string | null;
  declare validTo: string | null;
  declare active: boolean;
}

export class Price extends TenantModel {
  static override tableName = 'prices';
  static override entityType = 'Price';
  static override decimals = ['price', 'discountPercent', 'minQuantity'];
  declare priceListId: string;
  declare itemId: string;
  /** Of the item's own unit; either this or `discountPercent` is null. */
  declare price: string | null;
  declare discountPercent: string | null;
  /** In the item's own unit. */
  declare minQuantity: string;
  declare validFrom: string | null;
  declare validTo: string | null;
}
