/** The dashboard: the current period so far compared with the previous one, open balances, low stock and the latest documents. */

import type { Reader } from '../../../db/database.ts';
import { companyOutstanding, inCompany } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { prepared, query } from '../../../db/sql.ts';
import { type Decimal, roundedNumber } from '../../../domain/money.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import type { PaymentDirection } from '../../../domain/trade/payments/types.ts';
import { PLACES, QUANTITY_PLACES } from '../../platform/settings/format.ts';

/** Rows per list. */
const FIRST = 10;
const TOP_PARTNERS = 5;
/** Days before its expiry from which a batch is an alert; expired batches still in stock are too. */
const EXPIRY_DAYS = 30;

interface Turnover {
  readonly total: Decimal;
  readonly count: number;
  readonly prevTotal: Decimal;
  readonly prevCount: number;
}

interface Outstanding {
  readonly open: Decimal;
  readonly openCount: number;
}

interface TopPartner {
  readonly name: string;
  readonly total: Decimal;
}

interface LowStock {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly stock: Decimal;
  readonly minStock: Decimal;
}

interface ExpiringBatch {
  readonly batchNum: string;
  readonly itemName: string;
  readonly expiryDate: string;
  readonly quantity: Decimal;
}

interface RecentDocument {
  readonly type: DocType;
  readonly code: string | null;
  readonly total: Decimal;
  readonly partnerName: string;
}

/** Days of the current period so far, and the first day of the previous one. */
interface Span {
  readonly today: string;
  readonly from: string;
  readonly to: string;
  readonly before: string;
  readonly period: { readonly id: string; readonly code: string; readonly name: string | null } | null;
}

/** null if the caller may not read it. */
interface Row {
  readonly sales: Turnover | null;
  readonly purchases: Turnover | null;
  readonly lowStock: readonly LowStock[] | null;
  readonly expiringBatches: readonly ExpiringBatch[] | null;
  readonly recentDocs: readonly RecentDocument[];
  readonly customers: readonly TopPartner[] | null;
  readonly suppliers: readonly TopPartner[] | null;
  readonly receivables: Outstanding | null;
  readonly payables: Outstanding | null;
  readonly places: number;
  readonly quantityPlaces: number;
}

const POSTED = `status in (${STATE.open}, ${STATE.closed})`;

/** Posted invoices of a side, net of tax; rectifying invoices count with their sign. */
const turnover = (type: DocType) => `(select json_build_object(
    'total', coalesce(sum(${inCompany('d', 'subtotal')}) filter (where date >= :from::date), 0)::text,
    'count', count(*) filter (where date >= :from::date),
    'prevTotal', coalesce(sum(${inCompany('d', 'subtotal')}) filter (where date < :from::date), 0)::text,
    'prevCount', count(*) filter (where date < :from::date))
  from documents d where doc_type = '${type}' and ${POSTED} and date between :before::date and :to::date)`;

const topPartners = (
  type: DocType,
) => `(select coalesce(json_agg(json_build_object('name', p.name, 'total', t.total::text)
    order by t.total desc, p.name), '[]')
  from (select partner_id, sum(${inCompany('d', 'subtotal')}) as total from documents d
    where doc_type = '${type}' and ${POSTED} and date between :from::date and :to::date
    group by partner_id having sum(${inCompany('d', 'subtotal')}) > 0 order by 2 desc, 1 limit ${TOP_PARTNERS}) t
  join partners p on p.id = t.partner_id)`;

/**
 * Amounts open today, as in the aging report: only debts, without credit, from invoices and open items. PostgreSQL overestimates the number
 * of unsettled rows: `offset 0` keeps it from reading all documents up to today instead.
 */
const outstanding = (type: DocType, direction: PaymentDirection) => `(select json_build_object(
    'open', coalesce(sum(rest), 0)::text, 'openCount', count(*))
  from (select date, ${companyOutstanding('d')} as rest from documents d
      where doc_type = '${type}' and ${POSTED} and total <> paid_total
    union all select date, total - paid_total from open_items where direction = '${direction}' and total <> paid_total offset 0) o
  where rest > 0 and date <= :today::date)`;

const LOW_STOCK = `(select coalesce(json_agg(json_build_object('id', id, 'code', code, 'name', name, 'stock', stock::text,
    'minStock', min_stock::text) order by stock / min_stock, code), '[]')
  from (select i.id, i.code, i.name, i.min_stock, coalesce(l.stock, 0) as stock
    from items i left join (select item_id, sum(on_hand) as stock from stock_levels group by item_id) l on l.item_id = i.id
    where i.active and i.min_stock > 0 and coalesce(l.stock, 0) < i.min_stock
    order by coalesce(l.stock, 0) / i.min_stock, i.code limit ${FIRST}) s)`;

