/** Stock movements of a period by item and warehouse, with the running balance. */
import { Type } from 'typebox';
import { jsonList } from '../../../db/models/selected.ts';
import { stockValue, UNIT_COST, VALUE_CHANGE, WORTH } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, optionalNumber } from '../../../domain/money.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import { amount, day, nullable, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, RANGE, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo } from '../engine/size.ts';

/** The selected stocks as `i`; `:item` and `:warehouse` may be null. Every stock with movements has a level. */
const STOCKS = `
  select s.item_id, s.warehouse_id, i.code, i.name, i.cost_method, w.code as warehouse
  from (select distinct item_id, warehouse_id from stock_levels where (:item::uuid is null or item_id = :item::uuid)
      and (:warehouse::uuid is null or warehouse_id = :warehouse::uuid)) s
    join items i on i.id = s.item_id join warehouses w on w.id = s.warehouse_id`;

/** The layers of a stock in index order, which ordering within a lateral join guarantees. */
const layers = (days: string, order = 'v.date, v.seq') => `(select * from stock_layers v
    where v.item_id = i.item_id and v.warehouse_id = i.warehouse_id and v.date ${days} order by ${order})`;
const PERIOD = 'between :from::date and :to::date';
const MOVED = `(${STOCKS}) i cross join lateral ${layers(PERIOD)} v`;

/** Number of each stock's movements in the period, counted by index alone. */
const COUNTED = `select i.*, (select count(*) from stock_layers v
    where v.item_id = i.item_id and v.warehouse_id = i.warehouse_id and v.date ${PERIOD})::integer as moved from (${STOCKS}) i`;
const ORDER = 'i.code, i.warehouse, i.warehouse_id';

const rowsSql = (from: string) => `
  select v.date, i.item_id, i.code, i.name, i.warehouse_id, i.warehouse, m.zone_id, b.batch_num, v.quantity::text as quantity,
    round(case when v.quantity < 0 then ${WORTH} / v.quantity when v.quantity > 0 then ${UNIT_COST} end,
      6)::text as unit_cost,
    ${VALUE_CHANGE}::text as value, v.quantity_after::text as balance, m.doc_type,
    case when m.landed_cost_id is null then 'stock_' || o.kind else 'landed_cost' end as kind,
    coalesce(m.document_id, m.operation_id, m.landed_cost_id) as document_id, coalesce(d.code, o.code, t.code) as document_code
  from ${from} join stock_movements m on m.id = v.id left join batches b on b.id = m.batch_id
  left join documents d on d.id = m.document_id left join stock_operations o on o.id = m.operation_id
  left join landed_costs t on t.id = m.landed_cost_id
  order by ${ORDER}, v.date, v.seq`;
const ALL_SQL = rowsSql(MOVED);

/** Reads only the stocks on the page; of the first and the last of them, only the movements on it. */
const PAGE = jsonList(
  rowsSql(`(
    select * from (select i.*, sum(i.moved) over (order by ${ORDER} rows unbounded preceding) - i.moved as before from counted i) i
    where i.before < :skip::bigint + :limit::bigint and i.before + i.moved > :skip::bigint) i
  cross join lateral (select * from ${layers(PERIOD)} v offset greatest(0, :skip::bigint - i.before)
    limit :skip::bigint + :limit::bigint - greatest(:skip::bigint, i.before)) v`),
);

/** The stock after its last layer in the days, with its value on a day. */
const last = (days: string, day: string) => `lateral (select v.quantity_after, ${stockValue(day)} as value
    from ${layers(days, 'v.date desc, v.seq desc limit 1')} v)`;
/**
 * Totals are the difference between the stock before and after the period, without reading the layers between: with what new standard costs
 * changed.
 */
const totalsSql = (rows: string) => `
  with counted as materialized (${COUNTED})
  select coalesce(sum(i.moved), 0)::integer as total, coalesce(sum(v.quantity), 0)::text as quantity,
    coalesce(sum(v.value), 0)::text as value, ${rows} as rows
  from counted i
  left join ${last('<= :to::date', ':to::date')} after on i.moved > 0
  left join ${last('< :from::date', ':from::date - 1')} before on i.moved > 0
  cross join lateral (select after.quantity_after - coalesce(before.quantity_after, 0) as quantity,
    after.value - coalesce(before.value, 0) as value) v`;

