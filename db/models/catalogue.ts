/** What stands around items and partners: categories, alternative units, addresses. */
import { TenantModel } from './base.ts';

export class Category extends TenantModel {
  static override tableName = 'categories';
  static override entityType = 'Category';
  declare code: string | null;
  declare name: string;
  declare parentId: string | null;
  declare codePrefix: string | null;
  declare salesAccountId: string | null;
  declare purchaseAccountId: string | null;
  /** 0 at the top. */
  declare depth: number;
}

export class ItemUnit extends TenantModel {
  static override tableName = 'item_units';
  static override entityType = 'ItemUnit';
  declare itemId: string;
  declare uomId: string;
  /** One of this unit is numerator ÷ denominator of the item's own. */
  declare factorNumerator: number;
  declare factorDenominator: number;
  declare barcode: string | null;
}

export class PartnerAddress extends TenantModel {
  static override tableName = 'partner_addresses';
  static override entityType = 'PartnerAddress';
  declare partnerId: string;
  declare name: string;
  declare street: string | null;
  declare city: string | null;
  declare state: string | null;
  declare zipCode: string | null;
  declare countryCode: string | null;
  /** B billing, S shipping. */
  declare type: 'B' | 'S';
  declare isDefault: boolean;
}
