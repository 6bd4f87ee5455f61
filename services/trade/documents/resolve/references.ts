/** The records that a new document refers to. */

import type { Row } from '../../../../db/models/table.ts';
import type { DocumentLine, PostalAddress } from '../../../../db/models/trade/documents.ts';
import type { Dimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import type { DeductionRegime } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import type { PeriodState } from '../../../../domain/ledger/periods/areas.ts';
import type { Decimal } from '../../../../domain/money.ts';
import type { UnitFactor } from '../../../../domain/records/prices/list-prices.ts';
import type { TaxSet } from '../../../../domain/trade/documents/tax-sets.ts';
import type { DocType, DocumentStatus } from '../../../../domain/trade/documents/types.ts';
import type { RateKind } from '../../../../domain/trade/documents/union-scheme.ts';
import type { TaxRates, VatRegime } from '../../../../domain/trade/documents/vat.ts';
import type { PaymentDays, TermLine } from '../../../../domain/trade/payments/terms.ts';
import type { KitComponent } from '../../../../domain/trade/stock/kits.ts';
import type { Pricing } from '../../../records/prices/pricing.ts';

export interface PartnerReference {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nif: string | null;
  readonly country: string;
  readonly active: boolean;
  readonly isCustomer: boolean;
  readonly isVendor: boolean;
  readonly vatRegime: VatRegime;
  /** A supplier whose tax is deducted as it is paid. */
  readonly cashBasis: boolean;
  readonly withholdingRate: Decimal;
  readonly paymentTermDays: number;
  readonly paymentTerms: TermsReference | null;
  readonly paymentDays: PaymentDays;
  readonly promptDiscountPercent: Decimal | null;
  readonly promptDiscountDays: number | null;
  /** The salesperson of its sales, if active. */
  readonly salespersonId: string | null;
  /** The defaults of its documents, if they take more. */
  readonly dimensions: Dimensions | null;
  /** Default addresses: B billing, S shipping. */
  readonly addresses: { readonly B?: PostalAddress; readonly S?: PostalAddress } | null;
}

export interface TermsReference {
  readonly id: string;
  readonly active: boolean;
  readonly lines: readonly TermLine[];
}

export interface ItemReference {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly type: 'product' | 'service';
  readonly stockTracked: boolean;
  readonly batchTracked: boolean;
  readonly serialTracked: boolean;
  /** Components of a kit; null for all other items. */
  readonly components: readonly KitComponent[] | null;
  readonly uomId: string;
  /** Alternative units. */
  readonly units: readonly (UnitFactor & { readonly uomId: string })[] | null;
  readonly salePrice: Decimal;
  readonly purchasePrice: Decimal;
  readonly salesTaxGroupId: string | null;
  readonly purchaseTaxGroupId: string | null;
  /** The defaults of lines with it, if they take more. */
  readonly dimensions: Dimensions | null;
}

export interface TaxReference extends TaxRates {
  readonly id: string;
  readonly code: string;
  readonly consumptionCountry: string | null;
  readonly rateKind: RateKind | null;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

export type BaseLine = Readonly<Row<typeof DocumentLine>>;

export interface BaseDocument extends Dimensions {
  readonly id: string;
  readonly docType: DocType;
  readonly status: DocumentStatus;
  readonly code: string | null;
  readonly date: string;
  readonly partnerId: string;
  /** Whether it does nothing but take back, as a return or a rectifying invoice by differences. */
  readonly takesBack: boolean;
  /** Whether it rectifies another invoice by substitution. */
  readonly substitutes: boolean;
  readonly warehouseId: string | null;
  readonly vatRegime: VatRegime;
  readonly chargeText: string | null;
  readonly currency: string;
  readonly exchangeRate: Decimal | null;
  readonly deliveryDate: string | null;
  readonly salespersonId: string | null;
  readonly withholdingRate: Decimal;
  readonly paymentTerms: TermsReference | null;
  readonly proRata: Decimal | null;
  readonly deductionRegime: DeductionRegime | null;
  readonly cashBasis: boolean;
  readonly lines: readonly BaseLine[];
}

export interface SeriesReference {
  readonly id: string;
  readonly docType: string;
  readonly rectifying: boolean;
  readonly isDefault: boolean;
  readonly prefix: string;
  /** Fiscal year whose documents it numbers; null = any. */
  readonly year: number | null;
}

export interface PeriodReference extends PeriodState {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

export interface WarehouseReference {
  readonly id: string;
  readonly active: boolean;
  readonly isDefault: boolean;
}

export interface ZoneReference {
  readonly id: string;
  readonly warehouseId: string;
  readonly active: boolean;
}

export interface AccountReference {
  readonly id: string;
  readonly code: string;
  /** Whether its code is one of a chart of Spain. */
  readonly isSpanish: boolean;
  readonly isHeading: boolean;
  readonly active: boolean;
}

/** A salesperson. */
export interface AssignmentReference {
  readonly id: string;
  readonly active: boolean;
}

/** A project or a cost center. */
export interface DimensionReference extends AssignmentReference {
  readonly code: string;
}

export interface References {
  readonly date: string;
  /** Fiscal year of the date. */
  readonly fiscalYear: number;
  /** Currency of the document. */
  readonly currency: string;
  readonly companyCurrency: string;
  /** Rate of the currency on the day on which tax is due, or the last before; null if there is none, or it is the company's. */
  readonly dayRate: Decimal | null;
  /** The day from which that rate counts. */
  readonly dayRateOn: string | null;
  /** The day on which tax is due. */
  readonly rateDay: string;
  /** Decimals of amounts in the currency. */
  readonly decimalPrecision: number;
  /** Decimals of amounts in the company's currency. */
  readonly companyPlaces: number;
  readonly quantityPrecision: number;
  readonly enforceWarehouseZones: boolean;
  /** Percentage of tax that the company deducts; null = all of it. */
  readonly proRata: Decimal | null;
  /** The company's current tax regime. */
  readonly deductionRegime: DeductionRegime | null;
  /** The indirect tax that the company charges. */
  readonly taxSet: TaxSet;
  /** Calendar years in which the company is under the cash basis. */
  readonly cashBasisYears: readonly number[];
  /** The day from which it is under the Union scheme. */
  readonly ossFrom: string | null;
  readonly allowOverDelivery: boolean;
  /** The company's default cost center and project, if they take more. */
  readonly companyDimensions: Dimensions | null;
  /** Whether new notes are entered in the ledger. */
  readonly noteEntries: boolean;
  /** Tax groups for lines without an item; null if the company has none. */
  readonly defaultTax: { readonly sales: string | null; readonly purchase: string | null };
  readonly partner: PartnerReference | null;
  /** The named period, otherwise that of the date. */
  readonly period: PeriodReference | null;
  /** The named series, otherwise the default for type and year. */
  readonly series: SeriesReference | null;
  readonly warehouses: ReadonlyMap<string, WarehouseReference>;
  readonly zones: ReadonlyMap<string, ZoneReference>;
  readonly items: ReadonlyMap<string, ItemReference>;
  readonly taxes: ReadonlyMap<string, TaxReference>;
  readonly bases: ReadonlyMap<string, BaseDocument>;
  /** The named payment terms. */
  readonly paymentTerms: ReadonlyMap<string, TermsReference>;
  /** The partner's price list and the price rules that apply. */
  readonly pricing: Pricing;
  readonly accounts: ReadonlyMap<string, AccountReference>;
  readonly projects: ReadonlyMap<string, DimensionReference>;
  readonly costCenters: ReadonlyMap<string, DimensionReference>;
  readonly salespeople: ReadonlyMap<string, AssignmentReference>;
}
