/** Rotation of each item's stock in a period: average stock, turnover, days of stock, ABC class, dead stock. */
import { Type } from 'typebox';
import { WORTH } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, optionalNumber, sum, toNumber } from '../../../domain/money.ts';
import { computeRotation, type Rotation, type StockUse } from '../../../domain/reports/stock/rotation.ts';
import { amount, choice, flag, nullable, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';

type Row = StockUse & { readonly item_id: string; readonly code: string; readonly name: string; readonly days: number };

/** The period's layers by stock, and the quantity of each stock before it. A movement takes effect at the end of its day. */
const USE_SQL = `
  with stocks as (
    select distinct item_id, warehouse_id from stock_levels where :warehouse::uuid is null or warehouse_id = :warehouse::uuid
  ), before as (
    select s.item_id, sum(v.quantity_after) as quantity from stocks s cross join lateral (
      select quantity_after from stock_layers v where v.item_id = s.item_id and v.warehouse_id = s.warehouse_id and v.date < :from::date
      order by v.date desc, v.seq desc limit 1) v
    group by 1
  ), moved as (
    select s.item_id, sum(v.quantity) as quantity, sum(v.quantity * (:to::date - v.date + 1)) as days,
      -sum(v.quantity) filter (where m.doc_type in ('SDN', 'SINV')) as sold,
      -sum(${WORTH}) filter (where m.doc_type in ('SDN', 'SINV')) as cost
    from stocks s join items i on i.id = s.item_id
    cross join lateral (
      select * from stock_layers v where v.item_id = s.item_id and v.warehouse_id = s.warehouse_id
        and v.date between :from::date and :to::date order by v.date, v.seq) v
    join stock_movements m on m.id = v.id
    group by 1
  ), used as (
    select i.id as item_id, i.code, i.name, coalesce(b.quantity, 0) as before, coalesce(m.quantity, 0) as change,
      coalesce(m.days, 0) as days, coalesce(m.sold, 0) as sold, coalesce(m.cost, 0) as cost
    from items i left join before b on b.item_id = i.id left join moved m on m.item_id = i.id
    where b.quantity <> 0 or m.item_id is not null
  )
  select item_id, code, name, before::text, (before + change)::text as after, sold::text, cost::text,
    (before * (:to::date - :from::date + 1) + days)::text as "quantityDays", :to::date - :from::date + 1 as days
  from used order by code`;

const SOLD = quantity({ description: 'Quantity sold, less returns' });
const COST = amount({ description: 'Cost of the goods sold' });

export const stockRotation = defineReport({
  name: 'stock-rotation',
  title: { en: 'Stock rotation', es: 'Rotación de existencias' },
  description:
    'Turnover: what was sold over the average stock of all days. Classes by the cost of what was sold: A the items that make up 80 % of ' +
    'it, B up to 95 %, C the rest. Dead: there all the time, and nothing sold.',
  area: 'stock',
  parameters: { ...RANGE, warehouse_id: Type.Optional(uuid()) },
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        item_id: uuid(),
        code: text(),
        name: text(),
        sold: SOLD,
        cost: COST,
        average_stock: quantity({ description: 'Average over all days of the period' }),
        turnover: amount({ description: 'Number of times that the average stock was sold' }),
        days_of_stock: nullable(
          amount({ description: 'For how many days the average stock lasts; null: nothing was sold' }),
        ),
        class: choice(['A', 'B', 'C'], { description: 'By the cost of what was sold' }),
        dead: flag({ description: 'There all the time, and nothing sold' }),
        drilldown: text({ max: 500 }),
      }),
    ),
  }),
  summary: Type.Object({ sold: SOLD, cost: COST }),
  size: estimateOneRow('items'),
  async read({ reader, params: { warehouse_id: warehouse = null }, range, settings, money, quantity: shown }) {
    const found = await query<Row>(reader, USE_SQL, { ...range, warehouse });
    const rotations = computeRotation(found, found[0]?.days ?? 1, settings.format.quantityPrecision);
    const inWarehouse = warehouse === null ? '' : `&warehouseId=${warehouse}`;
    const rows = found.map((row, index) => {
      const { averageStock, turnover, daysOfStock, class: abc, dead } = rotations[index] as Rotation;
      return {
        item_id: row.item_id,
        code: row.code,
        name: row.name,
        sold: shown(row.sold),
        cost: money(row.cost),
        average_stock: toNumber(averageStock),
        turnover: toNumber(turnover),
        days_of_stock: optionalNumber(daysOfStock),
        class: abc,
        dead,
        drilldown: `/api/stock/movements?itemId=${row.item_id}${inWarehouse}&date[gte]=${range.from}&date[lte]=${range.to}`,
      };
    });
    const total = (values: readonly Decimal[]) => sum(values).toFixed();
    return {
      data: { rows },
      summary: { sold: shown(total(found.map(({ sold }) => sold))), cost: money(total(found.map(({ cost }) => cost))) },
    };
  },
});
