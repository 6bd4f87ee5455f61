/** Stock on hand on a day with its value, by FIFO and by weighted average. */
import { Type } from 'typebox';
import { stocksOn, stockValue } from '../../../db/queries/stock-values.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal, roundedNumber, sum } from '../../../domain/money.ts';
import { footed } from '../../../domain/reports/engine/figures.ts';
import { COST_METHODS, type CostMethod } from '../../../domain/trade/stock/cost-methods.ts';
import { amount, choice, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';

interface Row {
  readonly item_id: string;
  readonly code: string;
  readonly name: string;
  readonly warehouse_id: string;
  readonly warehouse: string;
  readonly cost_method: CostMethod;
  readonly quantity: Decimal;
  readonly fifo_value: Decimal;
  readonly average_value: Decimal;
  readonly value: Decimal;
}

const VALUATION_SQL = `
  select v.item_id, i.code, i.name, v.warehouse_id, w.code as warehouse, i.cost_method, v.quantity_after::text as quantity,
    v.fifo_after::text as fifo_value, v.average_after::text as average_value, ${stockValue(':to::date')}::text as value
  from (${stocksOn(':to::date', ':warehouse::uuid')}) v join items i on i.id = v.item_id join warehouses w on w.id = v.warehouse_id
  where v.quantity_after <> 0 or v.fifo_after <> 0 or v.average_after <> 0
  order by i.code, w.code`;

const VALUES = {
  fifo_value: amount({ description: 'By FIFO' }),
  average_value: amount({ description: 'By weighted average' }),
  value: amount({ description: "By the item's costMethod, as in the stock account of the ledger" }),
};
type Figure = keyof typeof VALUES;

/** Decimals of unit costs. */
const COST_PLACES = 6;

export const stockValuation = defineReport({
  name: 'stock-valuation',
  title: { en: 'Stock valuation', es: 'Valoración de existencias' },
  description: 'At the end of the day `to` (default today), by FIFO and weighted average; for each item and warehouse.',
  area: 'stock',
  parameters: { ...RANGE, warehouse_id: Type.Optional(uuid()) },
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        item_id: uuid(),
        code: text(),
        name: text(),
        warehouse_id: uuid(),
        warehouse: text({ description: 'The code of the warehouse' }),
        quantity: quantity(),
        fifo_value: VALUES.fifo_value,
        average_value: VALUES.average_value,
        average_cost: amount({ description: 'Weighted average cost per unit; 0 without stock' }),
        cost_method: choice(COST_METHODS),
        value: VALUES.value,
        drilldown: text({ max: 500 }),
      }),
    ),
  }),
  summary: Type.Object(VALUES),
  size: estimateOneRow('stock_levels'),
  async read({ reader, params: { warehouse_id: warehouse = null }, range: { to }, settings, money, quantity: shown }) {
    const found = await query<Row>(reader, VALUATION_SQL, { to, warehouse });
    const of = (figure: Figure) => found.map((row) => row[figure]);
    const rounded = (figure: Figure) => footed(of(figure), settings.format.decimalPrecision);
    const [fifo, average, value] = [rounded('fifo_value'), rounded('average_value'), rounded('value')];
    const rows = found.map((row, index) => ({
      ...row,
      quantity: shown(row.quantity),
      fifo_value: money(fifo[index] as Decimal),
      average_value: money(average[index] as Decimal),
      average_cost: averageCost(row),
      value: money(value[index] as Decimal),
      drilldown: `/api/stock/movements?itemId=${row.item_id}&warehouseId=${row.warehouse_id}&date[lte]=${to}`,
    }));
    const total = (figure: Figure) => money(sum(of(figure)).toFixed());
    return {
      from: null,
      data: { rows },
      summary: { fifo_value: total('fifo_value'), average_value: total('average_value'), value: total('value') },
    };
  },
});

function averageCost({ average_value: value, quantity: pieces }: Row): number {
  return decimal(pieces).eq(0) ? 0 : roundedNumber(decimal(value).div(pieces).toFixed(), COST_PLACES);
}
