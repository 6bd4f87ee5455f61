/** Everything that a new document refers to, read in one round trip. What is missing or unusable is reported by resolve.ts. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { prepared } from '../../db/sql.ts';
import type { DocType, DocumentStatus } from '../../domain/documents/types.ts';
import type { TaxRates } from '../../domain/documents/vat.ts';
import type { Decimal } from '../../domain/money.ts';
import type { UnitFactor } from '../../domain/prices/quote.ts';
import { type PriceListReference, type RawPriceList, readPriceList } from '../prices/list.ts';
import type { DocumentInput, DocumentLineInput, PostalAddress } from './input.ts';
import { ALL_SQL, PLAIN_SQL } from './references-sql.ts';

export interface PartnerReference {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nif: string | null;
  readonly active: boolean;
  readonly isCustomer: boolean;
  readonly isVendor: boolean;
  readonly vatRegime: string;
  readonly withholdingRate: Decimal;
  readonly paymentTermDays: number;
  /** The default addresses: B billing, S shipping. */
  readonly addresses: { readonly B?: PostalAddress; readonly S?: PostalAddress } | null;
}

export interface ItemReference {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly stockTracked: boolean;
  readonly batchTracked: boolean;
  readonly uomId: string;
  /** Its other units. */
  readonly units: readonly (UnitFactor & { readonly uomId: string })[] | null;
  readonly salePrice: Decimal;
  readonly purchasePrice: Decimal;
  readonly salesTaxGroupId: string | null;
  readonly purchaseTaxGroupId: string | null;
}

export interface TaxReference extends TaxRates {
  readonly id: string;
  readonly code: string;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

export interface BaseLine {
  readonly id: string;
  readonly documentId: string;
  readonly lineNumber: number;
  readonly itemId: string | null;
  readonly description: string;
  readonly quantity: Decimal;
  readonly price: Decimal;
  readonly discountPercent: Decimal;
  readonly taxGroupId: string;
  readonly warehouseId: string | null;
  readonly uomId: string | null;
  readonly uomFactor: Decimal;
  readonly baseQuantity: Decimal;
  readonly vatRegime: string | null;
  readonly vatUse: string;
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
  readonly deliveredQuantity: Decimal;
  readonly invoicedQuantity: Decimal;
  readonly closedQuantity: Decimal;
  readonly returnedQuantity: Decimal;
}

export interface BaseDocument {
  readonly id: string;
  readonly docType: DocType;
  readonly status: DocumentStatus;
  readonly code: string | null;
  readonly date: string;
  readonly partnerId: string;
  /** Whether it takes back itself: a return or a rectifying invoice. */
  readonly takesBack: boolean;
  readonly warehouseId: string | null;
  readonly vatRegime: string;
  readonly withholdingRate: Decimal;
  readonly lines: readonly BaseLine[];
}

export interface SeriesReference {
  readonly id: string;
  readonly docType: string;
  readonly rectifying: boolean;
  readonly isDefault: boolean;
  readonly prefix: string;
}

export interface PeriodReference {
  readonly id: string;
  readonly code: string;
  readonly from: string;
  readonly to: string;
  readonly status: 'O' | 'C';
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
  readonly isHeading: boolean;
  readonly active: boolean;
}

/** A project or a cost center. */
export interface AssignmentReference {
  readonly id: string;
  readonly active: boolean;
}

export interface References {
  readonly date: string;
  readonly currency: string;
  readonly decimalPrecision: number;
  readonly quantityPrecision: number;
  readonly enforceWarehouseZones: boolean;
  readonly allowOverDelivery: boolean;
  readonly partner: PartnerReference | null;
  /** The period named, or else the one of the date. */
  readonly period: PeriodReference | null;
  /** The series named, or else the default one of the type. */
  readonly series: SeriesReference | null;
  readonly warehouses: ReadonlyMap<string, WarehouseReference>;
  readonly zones: ReadonlyMap<string, ZoneReference>;
  readonly items: ReadonlyMap<string, ItemReference>;
  readonly taxes: ReadonlyMap<string, TaxReference>;
  readonly bases: ReadonlyMap<string, BaseDocument>;
  /** The partner's, if it applies. */
  readonly priceList: PriceListReference | null;
  readonly accounts: ReadonlyMap<string, AccountReference>;
  readonly projects: ReadonlyMap<string, AssignmentReference>;
  readonly costCenters: ReadonlyMap<string, AssignmentReference>;
}

/** Reads what the input names and what its defaults come from. */
export async function loadReferences(
  db: Db,
  ctx: Context,
  docType: DocType,
  input: DocumentInput,
): Promise<References> {
  const named = {
    bases: unique([input.rectifies, input.returns, ...input.lines.map((line) => line.baseId)]),
    zones: unique(input.lines.map((line) => line.zoneId)),
    accounts: unique(input.lines.map((line) => line.accountId)),
    projects: unique([input.projectId, ...input.lines.map((line) => line.projectId)]),
    costCenters: unique([input.costCenterId, ...input.lines.map((line) => line.costCenterId)]),
  };
  const isPlain = Object.values(named).every((ids) => ids.length === 0);
  const [raw] = await prepared<RawReferences>(db, isPlain ? PLAIN_SQL : ALL_SQL, {
    date: input.date ?? null,
    now: ctx.now.toISOString(),
    tenant: ctx.tenantId,
    partner: input.partnerId,
    period: input.periodId ?? null,
    series: input.seriesId ?? null,
    docType,
    warehouses: unique([input.warehouseId, ...input.lines.map((line) => line.warehouseId)]),
    items: unique(input.lines.map((line) => line.itemId)),
    rectifying: input.rectifies !== undefined,
    pricedItems: unique(input.lines.filter(isPricedByList).map((line) => line.itemId)),
    ...named,
  });
  if (!raw) throw new Error('the statement always returns one row');
  return {
    date: raw.date,
    currency: raw.currency,
    decimalPrecision: raw.format.decimalPrecision ?? 2,
    quantityPrecision: raw.format.quantityPrecision ?? 2,
    enforceWarehouseZones: raw.flags.enforceWarehouseZones ?? false,
    allowOverDelivery: raw.flags.allowOverDelivery ?? false,
    partner: raw.partner,
    period: raw.period,
    series: raw.series,
    warehouses: byId(raw.warehouses),
    items: byId(raw.items),
    taxes: byId(raw.taxes),
    bases: byId(raw.bases),
    priceList: readPriceList(raw.priceList),
    zones: byId(raw.zones),
    accounts: byId(raw.accounts),
    projects: byId(raw.projects),
    costCenters: byId(raw.costCenters),
  };
}

interface RawReferences {
  date: string;
  currency: string;
  format: { decimalPrecision?: number; quantityPrecision?: number };
  flags: { enforceWarehouseZones?: boolean; allowOverDelivery?: boolean };
  partner: PartnerReference | null;
  period: PeriodReference | null;
  series: SeriesReference | null;
  warehouses: WarehouseReference[] | null;
  items: ItemReference[] | null;
  taxes: TaxReference[] | null;
  bases: BaseDocument[] | null;
  priceList: RawPriceList | null;
  zones: ZoneReference[] | null;
  accounts: AccountReference[] | null;
  projects: AssignmentReference[] | null;
  costCenters: AssignmentReference[] | null;
}

/** Whether neither the client nor a base line says what a line costs. */
function isPricedByList({ price, baseId }: DocumentLineInput): boolean {
  return price === undefined && baseId === undefined;
}

function byId<T extends { readonly id: string }>(rows: readonly T[] | null): ReadonlyMap<string, T> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}

function unique(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