const EXPIRING = `(select coalesce(json_agg(json_build_object('batchNum', batch_num, 'itemName', name, 'expiryDate', expiry_date,
    'quantity', quantity::text) order by expiry_date, batch_num), '[]')
  from (select b.batch_num, i.name, b.expiry_date, l.quantity
    from batches b join items i on i.id = b.item_id
    cross join lateral (select coalesce(sum(on_hand), 0) as quantity from stock_levels where batch_id = b.id) l
    where b.expiry_date <= :today::date + ${EXPIRY_DAYS} and l.quantity > 0 order by b.expiry_date, b.batch_num limit ${FIRST}) e)`;

/** The latest documents by date, each type by its own index. */
const RECENT = `(select coalesce(json_agg(json_build_object('type', doc_type, 'code', code, 'total', total::text, 'partnerName', name)
    order by date desc, id desc), '[]')
  from (select d.*, p.name from unnest(:types::text[]) as t(type)
    cross join lateral (select id, doc_type, code, total, date, partner_id from documents
      where doc_type = t.type and status <> ${STATE.cancelled} order by date desc, id desc limit ${FIRST}) d
    join partners p on p.id = d.partner_id order by d.date desc, d.id desc limit ${FIRST}) r)`;

/** The current period and the previous one; calendar months if the company has no periods yet. */
const SPAN_SQL = `with day as (select ${TODAY} as today), period as (
    select p.id, p.code, p.name, p."from", p."to" from periods p, day where day.today between p."from" and p."to"
  ), now as (
    select day.today, coalesce(p."from", date_trunc('month', day.today)::date) as "from",
      coalesce(p."to", (date_trunc('month', day.today) + interval '1 month - 1 day')::date) as "to"
    from day left join period p on true
  )
  select now.*, coalesce((select b."from" from periods b where b."to" < now."from" order by b."to" desc limit 1),
      (now."from" - interval '1 month')::date) as "before",
    (select json_build_object('id', id, 'code', code, 'name', name) from period) as period
  from now`;

/** A single statement, planned for the actual dates: without knowing them, PostgreSQL would read all documents. */
const DASHBOARD_SQL = `select
    case when :sales then ${turnover('SINV')} end as sales,
    case when :purchases then ${turnover('PINV')} end as purchases,
    case when :stock then ${LOW_STOCK} end as "lowStock",
    case when :stock then ${EXPIRING} end as "expiringBatches",
    ${RECENT} as "recentDocs",
    case when :sales then ${topPartners('SINV')} end as customers,
    case when :purchases then ${topPartners('PINV')} end as suppliers,
    case when :accounting then ${outstanding('SINV', 'in')} end as receivables,
    case when :accounting then ${outstanding('PINV', 'out')} end as payables,
    ${PLACES} as places, ${QUANTITY_PLACES} as "quantityPlaces"`;

/**
 * Reads today's dashboard.
 * @param may whether the caller has a permission; parts that they may not read are null
 */
export async function dashboardSummary(reader: Reader, now: Date, may: (permission: Permission) => boolean) {
  const [span] = await prepared<Span>(reader, SPAN_SQL, { now: now.toISOString() });
  if (span === undefined) throw new Error('the statement always returns one row');
  const { period, ...days } = span;
  const [row] = await query<Row>(reader, DASHBOARD_SQL, {
    ...days,
    sales: may('reports:sales'),
    purchases: may('reports:purchases'),
    stock: may('reports:stock'),
    accounting: may('reports:accounting'),
    types: DOC_TYPES.filter((type) => may(`${DOCUMENT_TYPES[type].resource}:read`)),
  });
  if (row === undefined) throw new Error('the statement always returns one row');
  const money = (value: Decimal) => roundedNumber(value, row.places);
  const quantity = (value: Decimal) => roundedNumber(value, row.quantityPlaces);
  const turned = (side: Turnover | null) =>
    side && { ...side, total: money(side.total), prevTotal: money(side.prevTotal) };
  const open = (side: Outstanding | null) => side && { ...side, open: money(side.open) };
  const partners = (side: readonly TopPartner[] | null) =>
    side?.map(({ name, total }) => ({ name, total: money(total) })) ?? null;
  return {
    period,
    sales: turned(row.sales),
    purchases: turned(row.purchases),
    stockAlerts: {
      lowStock:
        row.lowStock?.map((item) => ({ ...item, stock: quantity(item.stock), minStock: quantity(item.minStock) })) ??
        null,
      expiringBatches: row.expiringBatches?.map((batch) => ({ ...batch, quantity: quantity(batch.quantity) })) ?? null,
    },
    recentDocs: row.recentDocs.map(({ type, code, total, partnerName }) => ({
      type: DOCUMENT_TYPES[type].name,
      code,
      total: money(total),
      partnerName,
    })),
    topPartners: { customers: partners(row.customers), suppliers: partners(row.suppliers) },
    receivables: open(row.receivables),
    payables: open(row.payables),
  };
}
