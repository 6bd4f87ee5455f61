/** Stock movements of a period by item and warehouse, with the running balance. */
import { Type } from 'typebox';
import { byMethod, WORTH } from '../../db/queries/stock-values.ts';
import { query } from '../../db/sql.ts';
import { DOCUMENT_TYPES, type DocType } from '../../domain/documents/types.ts';
import { type Decimal, toNumber } from '../../domain/money.ts';
import { amount, day, nullable, quantity, text, uuid } from '../validation/schemas.ts';
import { cursor } from './cursor.ts';
import { defineReport, RANGE, type ReportRequest } from './declaration.ts';
import { PAGINATION, pagination } from './paging.ts';
import { countUpTo } from './size.ts';

/** The layers of each stock by its index, which the order within a lateral join makes certain; `:item` and `:warehouse` may be null. */
const MOVED = `
  (select distinct item_id, warehouse_id from stock_levels where (:item::uuid is null or item_id = :item::uuid)
    and (:warehouse::uuid is null or warehouse_id = :warehouse::uuid)) s
  join items i on i.id = s.item_id join warehouses w on w.id = s.warehouse_id
  cross join lateral (
    select * from stock_layers v
    where v.item_id = s.item_id and v.warehouse_id = s.warehouse_id and v.date between :from::date and :to::date
    order by v.date, v.seq) v`;

const ROWS_SQL = `
  select v.date, s.item_id, i.code, i.name, s.warehouse_id, w.code as warehouse, m.zone_id, b.batch_num, v.quantity::text as quantity,
    round(case when v.quantity < 0 then ${WORTH} / v.quantity when v.quantity > 0 then ${byMethod('fifo_unit_cost', 'unit_cost')} end,
      6)::text as unit_cost,
    (${byMethod('fifo_change', 'average_change')})::text as value, v.quantity_after::text as balance, m.doc_type, o.kind,
    coalesce(m.document_id, m.operation_id) as document_id, coalesce(d.code, o.code) as document_code
  from ${MOVED} join stock_movements m on m.id = v.id left join batches b on b.id = m.batch_id
  left join documents d on d.id = m.document_id left join stock_operations o on o.id = m.operation_id
  order by i.code, w.code, s.warehouse_id, v.date, v.seq`;

const TOTALS_SQL = `
  select count(*)::integer as total, coalesce(sum(v.quantity), 0)::text as quantity,
    coalesce(sum(${byMethod('fifo_change', 'average_change')}), 0)::text as value from ${MOVED}`;

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
  readonly kind: 'adjustment' | 'transfer' | null;
  readonly document_id: string | null;
  readonly document_code: string | null;
}

type Request = Pick<ReportRequest, 'money' | 'quantity'>;

function rowOf({ doc_type: docType, kind, ...row }: Found, { money, quantity: shown }: Request) {
  return {
    ...row,
    quantity: shown(row.quantity),
    unit_cost: row.unit_cost === null ? null : toNumber(row.unit_cost),
    value: money(row.value),
    balance: shown(row.balance),
    document_type: docType === null ? (kind === null ? null : `stock_${kind}`) : DOCUMENT_TYPES[docType].name,
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
        value: amount({ description: "By how much it changed the value of the stock, by the item's costMethod" }),
        balance: quantity({ description: 'On hand in the warehouse afterwards' }),
        document_type: nullable(text({ description: 'sales_invoice …, stock_adjustment or stock_transfer' })),
        document_id: nullable(uuid()),
        document_code: nullable(text()),
        drilldown: text({ max: 500 }),
      }),
    ),
    pagination: PAGINATION,
  }),
  summary: Type.Object({ quantity: quantity(), value: amount() }),
  consistent: true,
  size: (request, most) => countUpTo(request.reader, most, `select from ${MOVED}`, bindingsOf(request)),
  async read(request) {
    const { reader, page, money, quantity: shown } = request;
    const bindings = bindingsOf(request);
    const [totals] = await query<{ total: number; quantity: Decimal; value: Decimal }>(reader, TOTALS_SQL, bindings);
    if (totals === undefined) throw new Error('the statement always returns one row');
    const paged = { ...bindings, limit: page?.limit ?? 0, offset: page?.offset ?? 0 };
    const found = page === null ? [] : await query<Found>(reader, `${ROWS_SQL} limit :limit offset :offset`, paged);
    return {
      data: { rows: found.map((row) => rowOf(row, request)), pagination: pagination(page, totals.total) },
      summary: { quantity: shown(totals.quantity), value: money(totals.value) },
    };
  },
  async *stream(request) {
    for await (const batch of cursor<Found>(request.reader, ROWS_SQL, bindingsOf(request))) {
      yield batch.map((row) => rowOf(row, request));
    }
  },
});

interface Chosen {
  readonly params: { readonly warehouse_id?: string; readonly item_id?: string };
  readonly range: { readonly from: string; readonly to: string };
}

function bindingsOf({ params, range }: Chosen) {
  return { ...range, item: params.item_id ?? null, warehouse: params.warehouse_id ?? null };
}