interface Found {
  readonly date: string;
  readonly item_id: string;
  readonly code: string;
  readonly name: string;
  readonly warehouse_id: string;
  readonly warehouse: string;
  readonly zone_id: string | null;
  readonly batch_num: string | null;
  readonly quantity: Decimal;
  readonly unit_cost: Decimal | null;
  readonly value: Decimal;
  readonly balance: Decimal;
  readonly doc_type: DocType | null;
  /** stock_adjustment …, landed_cost; null for documents. */
  readonly kind: string | null;
  readonly document_id: string | null;
  readonly document_code: string | null;
}

interface Totals {
  readonly total: number;
  readonly quantity: Decimal;
  readonly value: Decimal;
  readonly rows: readonly Found[];
}

type Request = Pick<ReportRequest, 'money' | 'quantity'>;

function movementRow({ doc_type: docType, kind, ...row }: Found, { money, quantity: shown }: Request) {
  return {
    ...row,
    quantity: shown(row.quantity),
    unit_cost: optionalNumber(row.unit_cost),
    value: money(row.value),
    balance: shown(row.balance),
    document_type: docType === null ? kind : DOCUMENT_TYPES[docType].name,
    drilldown: `/api/stock/movements?itemId=${row.item_id}&warehouseId=${row.warehouse_id}&date=${row.date}`,
  };
}

export const stockMovementsReport = defineReport({
  name: 'stock-movements',
  title: { en: 'Stock movements', es: 'Movimientos de existencias' },
  description:
    'By item and warehouse in order of date, with the quantity on hand after each. A quantity of 0 is a change of value only.',
  area: 'stock',
  parameters: { ...RANGE, warehouse_id: Type.Optional(uuid()), item_id: Type.Optional(uuid()) },
  paged: true,
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        date: day(),
        item_id: uuid(),
        code: text(),
        name: text(),
        warehouse_id: uuid(),
        warehouse: text({ description: 'The code of the warehouse' }),
        zone_id: nullable(uuid()),
        batch_num: nullable(text()),
        quantity: quantity({ description: 'Negative: goods left' }),
        unit_cost: nullable(amount({ description: "By the item's costMethod" })),
        value: amount({ description: "Change of the stock's value, by the item's costMethod" }),
        balance: quantity({ description: 'On hand in the warehouse afterwards' }),
        document_type: nullable(
          text({ description: 'sales_invoice …, stock_adjustment, stock_transfer, stock_assembly or landed_cost' }),
        ),
        document_id: nullable(uuid()),
        document_code: nullable(text()),
        drilldown: text({ max: 500 }),
      }),
    ),
    pagination: PAGINATION,
  }),
  summary: Type.Object({ quantity: quantity(), value: amount() }),
  consistent: true,
  size: (request, most) => countUpTo(request.reader, most, `select from ${MOVED}`, movementBindings(request)),
  async read(request) {
    const { reader, page, money, quantity: shown } = request;
    const [found] = await query<Totals>(reader, totalsSql(page === null ? `'[]'::json` : PAGE), {
      ...movementBindings(request),
      limit: page?.limit ?? 0,
      skip: page?.offset ?? 0,
    });
    if (found === undefined) throw new Error('the statement always returns one row');
    return {
      data: { rows: found.rows.map((row) => movementRow(row, request)), pagination: pagination(page, found.total) },
      summary: { quantity: shown(found.quantity), value: money(found.value) },
    };
  },
  async *stream(request) {
    for await (const batch of cursor<Found>(request.reader, ALL_SQL, movementBindings(request))) {
      yield batch.map((row) => movementRow(row, request));
    }
  },
});

interface Chosen {
  readonly params: { readonly warehouse_id?: string; readonly item_id?: string };
  readonly range: { readonly from: string; readonly to: string };
}

function movementBindings({ params, range }: Chosen) {
  return { ...range, item: params.item_id ?? null, warehouse: params.warehouse_id ?? null };
}
