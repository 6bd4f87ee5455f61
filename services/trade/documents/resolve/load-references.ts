/**
 * Loads everything that a new document refers to in one round trip. The rest of resolve/ reports what is missing or
 * unusable.
 */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { prepared } from '../../../../db/sql.ts';
import { generalTaxes } from '../../../../domain/ledger/accounting/charts/taxes/index.ts';
import type { Dimensions } from '../../../../domain/ledger/accounting/dimensions.ts';
import { deductionRegime } from '../../../../domain/ledger/accounting/tax-treatment.ts';
import { currencyPlaces } from '../../../../domain/locale/currencies.ts';
import { type Decimal, decimal, optionalDecimal } from '../../../../domain/money.ts';
import type { TaxSet } from '../../../../domain/trade/documents/tax-sets.ts';
import type { DocType } from '../../../../domain/trade/documents/types.ts';
import { openYear } from '../../../ledger/periods/open-year.ts';
import type { TaxSettings } from '../../../platform/settings/definitions.ts';
import { type RawPricing, readPricing } from '../../../records/prices/pricing.ts';
import type { DocumentInput, DocumentLineInput } from '../schemas.ts';
import type {
  AccountReference,
  AssignmentReference,
  BaseDocument,
  DimensionReference,
  ItemReference,
  PartnerReference,
  PeriodReference,
  References,
  SeriesReference,
  TaxReference,
  TermsReference,
  WarehouseReference,
  ZoneReference,
} from './references.ts';
import { ALL_SQL, PLAIN_SQL } from './references-sql.ts';

/**
 * Loads the references in the input and those that its defaults depend on. The first document of a fiscal year opens
 * the year.
 */
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
    salespeople: unique([input.salespersonId, ...input.lines.map((line) => line.salespersonId)]),
    paymentTerms: unique([input.paymentTermsId]),
  };
  const isPlain = Object.values(named).every((ids) => ids.length === 0);
  const bindings = {
    date: input.date ?? null,
    rateDay: input.operationDate ?? input.documentDate ?? null,
    currency: input.currency ?? null,
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
  };
  const read = () => prepared<RawReferences>(db, isPlain ? PLAIN_SQL : ALL_SQL, bindings);
  let [raw] = await read();
  if (raw && lacksYear(raw, input) && (await openYear(db, ctx, raw.date))) [raw] = await read();
  if (!raw) throw new Error('the statement always returns one row');
  const companyPlaces = raw.format.decimalPrecision ?? 2;
  return {
    date: raw.date,
    fiscalYear: raw.fiscalYear,
    currency: raw.currency,
    companyCurrency: raw.companyCurrency,
    dayRate: raw.dayRate,
    dayRateOn: raw.dayRateOn,
    rateDay: raw.rateDay,
    decimalPrecision: raw.currency === raw.companyCurrency ? companyPlaces : currencyPlaces(raw.currency),
    companyPlaces,
    quantityPrecision: raw.format.quantityPrecision ?? 2,
    enforceWarehouseZones: raw.flags.enforceWarehouseZones ?? false,
    proRata: effectiveProRata(raw),
    deductionRegime: deductionRegime(raw.tax.surchargeRegime ?? false, raw.tax.proRataKind === 'special'),
    taxSet: raw.taxSet,
    cashBasisYears: raw.tax.cashBasisYears ?? [],
    ossFrom: raw.tax.ossFrom ?? null,
    allowOverDelivery: raw.flags.allowOverDelivery ?? false,
    noteEntries: raw.noteEntries,
    companyDimensions: raw.companyDimensions,
    defaultTax: {
      sales: defaultTax(raw, raw.tax.defaultSalesTaxGroupId),
      purchase: defaultTax(raw, raw.tax.defaultPurchaseTaxGroupId),
    },
    partner: raw.partner,
    period: raw.period,
    series: raw.series,
    warehouses: byId(raw.warehouses),
    items: byId(raw.items),
    taxes: byId(raw.taxes),
    bases: byId(raw.bases),
    pricing: readPricing(raw.pricing, {
      currency: raw.currency,
      company: raw.companyCurrency,
      rate: optionalDecimal(input.exchangeRate) ?? raw.dayRate,
    }),
    zones: byId(raw.zones),
    accounts: byId(raw.accounts),
    projects: byId(raw.projects),
    costCenters: byId(raw.costCenters),
    salespeople: byId(raw.salespeople),
    paymentTerms: byId(raw.paymentTerms),
  };
}

interface RawReferences {
  date: string;
  fiscalYear: number;
  /** Definitive pro rata of the year of the date, if it was regularised. */
  definitiveProRata: Decimal | null;
  taxSet: TaxSet;
  currency: string;
  companyCurrency: string;
  dayRate: Decimal | null;
  dayRateOn: string | null;
  rateDay: string;
  format: { decimalPrecision?: number; quantityPrecision?: number };
  tax: {
    surchargeRegime?: boolean;
    proRata?: number;
    proRataKind?: TaxSettings['proRataKind'];
    cashBasisYears?: readonly number[];
    ossFrom?: string | null;
    defaultSalesTaxGroupId?: string | null;
    defaultPurchaseTaxGroupId?: string | null;
  };
  noteEntries: boolean;
  companyDimensions: Dimensions | null;
  flags: { enforceWarehouseZones?: boolean; allowOverDelivery?: boolean };
  partner: PartnerReference | null;
  period: PeriodReference | null;
  series: SeriesReference | null;
  warehouses: WarehouseReference[] | null;
  items: ItemReference[] | null;
  taxes: TaxReference[] | null;
  bases: BaseDocument[] | null;
  pricing: RawPricing;
  zones: ZoneReference[] | null;
  accounts: AccountReference[] | null;
  projects: DimensionReference[] | null;
  costCenters: DimensionReference[] | null;
  salespeople: AssignmentReference[] | null;
  paymentTerms: TermsReference[] | null;
}

/** The percentage of tax deducted on the date; null = all of it. */
function effectiveProRata({ tax, definitiveProRata }: RawReferences): Decimal | null {
  const percent = decimal(definitiveProRata ?? tax.proRata ?? 100);
  return percent.eq(100) ? null : percent.toFixed();
}

/** Whether the document's year is not open yet, or has no series for this kind of document. */
function lacksYear({ period, series }: RawReferences, { periodId, seriesId }: DocumentInput): boolean {
  return (period === null && periodId === undefined) || (series === null && seriesId === undefined);
}

/** The configured tax, otherwise one at the general rate. Its code determines the tax that is valid on the date. */
function defaultTax({ taxes, taxSet }: RawReferences, set: string | null | undefined): string | null {
  const found =
    taxes?.find(({ id }) => id === set) ??
    generalTaxes(taxSet)
      .map((general) => taxes?.find(({ code }) => code === general))
      .find((tax) => tax !== undefined);
  return found?.id ?? null;
}

/** Whether neither the client nor a base line gives the price. */
function isPricedByList({ price, priceWithTax, baseId }: DocumentLineInput): boolean {
  return price === undefined && priceWithTax === undefined && baseId === undefined;
}

function byId<T extends { readonly id: string }>(rows: readonly T[] | null): ReadonlyMap<string, T> {
  return new Map((rows ?? []).map((row) => [row.id, row]));
}

function unique(ids: readonly (string | undefined)[]): string[] {
  return [...new Set(ids.filter((id) => id !== undefined))];
}
