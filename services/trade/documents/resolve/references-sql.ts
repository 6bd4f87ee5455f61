/** SQL that loads everything a document refers to, as JSON under the names of references.ts. */

import { jsonList, selectJsonColumns } from '../../../../db/models/selected.ts';
import { DocumentLine } from '../../../../db/models/trade/documents.ts';
import { companyDimensions, openDimensions } from '../../../../db/queries/dimensions.ts';
import { TODAY } from '../../../../db/queries/time-zone.ts';
import { DEFAULT_CHART } from '../../../../domain/ledger/accounting/charts/index.ts';
import { dayRateSql, moneySql, PRICING_SQL } from '../../../records/prices/pricing.ts';

const LINES = jsonList(
  `select ${selectJsonColumns(DocumentLine, 'l')} from document_lines l where l.document_id = d.id order by l.line_number`,
);

/** An address as documents have it; `a` is the partner's. */
export const ADDRESS_JSON = `json_strip_nulls(json_build_object('name', a.name, 'street', a.street, 'city', a.city,
       'state', a.state, 'zipCode', a.zip_code, 'countryCode', a.country_code))`;

/** The day whose rate counts: that of the tax. */
const RATE_DAY = 'coalesce(:rateDay::date, (select value from day))';

/** Payment terms of a row, by its alias; null, without a lookup, if it has none. */
const termsSql = (alias: string) => `case when ${alias}.payment_terms_id is null then null else (
     select json_build_object('id', t.id, 'active', t.active, 'lines', t.lines) from payment_terms t
     where t.id = ${alias}.payment_terms_id) end`;

/** Projects or cost centers of bases. */
const dimensionsOfBases = (column: string) => `select ${column} from documents where id = any(:bases::uuid[])
  union select ${column} from document_lines where document_id = any(:bases::uuid[])`;

/** Default dimensions of a row, by its alias; null, without a lookup, if it has none. */
const rowDimensions = (
  alias: string,
) => `case when num_nonnulls(${alias}.default_cost_center_id, ${alias}.default_project_id) > 0
     then ${openDimensions(`${alias}.default_cost_center_id`, `${alias}.default_project_id`)} end`;

/** References that only some documents have. */
const NAMED_SQL = `
  (select json_agg(json_build_object('id', id, 'warehouseId', warehouse_id, 'active', active)) from zones
    where id = any(:zones::uuid[])) as zones,
  (select json_agg(json_build_object('id', id, 'code', code, 'isHeading', is_heading, 'active', active,
      'isSpanish', coalesce((select value ->> 'chart' from settings where name = 'accounting'), '${DEFAULT_CHART.code}') like 'es-%'))
    from accounts where id = any(:accounts::uuid[])) as accounts,
  (select json_agg(json_build_object('id', id, 'code', code, 'active', active)) from projects
    where id = any(:projects::uuid[]) or id in (${dimensionsOfBases('project_id')})) as projects,
  (select json_agg(json_build_object('id', id, 'code', code, 'active', active)) from cost_centers
    where id = any(:costCenters::uuid[]) or id in (${dimensionsOfBases('cost_center_id')})) as "costCenters",
  (select json_agg(json_build_object('id', id, 'active', active)) from salespeople where id = any(:salespeople::uuid[])) as salespeople,
  (select json_agg(json_build_object('id', id, 'active', active, 'lines', lines)) from payment_terms
    where id = any(:paymentTerms::uuid[])) as "paymentTerms",
  (select json_agg(base) from (select d.id, d.doc_type as "docType", d.status, d.code, d.date, d.partner_id as "partnerId",
     d.returns is not null or (d.rectification_method is null and (select rectifying from series where id = d.series_id)) as "takesBack",
     d.rectification_method is not null as "substitutes", d.warehouse_id as "warehouseId",
     d.vat_regime as "vatRegime", d.charge_text as "chargeText", d.currency, d.exchange_rate::text as "exchangeRate",
     d.delivery_date as "deliveryDate", d.project_id as "projectId", d.cost_center_id as "costCenterId",
     d.salesperson_id as "salespersonId", d.withholding_rate::text as "withholdingRate",
     ${termsSql('d')} as "paymentTerms", d.pro_rata::text as "proRata", d.deduction_regime as "deductionRegime",
     d.cash_basis as "cashBasis",
     ${LINES} as lines
     from documents d where d.id = any(:bases::uuid[])) base) as bases`;
const NOTHING_NAMED_SQL =
  'null as zones, null as accounts, null as projects, null as "costCenters", null as salespeople, null as "paymentTerms", null as bases';

/** Data of bases. */
const WAREHOUSES_OF_BASES = `select warehouse_id from documents where id = any(:bases::uuid[])
  union select warehouse_id from document_lines where document_id = any(:bases::uuid[])`;
const ITEMS_OF_BASES = 'select item_id from document_lines where document_id = any(:bases::uuid[])';

/**
 * Builds the statement.
 * @param named whether the input names bases, zones, accounts, projects, cost centers, salespeople or payment terms. Most documents
 * name none, and PostgreSQL spends time on every part of a statement, even one that finds nothing.
 */
