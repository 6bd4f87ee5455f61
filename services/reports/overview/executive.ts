/** The executive summary: key figures compared with a year earlier, and monthly series (decision 0177). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { monthsWithin, yearEarlier } from '../../../domain/days.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { type AccountChart, isIn } from '../../../domain/ledger/accounting/charts/chart.ts';
import { RESULT_TYPES } from '../../../domain/ledger/accounting/results.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { type AccountFigures, indicators } from '../../../domain/reports/overview/indicators.ts';
import { type AccountBalance, readBalances } from '../../ledger/accounting/balances/read.ts';
import { amount, choice, day, nullable, text } from '../../platform/validation/schemas.ts';
import { SOLD_LINES } from '../../trade/lines/sold.ts';
import { stockWarnings } from '../accounting/stock-warning.ts';
import { defineReport, percent, RANGE } from '../engine/declaration.ts';

const MAX_MONTHS = 121;

const KPI = Type.Object({
  code: text({ description: 'Identifies the figure: revenue, result, cash …' }),
  name: text({ description: "In the company's language" }),
  unit: choice(['amount', 'percent'], { description: 'Unit of `value` and `previous`' }),
  value: amount({ description: 'Figure of the period, or at its end' }),
  previous: amount({ description: 'A year earlier' }),
  change_percent: nullable(percent({ description: 'null where there was nothing a year earlier' })),
  drilldown: text({ max: 500 }),
});

const MONTH = Type.Object({
  month: day({ description: 'Its first day' }),
  revenue: amount({ description: 'Net turnover' }),
  expense: amount({ description: 'All expenses' }),
  result: amount({ description: 'Income less expenses' }),
  previous_revenue: amount({ description: 'A year earlier' }),
});

/** Files show a month's name, not its first day. */
const SHOWN_MONTH = Type.Object({ ...MONTH.properties, month: text() });

const TITLES = {
  name: { en: 'Figure', es: 'Indicador' },
  value: { en: 'Value', es: 'Valor' },
  previous: { en: 'A year earlier', es: 'Un año antes' },
  change_percent: { en: 'Change %', es: 'Variación %' },
  month: { en: 'Month', es: 'Mes' },
  revenue: { en: 'Net turnover', es: 'Cifra de negocios' },
  expense: { en: 'Expenses', es: 'Gastos' },
  result: { en: 'Result', es: 'Resultado' },
  previous_revenue: { en: 'Net turnover a year earlier', es: 'Cifra de negocios un año antes' },
};

const RESULT_AND_EXPENSES = { en: 'Result and expenses', es: 'Resultado y gastos' };

type Moved = AccountBalance<'now' | 'before', 'month'>;
type Standing = AccountBalance<'now' | 'before'>;

