/** Variances of goods with standard costs, by item and kind. */
import { Type } from 'typebox';
import { VARIANCE_KINDS, VARIANCES } from '../../../db/queries/cost-variances.ts';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { footed } from '../../../domain/reports/engine/figures.ts';
import { amount, choice, quantity, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { estimateOneRow } from '../engine/size.ts';

const SQL = `
  select v.item_id, i.code, i.name, v.kind, sum(v.quantity)::text as quantity, sum(v.actual)::text as actual,
    sum(v.standard)::text as standard
  from (${VARIANCES}) v join items i on i.id = v.item_id
  where :item::uuid is null or v.item_id = :item::uuid
  group by v.item_id, i.code, i.name, v.kind having sum(v.quantity) <> 0 or sum(v.actual) <> sum(v.standard)
  order by i.code, array_position(:kinds::text[], v.kind)`;

interface Found {
  readonly item_id: string;
  readonly code: string;
  readonly name: string;
  readonly kind: (typeof VARIANCE_KINDS)[number];
  readonly quantity: Decimal;
  readonly actual: Decimal;
  readonly standard: Decimal;
}

const VALUES = {
  actual: amount({ description: 'What the goods cost; of a new standard cost: the value of the stock before' }),
  standard: amount({ description: 'At the standard cost of the day' }),
  variance: amount({ description: 'Actual less standard: above zero, the goods cost more than planned' }),
};
const ROW = Type.Object({
  item_id: uuid(),
  code: text(),
  name: text(),
  kind: choice(VARIANCE_KINDS, {
    description:
      'Goods bought; later changes of their cost, such as landed costs and prices of invoices; counts with a cost; assemblies; the ' +
      'stock at the day of a new standard cost',
  }),
  quantity: quantity({ description: 'Of the goods; 0 for changes of their cost' }),
  ...VALUES,
  drilldown: text({ max: 500 }),
});

export const costVariances = defineReport({
  name: 'cost-variances',
  title: { en: 'Variances from standard costs', es: 'Desviaciones de costes estándar' },
  description:
    'Items with the costMethod `standard`, by kind. The stock variation enters what the year lacks of them on the account of variances.',
  area: 'stock',
  parameters: { ...RANGE, item_id: Type.Optional(uuid()) },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(VALUES),
  size: estimateOneRow('stock_levels'),
  async read({ reader, params: { item_id: item = null }, range: { from, to }, settings, money, quantity: shown }) {
    const found = await query<Found>(reader, SQL, { from, to, item, kinds: VARIANCE_KINDS });
    const rounded = (member: 'actual' | 'standard') =>
      footed(
        found.map((row) => row[member]),
        settings.format.decimalPrecision,
      );
    const [actual, standard] = [rounded('actual'), rounded('standard')];
    const figures = (real: Decimal, planned: Decimal) => ({
      actual: money(real),
      standard: money(planned),
      variance: money(decimal(real).minus(planned).toFixed()),
    });
    const rows = found.map((row, index) => ({
      ...row,
      quantity: shown(row.quantity),
      ...figures(actual[index] as Decimal, standard[index] as Decimal),
      drilldown: `/api/stock/movements?itemId=${row.item_id}&date[gte]=${from}&date[lte]=${to}`,
    }));
    return { data: { rows }, summary: figures(sum(actual).toFixed(), sum(standard).toFixed()) };
  },
});
