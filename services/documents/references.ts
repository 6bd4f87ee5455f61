/** Everything that a new document refers to, read in one round trip. What is missing or unusable is reported by resolve.ts. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { TODAY } from '../../db/queries/time-zone.ts';
import { prepared } from '../../db/sql.ts';
import type { DocType, DocumentStatus } from '../../domain/documents/types.ts';
import type { TaxRates } from '../../domain/documents/vat.ts';
import type { Decimal } from '../../domain/money.ts';
import type { UnitFactor } from '../../domain/prices/quote.ts';
import { PRICE_LIST_SQL, type PriceListReference, type RawPriceList, readPriceList } from '../prices/list.ts';
import type { DocumentInput, DocumentLineInput, PostalAddress } from './input.ts';

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

const REFERENCES_SQL = `
with conf as (
  select coalesce((select value from settings where name = 'format'), '{}') as format,
         coalesce((select value from settings where name = 'flags'), '{}') as flags
), day as (
  select coalesce(:date::date, ${TODAY}) as value
)
select
  (select value::text from day) as date,
  (select currency from tenants where id = :tenant) as currency,
  (select format from conf) as format,
  (select flags from conf) as flags,
  (select json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'nif', p.nif, 'active', p.active,
     'isCustomer', g.is_customer, 'isVendor', g.is_vendor, 'vatRegime', p.vat_regime,
     'withholdingRate', p.withholding_rate::text, 'paymentTermDays', p.payment_term_days,
     'addresses', (select json_object_agg(a.type, json_strip_nulls(json_build_object('name', a.name, 'street', a.street, 'city', a.city,
       'state', a.state, 'zipCode', a.zip_code, 'countryCode', a.country_code))) from partner_addresses a where a.partner_id = p.id and a.is_default))
   from partners p join partner_groups g on g.id = p.group_id where p.id = :partner::uuid) as partner,
  (select json_build_object('id', id, 'code', code, 'from', "from", 'to', "to", 'status', status) from periods, day
   where case when :period::uuid is null then day.value between "from" and "to" else id = :period::uuid end) as period,
  (select json_build_object('id', id, 'docType', doc_type, 'rectifying', rectifying, 'isDefault', is_default, 'prefix', prefix) from series
   where case when :series::uuid is null then is_default and doc_type = :docType and rectifying = :rectifying::boolean else id = :series::uuid end) as series,
  (select json_agg(json_build_object('id', id, 'active', active, 'isDefault', is_default)) from warehouses
   where is_default or id = any(:warehouses::uuid[])
      or id in (select warehouse_id from documents where id = any(:bases::uuid[]) union select warehouse_id from document_lines where document_id = any(:bases::uuid[]))) as warehouses,
  (select json_agg(json_build_object('id', id, 'warehouseId', warehouse_id, 'active', active)) from zones where id = any(:zones::uuid[])) as zones,
  (select json_agg(json_build_object('id', id, 'isHeading', is_heading, 'active', active)) from accounts where id = any(:accounts::uuid[])) as accounts,
  (select json_agg(json_build_object('id', id, 'active', active)) from projects where id = any(:projects::uuid[])) as projects,
  (select json_agg(json_build_object('id', id, 'active', active)) from cost_centers where id = any(:costCenters::uuid[])) as "costCenters",
  (select json_agg(json_build_object('id', id, 'name', name, 'active', active, 'stockTracked', stock_tracked, 'batchTracked', batch_tracked, 'uomId', uom_id,
     'units', (select json_agg(json_build_object('uomId', u.uom_id, 'numerator', u.factor_numerator, 'denominator', u.factor_denominator)) from item_units u where u.item_id = items.id),
     'salePrice', sale_price::text, 'purchasePrice', purchase_price::text,
     'salesTaxGroupId', sales_tax_group_id, 'purchaseTaxGroupId', purchase_tax_group_id)) from items
   where id = any(:items::uuid[]) or id in (select item_id from document_lines where document_id = any(:bases::uuid[]))) as items,
  (select json_agg(json_build_object('id', id, 'code', code, 'rate', rate::text, 'surchargeRate', surcharge_rate::text, 'kind', kind,
     'validFrom', valid_from, 'validTo', valid_to)) from taxes) as taxes,
  (select json_agg(json_build_object('id', d.id, 'docType', d.doc_type, 'status', d.status, 'code', d.code, 'date', d.date, 'partnerId', d.partner_id,
     'takesBack', d.returns is not null or (select rectifying from series where id = d.series_id),
     'warehouseId', d.warehouse_id, 'vatRegime', d.vat_regime, 'withholdingRate', d.withholding_rate::text, 'lines', (
       select json_agg(json_build_object('id', l.id, 'documentId', l.document_id, 'lineNumber', l.line_number, 'itemId', l.item_id,
         'description', l.description, 'quantity', l.quantity::text, 'price', l.price::text, 'discountPercent', l.discount_percent::text,
         'taxGroupId', l.tax_group_id, 'warehouseId', l.warehouse_id, 'uomId', l.uom_id, 'uomFactor', l.uom_factor::text, 'baseQuantity', l.base_quantity::text,
         'vatRegime', l.vat_regime, 'vatUse', l.vat_use, 'accountId', l.account_id, 'projectId', l.project_id, 'costCenterId', l.cost_center_id,
         'deliveredQuantity', l.delivered_quantity::text, 'invoicedQuantity', l.invoiced_quantity::text,
         'closedQuantity', l.closed_quantity::text, 'returnedQuantity', l.returned_quantity::text) order by l.line_number)
       from document_lines l where l.document_id = d.id))) from documents d where d.id = any(:bases::uuid[])) as bases,
  (${PRICE_LIST_SQL}) as "priceList"`;

/** Reads what the input names and what its defaults come from. */
export async function loadReferences(
  db: Db,
  ctx: Context,
  docType: DocType,
  input: DocumentInput,
): Promise<References> {
  const [raw] = await prepared<RawReferences>(db, REFERENCES_SQL, {
    date: input.date ?? null,
    now: ctx.now.toISOString(),
    tenant: ctx.tenantId,
    partner: input.partnerId,
    period: input.periodId ?? null,
    series: input.seriesId ?? null,
    docType,
    warehouses: unique([input.warehouseId, ...input.lines.map((line) => line.warehouseId)]),
    items: unique(input.lines.map((line) => line.itemId)),
    bases: unique([input.rectifies, input.returns, ...input.lines.map((line) => line.baseId)]),
    rectifying: input.rectifies !== undefined,
    pricedItems: unique(input.lines.filter(isPricedByList).map((line) => line.itemId)),
    zones: unique(input.lines.map((line) => line.zoneId)),
    accounts: unique(input.lines.map((line) => line.accountId)),
    projects: unique([input.projectId, ...input.lines.map((line) => line.projectId)]),
    costCenters: unique([input.costCenterId, ...input.lines.map((line) => line.costCenterId)]),
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
