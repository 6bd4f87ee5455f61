/** Master data of one tenant. The members are the REST names; migrations hold the columns. */
import type { CustomValues } from '../../domain/custom-fields.ts';
import { TenantModel } from './base.ts';

export class Uom extends TenantModel {
  static override tableName = 'uoms';
  static override entityType = 'UnitOfMeasure';
  declare code: string;
  declare name: string;
  declare decimals: number;
}

export class Tax extends TenantModel {
  static override tableName = 'taxes';
  static override entityType = 'TaxGroup';
  static override decimals = ['rate', 'surchargeRate'];
  declare code: string;
  declare name: string;
  declare rate: string;
  declare surchargeRate: string;
  declare kind: 'vat' | 'exempt' | 'reverse_charge' | 'not_subject';
  declare outputAccountId: string | null;
  declare inputAccountId: string | null;
  declare surchargeAccountId: string | null;
  declare intraEuOutputAccountId: string | null;
  declare intraEuInputAccountId: string | null;
  declare validFrom: string | null;
  declare validTo: string | null;
}

export class Period extends TenantModel {
  static override tableName = 'periods';
  static override entityType = 'AccountingPeriod';
  declare code: string;
  declare name: string | null;
  declare from: string;
  declare to: string;
  declare status: 'O' | 'C';
}

export class Series extends TenantModel {
  static override tableName = 'series';
  static override entityType = 'DocumentSeries';
  declare docType: string;
  declare name: string | null;
  declare rectifying: boolean;
  declare prefix: string;
  declare suffix: string;
  declare firstNumber: number;
  declare nextNumber: number;
  declare padding: number;
  declare isDefault: boolean;
  declare year: number | null;
}

export class Warehouse extends TenantModel {
  static override tableName = 'warehouses';
  static override entityType = 'Warehouse';
  declare code: string;
  declare name: string;
  declare location: string | null;
  declare isDefault: boolean;
  declare active: boolean;
  declare custom: CustomValues;
}

/** An account of the company itself at a bank. */
export class BankAccount extends TenantModel {
  static override tableName = 'bank_accounts';
  static override entityType = 'BankAccount';
  static override naming = 'snake_case' as const;
  declare name: string;
  declare iban: string;
  declare bankName: string | null;
  declare bic: string | null;
  /** Of the ledger; the company's own for banks when null. */
  declare accountId: string | null;
  declare isDefault: boolean;
}

export class Zone extends TenantModel {
  static override tableName = 'zones';
  static override entityType = 'Zone';
  declare warehouseId: string;
  declare code: string;
  declare name: string | null;
  declare type: string | null;
  declare active: boolean;
}

export class Account extends TenantModel {
  static override tableName = 'accounts';
  static override entityType = 'Account';
  declare code: string;
  declare name: string;
  declare type: 'asset' | 'liability' | 'equity' | 'income' | 'expense';
  declare parentId: string | null;
  declare isHeading: boolean;
  declare active: boolean;
}

export class Project extends TenantModel {
  static override tableName = 'projects';
  static override entityType = 'Project';
  static override decimals = ['budget'];
  declare code: string;
  declare name: string;
  declare active: boolean;
  declare partnerId: string | null;
  declare budget: string | null;
}

export class CostCenter extends TenantModel {
  static override tableName = 'cost_centers';
  static override entityType = 'CostCenter';
  declare code: string;
  declare name: string;
  declare active: boolean;
}

export class PartnerGroup extends TenantModel {
  static override tableName = 'partner_groups';
  static override entityType = 'PartnerGroup';
  declare code: string;
  declare name: string;
  declare codePrefix: string;
  declare isCustomer: boolean;
  declare isVendor: boolean;
  declare receivableAccountId: string | null;
  declare payableAccountId: string | null;
}

export class Partner extends TenantModel {
  static override tableName = 'partners';
  static override entityType = 'BusinessPartner';
  static override decimals = ['withholdingRate', 'creditLimit'];
  declare code: string;
  declare name: string;
  declare nif: string | null;
  declare foreignName: string | null;
  declare phone: string | null;
  declare email: string | null;
  declare website: string | null;
  declare groupId: string;
  declare priceListId: string | null;
  declare countryCode: string;
  declare paymentTermDays: number;
  declare paymentMethod: string | null;
  declare iban: string | null;
  declare vatRegime: string;
  declare withholdingRate: string;
  declare creditLimit: string | null;
  declare language: string | null;
  declare active: boolean;
  declare custom: CustomValues;
}

export class Item extends TenantModel {
  static override tableName = 'items';
  static override entityType = 'Item';
  static override decimals = ['salePrice', 'purchasePrice', 'minStock'];
  declare code: string;
  declare sku: string | null;
  declare name: string;
  declare description: string | null;
  declare barcode: string | null;
  declare type: 'product' | 'service';
  declare categoryId: string | null;
  declare uomId: string;
  declare salePrice: string;
  declare purchasePrice: string;
  declare salesTaxGroupId: string | null;
  declare purchaseTaxGroupId: string | null;
  declare stockTracked: boolean;
  declare batchTracked: boolean;
  declare minStock: string;
  declare costMethod: 'average' | 'fifo';
  declare salesAccountId: string | null;
  declare purchaseAccountId: string | null;
  declare active: boolean;
  declare custom: CustomValues;
}
