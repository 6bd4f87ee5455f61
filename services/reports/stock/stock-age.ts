/** Stock on hand by the time for which it has been there: by FIFO, what came last is still there. */
import { type TSchema, Type } from 'typebox';
import { byMethod, standardCost, stocksOn } from '../../../db/queries/stock-values.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { amount, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { PRESENT_UNIT_COST } from '../../trade/stock/sources.ts';
import { defineReport } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';

/** Ages in days, from the first to the last; null for no end. */
const AGES = [
  { name: 'up_to_30', from: 0, to: 30, title: { en: 'Up to 30 days', es: 'Hasta 30 días' } },
  { name: 'up_to_90', from: 31, to: 90, title: { en: '31–90 days', es: '31–90 días' } },
  { name: 'up_to_180', from: 91, to: 180, title: { en: '91–180 days', es: '91–180 días' } },
  { name: 'up_to_365', from: 181, to: 365, title: { en: '181–365 days', es: '181–365 días' } },
  { name: 'older', from: 366, to: null, title: { en: 'Over a year', es: 'Más de un año' } },
] as const;

const VALUE_TITLE = { en: 'Value', es: 'Valor' };

/** A column for each age, with a title of its own. */
const columns = (prefix: string, schema: () => TSchema) =>
  Object.fromEntries(AGES.map(({ name }) => [`${prefix}${name}`, schema()]));
const titles = (prefix: string, words: Texts | null) =>
  Object.fromEntries(
    AGES.map(({ name, title }): [string, Texts] => [
      `${prefix}${name}`,
      words === null ? title : { en: `${words.en} ${title.en}`, es: `${words.es} ${title.es}` },
    ]),
  );

const VALUES = columns('value_', () => amount({ description: "By the item's costMethod" }));
const ROW = Type.Object({
  item_id: uuid(),
  code: text(),
  name: text(),
  warehouse_id: uuid(),
  warehouse: text({ description: 'The code of the warehouse' }),
  quantity: quantity({ description: 'On hand' }),
  ...columns('', () => quantity({ description: 'On hand for so many days' })),
  ...VALUES,
  value: amount({ description: "By the item's costMethod" }),
  drilldown: text({ max: 500 }),
});

const within = ({ from, to }: (typeof AGES)[number]) =>
  to === null ? `age >= ${from}` : `age between ${from} and ${to}`;

/** The remaining quantities of FIFO layers. Goods that were transferred are as old as their transfer. */
const SQL = `
  with stocks as (select s.*, i.code, i.name, i.cost_method, w.code as warehouse
    from (${stocksOn(TODAY, ':warehouse::uuid')}) s join items i on i.id = s.item_id join warehouses w on w.id = s.warehouse_id
    where s.quantity_after > 0),
  layers as (
    select s.item_id, s.warehouse_id, greatest(${TODAY} - l.date, 0) as age, l.remaining,
      l.remaining * ${byMethod(PRESENT_UNIT_COST, 's.average_after / s.quantity_after', standardCost('s.item_id', TODAY), 's')} as value
    from stocks s join stock_layers l on l.item_id = s.item_id and l.warehouse_id = s.warehouse_id and l.remaining > 0
  ), aged as (
    select item_id, warehouse_id, sum(remaining) as quantity, sum(value) as value,
      ${AGES.map((age) => `coalesce(sum(remaining) filter (where ${within(age)}), 0)::text as ${age.name}`).join(',\n      ')},
      ${AGES.map((age) => `coalesce(sum(value) filter (where ${within(age)}), 0)::text as value_${age.name}`).join(',\n      ')}
    from layers group by 1, 2
  )
  select s.code, s.name, s.warehouse, a.item_id, a.warehouse_id, a.quantity::text, a.value::text,
    ${AGES.flatMap(({ name }) => [`a.${name}`, `a.value_${name}`]).join(', ')}
  from aged a join stocks s on s.item_id = a.item_id and s.warehouse_id = a.warehouse_id order by s.code, s.warehouse`;

type Found = Readonly<Record<string, Decimal>> & {
  readonly item_id: string;
  readonly warehouse_id: string;
  readonly code: string;
  readonly name: string;
  readonly warehouse: string;
};

export const stockAge = defineReport({
  name: 'stock-age',
  title: { en: 'Stock by age', es: 'Antigüedad de existencias' },
  description:
    'Stock on hand today by the days since it came, by FIFO: what came first has left. Transferred goods count from their transfer.',
  area: 'stock',
  parameters: { warehouse_id: Type.Optional(uuid()) },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object({ ...VALUES, value: amount({ description: 'Value of all' }) }),
  size: estimateOneRow('stock_levels'),
  async read({ reader, ctx, params: { warehouse_id: warehouse = null }, money, quantity: shown }) {
    const found = await query<Found>(reader, SQL, { warehouse, now: ctx.now.toISOString() });
    const of = (row: Found, member: string) => row[member] ?? '0';
    const rows = found.map((row) => ({
      item_id: row.item_id,
      code: row.code,
      name: row.name,
      warehouse_id: row.warehouse_id,
      warehouse: row.warehouse,
      quantity: shown(of(row, 'quantity')),
      ...Object.fromEntries(AGES.map(({ name }) => [name, shown(of(row, name))])),
      ...Object.fromEntries(AGES.map(({ name }) => [`value_${name}`, money(of(row, `value_${name}`))])),
      value: money(of(row, 'value')),
      drilldown: `/api/stock/movements?itemId=${row.item_id}&warehouseId=${row.warehouse_id}`,
    }));
    const total = (member: string) => money(sum(found.map((row) => of(row, member))).toFixed());
    return {
      data: { rows },
      summary: {
        ...Object.fromEntries(AGES.map(({ name }) => [`value_${name}`, total(`value_${name}`)])),
        value: total('value'),
      },
    };
  },
  file: ({ data, summary }) => ({
    tables: [
      { row: ROW, titles: { ...titles('', null), ...titles('value_', VALUE_TITLE) }, rows: data.rows, totals: summary },
    ],
  }),
});
