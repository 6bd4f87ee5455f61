/** Profit by customer, item, project and so on: net revenue of posted invoices less the cost of the goods (decision 0174). */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { endOfMonth } from '../../../domain/days.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { memberLabel } from '../../../domain/locale/labels.ts';
import type { Decimal } from '../../../domain/money.ts';
import { toNumber } from '../../../domain/money.ts';
import type { Permission } from '../../../domain/permissions.ts';
import type { Chart } from '../../../domain/reports/engine/charts.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { type Profit, profits } from '../../../domain/reports/sales/profit.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { amount, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { SOLD_LINES } from '../../trade/lines/sold.ts';
import {
  DIMENSION_FILTERS,
  dimensionBindings,
  dimensionQuery,
  withinDimensions,
} from '../accounting/dimension-filters.ts';
import { defineReport, percent, RANGE, type Report } from '../engine/declaration.ts';
import { estimateOneRow, type Listed } from '../engine/size.ts';
import { expensesSql } from './expenses.ts';
import type { ProfitMember } from './profit-lines.ts';

/** A dimension by which profit is grouped. */
interface Grouping {
  /** As in the report's name: profit-customer. */
  readonly by: string;
  readonly title: Texts;
  /** Name of the sheet in the workbook. */
  readonly sheet?: Texts;
  readonly none: Texts;
  /** The member that contains the id. */
  readonly member: ProfitMember;
  /** Table with code and name of the ids; null for texts. */
  readonly table: Listed | null;
  /** Whether expenses are assigned to it, too. */
  readonly expenses?: true;
}

const GROUPINGS: readonly Grouping[] = [
  {
    by: 'customer',
    title: { en: 'Profit by customer', es: 'Rentabilidad por cliente' },
    none: { en: 'Without customer', es: 'Sin cliente' },
    member: 'partner_id',
    table: 'partners',
  },
  {
    by: 'item',
    title: { en: 'Profit by item', es: 'Rentabilidad por artículo' },
    none: { en: 'Without item', es: 'Sin artículo' },
    member: 'item_id',
    table: 'items',
  },
  {
    by: 'project',
    title: { en: 'Profit by project', es: 'Rentabilidad por proyecto' },
    none: { en: 'Without project', es: 'Sin proyecto' },
    member: 'project_id',
    table: 'projects',
    expenses: true,
  },
  {
    by: 'cost-center',
    title: { en: 'Profit by cost center', es: 'Rentabilidad por centro de coste' },
    sheet: { en: 'Profit by cost center', es: 'Por centro de coste' },
    none: { en: 'Without cost center', es: 'Sin centro de coste' },
    member: 'cost_center_id',
    table: 'cost_centers',
    expenses: true,
  },
  {
    by: 'category',
    title: { en: 'Profit by category', es: 'Rentabilidad por categoría' },
    none: { en: 'Without category', es: 'Sin categoría' },
    member: 'category_id',
    table: 'categories',
  },
  {
    by: 'salesperson',
    title: { en: 'Profit by salesperson', es: 'Rentabilidad por comercial' },
    none: { en: 'Without salesperson', es: 'Sin comercial' },
    member: 'salesperson_id',
    table: 'salespeople',
  },
  {
    by: 'partner-group',
    title: { en: 'Profit by partner group', es: 'Rentabilidad por grupo de terceros' },
    sheet: { en: 'Profit by partner group', es: 'Por grupo de terceros' },
    none: { en: 'Without group', es: 'Sin grupo' },
    member: 'partner_group_id',
    table: 'partner_groups',
  },
  {
    by: 'country',
    title: { en: 'Profit by country', es: 'Rentabilidad por país' },
    none: { en: 'Without country', es: 'Sin país' },
    member: 'country',
    table: null,
  },
  {
    by: 'month',
    title: { en: 'Profit by month', es: 'Rentabilidad por mes' },
    none: { en: 'Without month', es: 'Sin mes' },
    member: 'month',
    table: null,
  },
];

const FILTERS = ['partner_id', 'project_id', 'cost_center_id'] as const;
type Filters = Partial<Readonly<Record<(typeof FILTERS)[number], string | undefined>>>;

interface Row {
  readonly id: string | null;
  readonly code: string | null;
  readonly name: string | null;
  readonly revenue: Decimal;
  readonly cost: Decimal;
  readonly expenses?: Decimal;
}

const earned = (member: ProfitMember) => `earned as (
    select ${member} as id, sum(amount) as revenue, sum(cost) as cost from (${SOLD_LINES}) sold
    where (:partner::uuid is null or partner_id = :partner::uuid) and ${withinDimensions('project_id', 'cost_center_id')} group by 1
  )`;

const profitSql = ({ member, table }: Grouping) => `
  with ${earned(member)}
  ${
    table === null
      ? `select e.id, e.id as code, e.id as name, e.revenue::text, e.cost::text from earned e
  order by ${member === 'month' ? 'e.id' : 'e.revenue desc, e.id'}`
      : `select e.id, t.code, t.name, e.revenue::text, e.cost::text from earned e left join ${table} t on t.id = e.id
  order by e.revenue desc, t.code, e.id`
  }`;

/** The same with other expenses that are assigned to the project or cost center. */
const resultSql = ({ member, table }: Grouping) => `
  with ${earned(member)}, spent as (${expensesSql(member === 'project_id' ? 'project_id' : 'cost_center_id')})
  select coalesce(e.id, x.id) as id, t.code, t.name, (coalesce(e.revenue, 0) + coalesce(x.revenue, 0))::text as revenue,
    coalesce(e.cost, 0)::text as cost, coalesce(x.expenses, 0)::text as expenses
  from earned e full join spent x on x.id = e.id left join ${table} t on t.id = coalesce(e.id, x.id)
  order by coalesce(e.revenue, 0) + coalesce(x.revenue, 0) desc, t.code, 1`;

const FIGURES = {
  revenue: amount({
    description: 'Net of tax; by project and cost center, income that is spread counts when it is released',
  }),
  cost: amount({ description: 'Cost of the goods' }),
  margin: amount({ description: 'Revenue less cost, and less expenses where there are any' }),
  margin_percent: percent({ description: 'Margin as percentage of the revenue; 0 without revenue' }),
};

const EXPENSES = {
  expenses: amount({
    description:
      'Other expenses assigned to it, less other income: purchases of services and goods without stock, and entries; pay for those who ' +
      'may read it. What is assigned to none is in the profit and loss account alone. None where the report is of one customer',
  }),
};

const DRILLDOWN = { drilldown: text({ max: 500 }) };
const EXPENSES_DRILLDOWN = nullable(
  text({ max: 500, description: 'Its profit and loss account, by the accounts behind it; null without one' }),
);

const TITLES = { share: { en: '% of revenue', es: '% de los ingresos' } };

function profitReport(grouping: Grouping): Report {
  const { by, title, sheet, none, member, table, expenses = false } = grouping;
  const sql = expenses ? resultSql(grouping) : profitSql(grouping);
  const { revenue, cost, ...margins } = FIGURES;
  const columns = expenses ? { revenue, cost, ...EXPENSES, ...margins } : FIGURES;
  const links = expenses ? { ...DRILLDOWN, expenses_drilldown: EXPENSES_DRILLDOWN } : DRILLDOWN;
  const row = Type.Object({
    [member]: table === null ? text() : nullable(uuid()),
    code: nullable(text()),
    name: text(),
    ...columns,
    share: percent({ description: 'Percentage of the whole revenue' }),
    ...links,
  });
  return defineReport({
    name: `profit-${by}`,
    title,
    description:
      'Net revenue of posted invoices, less rectifications, and what the goods cost that left, with what was settled of that since. An ' +
      'invoice that was cancelled is taken back on the day of its reversal, as in the ledger.',
    area: 'sales',
    parameters: { ...RANGE, partner_id: Type.Optional(uuid()), ...DIMENSION_FILTERS },
    data: Type.Object({ rows: Type.Array(row) }),
    summary: Type.Object(columns),
    size: estimateOneRow(table ?? 'partners'),
    ...(expenses ? { discretion: payPermission } : {}),
    async read({ reader, ctx, params, range, language, money }) {
      const pay = expenses && (await payPermission(reader, ctx)) !== null;
      const bindings = { ...range, partner: params.partner_id ?? null, pay, ...dimensionBindings(params) };
      const found = profits(await query<Row>(reader, sql, bindings));
      const figures = (profit: Profit) => ({
        revenue: money(profit.revenue),
        cost: money(profit.cost),
        ...(expenses ? { expenses: money(profit.expenses) } : {}),
        margin: money(profit.margin),
        margin_percent: toNumber(profit.marginPercent),
      });
      const rows = found.rows.map((row) => ({
        [member]: row.id,
        code: row.code,
        name: row.name ?? none[language],
        ...figures(row),
        share: toNumber(row.share),
        drilldown: drilldown(member, row.id, member === 'month' ? daysOfMonth(range, row.id) : range, params),
        ...(expenses ? { expenses_drilldown: accountPath(member, row.id, range, params) } : {}),
      }));
      return { data: { rows }, summary: figures(found.total) };
    },
    file: ({ data, summary }) => ({ tables: [{ sheet, row, titles: TITLES, rows: data.rows, totals: summary }] }),
    charts: ({ data, language }) => [profitChart(title[language], data.rows as readonly Charted[], language)],
  });
}

/** The permission by which the caller may read pay, in the books or itself; null for none. */
async function payPermission(reader: Reader, ctx: Context): Promise<Permission | null> {
  const permissions = await loadPermissions(reader, ctx, ctx.now);
  return (['reports:accounting', 'payroll:read'] as const).find((one) => permissions.has(one)) ?? null;
}

/** Members of a row shown in charts. */
interface Charted {
  readonly name: string;
  readonly revenue: number;
  readonly margin: number;
}

/** Maximum bars of a legible chart. */
const MAX_CHARTED = 10;

/** Builds a chart of revenue and margin for the rows with the largest revenue. */
function profitChart(title: string, rows: readonly Charted[], language: Language): Chart {
  const shown = rows.slice(0, MAX_CHARTED);
  const series = (figure: 'revenue' | 'margin') => ({
    name: memberLabel(figure, language),
    values: shown.map((row) => row[figure]),
  });
  return {
    title,
    kind: 'rows',
    categories: shown.map(({ name }) => name),
    series: [series('revenue'), series('margin')],
  };
}

interface Days {
  readonly from: string;
  readonly to: string;
}

/** The days of a month (YYYY-MM) within the range. */
function daysOfMonth({ from, to }: Days, month: string | null) {
  const [first, last] = [`${month}-01`, endOfMonth(`${month}-01`)];
  return { from: first > from ? first : from, to: last < to ? last : to };
}

/** Builds the address of the lines behind a row. */
function drilldown(member: Grouping['member'], id: string | null, { from, to }: Days, params: Filters): string {
  const row = member === 'month' ? '' : id === null ? `&without=${member}` : `&${member}=${id}`;
  const others = FILTERS.filter((name) => name !== member && params[name] !== undefined);
  return `/api/reports/profit-lines?from=${from}&to=${to}${row}${others.map((name) => `&${name}=${params[name]}`).join('')}`;
}

/** The profit and loss account of a project or cost center, within the other one if that is asked for; null for one customer, or none. */
function accountPath(
  member: Grouping['member'],
  id: string | null,
  { from, to }: Days,
  params: Filters,
): string | null {
  if (id === null || params.partner_id !== undefined) return null;
  const { project_id, cost_center_id } = params;
  return `/api/reports/pl?from=${from}&to=${to}${dimensionQuery({ project_id, cost_center_id, [member]: id })}`;
}

export const profitReports: readonly Report[] = GROUPINGS.map(profitReport);