export const executive = defineReport({
  name: 'executive',
  title: { en: 'Executive summary', es: 'Resumen ejecutivo' },
  description:
    'Key figures of a period from the ledger, beside those of a year earlier, and the course of the months. The gross margin has the ' +
    'cost of the goods sold, as the profit reports do, if the company keeps stock.',
  area: 'accounting',
  parameters: RANGE,
  data: Type.Object({
    kpis: Type.Array(KPI, { description: 'Key figures' }),
    series: Type.Array(MONTH, { description: 'By the month' }),
  }),
  summary: Type.Object({
    revenue: amount({ description: 'Net turnover' }),
    result: amount({ description: 'Income less expenses' }),
    cash: amount({ description: 'Cash and banks at the end' }),
  }),
  consistent: true,
  check({ range }) {
    if (monthsWithin(range).length > MAX_MONTHS)
      throw refusedParameter('to', 'must not be more than ten years after from');
  },
  async read({ reader, ctx: { tenantId }, range, settings, accountChart, language, money }) {
    const months = monthsWithin(range);
    const earlier = { from: yearEarlier(range.from), to: yearEarlier(range.to) };
    const moved = await readBalances(reader, {
      tenantId,
      spans: { now: { ...range, kinds: 'normal' }, before: { ...earlier, kinds: 'normal' } },
      by: ['month'],
      types: RESULT_TYPES,
    });
    const standing = await readBalances(reader, {
      tenantId,
      spans: { now: { to: range.to, kinds: 'unclosed' }, before: { to: earlier.to, kinds: 'unclosed' } },
      types: ['asset', 'liability', 'equity'],
    });
    const found = indicators(
      { accounts: sumFigures('now', moved, standing), soldGoods: await readSoldGoods(reader, range) },
      { accounts: sumFigures('before', moved, standing), soldGoods: await readSoldGoods(reader, earlier) },
      accountChart,
    );
    const kpis = found.map(({ code, name, unit, report, value, previous, changePercent }) => ({
      code,
      name: name[language],
      unit,
      value: money(value),
      previous: money(previous),
      change_percent: changePercent === null ? null : Number(changePercent),
      drilldown: `/api/reports/${report}?from=${range.from}&to=${range.to}`,
    }));
    const figure = (code: string) => kpis.find((kpi) => kpi.code === code)?.value ?? 0;
    return {
      data: { kpis, series: monthlySeries(moved, months, { chart: accountChart, money }) },
      summary: { revenue: figure('revenue'), result: figure('result'), cash: figure('cash') },
      warnings: await stockWarnings(reader, { settings, language }, range.to),
    };
  },
  file: ({ data }) => ({
    tables: [
      {
        row: KPI,
        columns: ['name', 'value', 'previous', 'change_percent'],
        titles: TITLES,
        // Amounts and percentages share columns.
        rows: data.kpis.map((kpi) => (kpi.unit === 'percent' ? { ...kpi, name: `${kpi.name} (%)` } : kpi)),
      },
      {
        title: { en: 'By the month', es: 'Por meses' },
        row: SHOWN_MONTH,
        titles: TITLES,
        rows: data.series.map((month) => ({ ...month, month: shortMonth(month.month) })),
      },
    ],
  }),
  charts: ({ data, language }) => {
    const categories = data.series.map(({ month }) => shortMonth(month));
    const line = (member: 'revenue' | 'expense' | 'result' | 'previous_revenue') => ({
      name: TITLES[member][language],
      values: data.series.map((month) => month[member]),
    });
    return [
      {
        title: TITLES.revenue[language],
        kind: 'bar',
        categories,
        series: [line('revenue'), line('previous_revenue')],
      },
      { title: RESULT_AND_EXPENSES[language], kind: 'line', categories, series: [line('result'), line('expense')] },
    ];
  },
});

/** The cost of the goods sold in a period, as in the profit reports; null if the company kept no stock until then. */
async function readSoldGoods(
  reader: Reader,
  days: { readonly from: string; readonly to: string },
): Promise<Decimal | null> {
  const [stock] = await prepared<{ kept: boolean }>(reader, STOCK_KEPT_SQL, { to: days.to });
  if (stock?.kept !== true) return null;
  const [found] = await prepared<{ cost: Decimal }>(reader, SOLD_GOODS_SQL, days);
  return found?.cost ?? null;
}

/** Asked first, since planning the sum takes longer than all else in the report. */
const STOCK_KEPT_SQL = 'select exists (select from stock_layers where date <= :to::date) as kept';
const SOLD_GOODS_SQL = `select coalesce(sum(cost), 0)::text as cost from (${SOLD_LINES}) sold`;

function sumFigures(span: 'now' | 'before', moved: readonly Moved[], standing: readonly Standing[]): AccountFigures[] {
  return [
    ...moved.map(({ code, type, sums }) => ({ code, type, moved: sums[span].balance, standing: '0' as const })),
    ...standing.map(({ code, type, sums }) => ({ code, type, moved: '0' as const, standing: sums[span].balance })),
  ];
}

/** Lists every month of the period, including those without entries. */
function monthlySeries(
  moved: readonly Moved[],
  months: readonly string[],
  { chart, money }: { readonly chart: AccountChart; readonly money: (value: Decimal) => number },
) {
  const ofMonth = groupBy(moved, ({ month }) => month);
  const add = (month: string, span: 'now' | 'before', matches: (account: Moved) => boolean) =>
    sum((ofMonth.get(month) ?? []).filter(matches).map(({ sums }) => sums[span].balance));
  const isRevenue = ({ code }: Moved) => isIn(chart, 'revenue', code);
  return months.map((month) => {
    const expense = add(month, 'now', ({ type }) => type === 'expense');
    const income = add(month, 'now', ({ type }) => type === 'income').neg();
    const before = yearEarlier(month);
    return {
      month,
      revenue: money(add(month, 'now', isRevenue).neg().toFixed()),
      expense: money(expense.toFixed()),
      result: money(income.minus(expense).toFixed()),
      previous_revenue: money(add(before, 'before', isRevenue).neg().toFixed()),
    };
  });
}

/** 10/2026 */
function shortMonth(firstDay: string): string {
  return `${firstDay.slice(5, 7)}/${firstDay.slice(0, 4)}`;
}
