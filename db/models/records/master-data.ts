/** Master data of one tenant. Members have the names of the API; migrations define the columns. */

import type { ColumnMapping } from '../../../domain/bank/statements/table-header.ts';
import type { Requirement } from '../../../domain/ledger/accounting/dimensions.ts';
import type { PeriodStatus } from '../../../domain/ledger/accounting/periods.ts';
import type { AreaLock } from '../../../domain/ledger/periods/areas.ts';
import type { Subkey } from '../../../domain/ledger/tax-returns/withheld.ts';
import type { CustomValues } from '../../../domain/records/custom-fields.ts';
import type { ExemptionReason } from '../../../domain/trade/documents/exemptions.ts';
import type { RateKind } from '../../../domain/trade/documents/union-scheme.ts';
import type { TermLine } from '../../../domain/trade/payments/terms.ts';
import type { CostMethod } from '../../../domain/trade/stock/cost-methods.ts';
import { day, exact, flag, integer, json, list, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Uom extends versionedTable('uoms', {
  code: text(),
  name: text(),
  decimals: integer(),
}) {
  static override entityType = 'UnitOfMeasure';
  static override access = 'uom:read' as const;
}

export class Tax extends versionedTable('taxes', {
  code: text(),
  name: text(),
  rate: exact(),
  surchargeRate: exact(),
  kind: text<'vat' | 'exempt' | 'reverse_charge' | 'not_subject'>(),
  exemptionReason: optional(text<ExemptionReason>()),
  exemptionArticle: optional(text()),
  consumptionCountry: optional(text()),
  rateKind: optional(text<RateKind>()),
  outputAccountId: optional(uuid()),
  inputAccountId: optional(uuid()),
  surchargeAccountId: optional(uuid()),
  intraEuOutputAccountId: optional(uuid()),
  intraEuInputAccountId: optional(uuid()),
  validFrom: optional(day()),
  validTo: optional(day()),
}) {
  static override entityType = 'TaxGroup';
  static override access = 'taxes:read' as const;
}

export class Period extends versionedTable('periods', {
  code: text(),
  name: optional(text()),
  from: day(),
  to: day(),
  status: text<PeriodStatus>(),
  lockedAreas: list<AreaLock[]>(),
}) {
  static override entityType = 'AccountingPeriod';
  static override access = 'periods:read' as const;
}

export class Series extends versionedTable('series', {
  docType: text(),
  name: optional(text()),
  rectifying: flag(),
  prefix: text(),
  suffix: text(),
  firstNumber: integer(),
  nextNumber: integer(),
  padding: integer(),
  isDefault: flag(),
  year: optional(integer()),
}) {
  static override entityType = 'DocumentSeries';
  static override access = 'series:read' as const;
}

export class Warehouse extends versionedTable('warehouses', {
  code: text(),
  name: text(),
  location: optional(text()),
  isDefault: flag(),
  active: flag(),
  custom: json<CustomValues>(),
}) {
  static override entityType = 'Warehouse';
  static override access = 'warehouses:read' as const;
}

/** One of the company's own bank accounts. */
export class BankAccount extends versionedTable('bank_accounts', {
  name: text(),
  iban: text(),
  bankName: optional(text()),
  bic: optional(text()),
  /** Ledger account; when null, the company's default account for banks. */
  accountId: optional(uuid()),
  /** Dimensions of what names no other. */
  defaultCostCenterId: optional(uuid()),
  defaultProjectId: optional(uuid()),
  isDefault: flag(),
  /** Null for the company's. */
  currency: optional(text()),
  /** Meaning of the columns in the bank's statement files, as a user mapped them. */
  statementColumns: optional(json<ColumnMapping>()),
}) {
  static override entityType = 'BankAccount';
  static override access = 'bank_accounts:read' as const;
  static override naming = 'snake_case' as const;
}

export class Zone extends versionedTable('zones', {
  warehouseId: uuid(),
  code: text(),
  name: optional(text()),
  type: optional(text()),
  active: flag(),
}) {
  static override entityType = 'Zone';
  static override access = 'zones:read' as const;
}

export class Account extends versionedTable('accounts', {
  code: text(),
  name: text(),
  type: text<'asset' | 'liability' | 'equity' | 'income' | 'expense'>(),
  parentId: optional(uuid()),
  isHeading: flag(),
  active: flag(),
  requires: text<Requirement>(),
}) {
  static override entityType = 'Account';
  static override access = 'accounts:read' as const;
}

export class Project extends versionedTable('projects', {
  code: text(),
  name: text(),
  active: flag(),
  partnerId: optional(uuid()),
  budget: optional(exact()),
}) {
  static override entityType = 'Project';
  static override access = 'projects:read' as const;
}

export class CostCenter extends versionedTable('cost_centers', {
  code: text(),
  name: text(),
  active: flag(),
}) {
  static override entityType = 'CostCenter';
  static override access = 'projects:read' as const;
}

export class PartnerGroup extends versionedTable('partner_groups', {
  code: text(),
  name: text(),
  codePrefix: text(),
  isCustomer: flag(),
  isVendor: flag(),
  receivableAccountId: optional(uuid()),
  payableAccountId: optional(uuid()),
}) {
  static override entityType = 'PartnerGroup';
  static override access = 'partner_groups:read' as const;
}

/** Due dates of invoices, one line for each. */
export class PaymentTerms extends versionedTable('payment_terms', {
  code: text(),
  name: text(),
  lines: json<readonly TermLine[]>(),
  active: flag(),
}) {
  static override entityType = 'PaymentTerms';
  static override access = 'payment_terms:read' as const;
}

export class Partner extends versionedTable('partners', {
  code: text(),
  name: text(),
  nif: optional(text()),
  foreignName: optional(text()),
  phone: optional(text()),
  email: optional(text()),
  website: optional(text()),
  groupId: uuid(),
  priceListId: optional(uuid()),
  /** Salesperson of its sales. */
  salespersonId: optional(uuid()),
  /** Dimensions of what names no other. */
  defaultCostCenterId: optional(uuid()),
  defaultProjectId: optional(uuid()),
  countryCode: text(),
  /** Currency of its documents; null for the company's. */
  currency: optional(text()),
  paymentTermDays: integer(),
  paymentTermsId: optional(uuid()),
  firstPaymentDay: optional(integer()),
  secondPaymentDay: optional(integer()),
  promptDiscountPercent: optional(exact()),
  promptDiscountDays: optional(integer()),
  paymentMethod: optional(text()),
  iban: optional(text()),
  dir3AccountingOffice: optional(text()),
  dir3ManagingBody: optional(text()),
  dir3ProcessingUnit: optional(text()),
  dir3ProposingBody: optional(text()),
  vatRegime: text(),
  /** A supplier whose tax is deducted as it is paid. */
  cashBasis: flag(),
  withholdingRate: exact(),
  /** Subkey of model 190 for what is withheld from it. */
  withholdingSubkey: optional(text<Subkey>()),
  /** Whether it is related to the company, as its shareholders are. */
  related: flag(),
  creditLimit: optional(exact()),
  /** Whether it is reminded of nothing. */
  dunningPaused: flag(),
  language: optional(text()),
  /** The company of the service that it is, if both are of one group. */
  companyId: optional(uuid()),
  active: flag(),
  custom: json<CustomValues>(),
}) {
  static override entityType = 'BusinessPartner';
  static override access = 'partners:read' as const;
}

export class Item extends versionedTable('items', {
  code: text(),
  sku: optional(text()),
  name: text(),
  description: optional(text()),
  barcode: optional(text()),
  type: text<'product' | 'service'>(),
  categoryId: optional(uuid()),
  uomId: uuid(),
  salePrice: exact(),
  purchasePrice: exact(),
  salesTaxGroupId: optional(uuid()),
  purchaseTaxGroupId: optional(uuid()),
  stockTracked: flag(),
  batchTracked: flag(),
  /** Whether each piece has a serial number: a batch of one. */
  serialTracked: flag(),
  warrantyMonths: optional(integer()),
  /** Whether it is sold as its components, and has no stock itself. */
  kit: flag(),
  minStock: exact(),
  /** Weight of one unit, in kilograms. */
  weight: optional(exact()),
  /** Volume of one unit, in cubic metres. */
  volume: optional(exact()),
  costMethod: text<CostMethod>(),
  salesAccountId: optional(uuid()),
  purchaseAccountId: optional(uuid()),
  /** Dimensions of what names no other. */
  defaultCostCenterId: optional(uuid()),
  defaultProjectId: optional(uuid()),
  active: flag(),
  custom: json<CustomValues>(),
}) {
  static override entityType = 'Item';
  static override access = 'items:read' as const;
}