const referencesSql = (named: boolean) => `
with conf as (
  select coalesce((select value from settings where name = 'format'), '{}') as format,
         coalesce((select value from settings where name = 'flags'), '{}') as flags,
         coalesce((select value from settings where name = 'tax'), '{}') as tax,
         coalesce((select (value ->> 'noteEntries')::boolean from settings where name = 'accounting'), false) as "noteEntries",
         (select ${companyDimensions('value')} from settings where name = 'accounting') as dimensions
), day as (
  select coalesce(:date::date, (select case when ${TODAY} between "from" and "to" then ${TODAY} else "to" end from periods
    where id = :period::uuid), ${TODAY}) as value
), ${moneySql(named ? '(select currency from documents where id = any(:bases::uuid[]) limit 1), ' : '')}
select
  (select value::text from day) as date,
  (select fiscal_year_of(:tenant, value) from day) as "fiscalYear",
  case when :docType in ('PO', 'PDN', 'PINV') then (select a.percent::text from pro_rata_adjustments a, day
    where a.year = extract(year from day.value)::integer order by a.id desc limit 1) end as "definitiveProRata",
  coalesce((select value ->> 'taxSet' from settings where name = 'company'), 'vat') as "taxSet",
  (select currency from money) as currency, (select company from money) as "companyCurrency",
  ${dayRateSql(RATE_DAY)} as "dayRate", ${dayRateSql(RATE_DAY, 'date')} as "dayRateOn", ${RATE_DAY}::text as "rateDay",
  (select format from conf) as format,
  (select flags from conf) as flags, (select tax from conf) as tax, (select "noteEntries" from conf) as "noteEntries",
  (select dimensions from conf) as "companyDimensions",
  (select json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'nif', p.nif, 'country', p.country_code, 'active', p.active,
     'isCustomer', g.is_customer, 'isVendor', g.is_vendor, 'vatRegime', p.vat_regime, 'cashBasis', p.cash_basis,
     'withholdingRate', p.withholding_rate::text, 'paymentTermDays', p.payment_term_days,
     'paymentTerms', ${termsSql('p')}, 'paymentDays', array_remove(array[p.first_payment_day, p.second_payment_day], null),
     'promptDiscountPercent', p.prompt_discount_percent::text, 'promptDiscountDays', p.prompt_discount_days,
     'salespersonId', case when p.salesperson_id is not null
       then (select id from salespeople where id = p.salesperson_id and active) end,
     'dimensions', ${rowDimensions('p')},
     'addresses', (select json_object_agg(a.type, ${ADDRESS_JSON}) from partner_addresses a where a.partner_id = p.id
         and a.is_default))
   from partners p join partner_groups g on g.id = p.group_id where p.id = :partner::uuid) as partner,
  (select json_build_object('id', id, 'code', code, 'from', "from", 'to', "to", 'status', status, 'lockedAreas', locked_areas)
    from periods, day
   where case when :period::uuid is null then day.value between "from" and "to" else id = :period::uuid end) as period,
  (select json_build_object('id', id, 'docType', doc_type, 'rectifying', rectifying, 'isDefault', is_default, 'prefix', prefix, 'year',
    year) from series, day
   where case when :series::uuid is null then is_default and doc_type = :docType and rectifying = :rectifying::boolean
     and (year is null or year = fiscal_year_of(:tenant, day.value)) else id = :series::uuid end order by year limit 1) as series,
  (select json_agg(json_build_object('id', id, 'active', active, 'isDefault', is_default)) from warehouses
   where is_default or id = any(:warehouses::uuid[])${named ? ` or id in (${WAREHOUSES_OF_BASES})` : ''}) as warehouses,
  (select json_agg(json_build_object('id', id, 'name', name, 'active', active, 'type', type, 'stockTracked', stock_tracked, 'batchTracked',
    batch_tracked, 'serialTracked', serial_tracked,
     'components', case when kit then (select coalesce(json_agg(json_build_object('itemId', c.component_id, 'quantity', c.quantity::text)
       order by c.id), '[]') from item_components c where c.item_id = items.id) end, 'uomId', uom_id,
     'units', (select json_agg(json_build_object('uomId', u.uom_id, 'numerator', u.factor_numerator, 'denominator', u.factor_denominator))
       from item_units u where u.item_id = items.id),
     'salePrice', sale_price::text, 'purchasePrice', purchase_price::text,
     'salesTaxGroupId', sales_tax_group_id, 'purchaseTaxGroupId', purchase_tax_group_id,
     'dimensions', ${rowDimensions('items')})) from items
   where id = any(:items::uuid[])${named ? ` or id in (${ITEMS_OF_BASES})` : ''}) as items,
  (select json_agg(json_build_object('id', id, 'code', code, 'rate', rate::text, 'surchargeRate', surcharge_rate::text, 'kind', kind,
     'exemptionReason', exemption_reason, 'consumptionCountry', consumption_country, 'rateKind', rate_kind,
     'validFrom', valid_from, 'validTo', valid_to)) from taxes) as taxes,
  ${named ? NAMED_SQL : NOTHING_NAMED_SQL},
  (${PRICING_SQL}) as pricing`;

/** Statement for any input. */
export const ALL_SQL = referencesSql(true);
/** Statement for an input that names no optional reference. */
export const PLAIN_SQL = referencesSql(false);
