/** Labor cost by department and month, including the company's social security contributions (decision 0206). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { monthsWithin } from '../../../domain/days.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { amount, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { DEPARTMENT, departmentName, estimateDepartment, findDepartmentId, OF_DEPARTMENT } from './departments.ts';

interface Row {
  readonly departmentId: string | null;
  readonly name: string | null;
  readonly year: number;
  readonly month: number;
  readonly gross: Decimal;
  readonly contributions: Decimal;
}

/** Payrolls count in the month of their entry, whose date is its last day. */
const COST_SQL = `
  select p.department_id as "departmentId", d.name, p.year, p.month, sum(p.gross)::text as gross,
    sum(p.employer_contribution)::text as contributions
  from payrolls p left join departments d on d.id = p.department_id
  where p.status = 'O' and (make_date(p.year, p.month, 1) + interval '1 month' - interval '1 day')::date
      between :from::date and :to::date
    and p.year between extract(year from :from::date) and extract(year from :to::date)
    and (:department::uuid is null or p.department_id = :department::uuid)
  group by p.department_id, d.name, p.year, p.month order by p.year, p.month, d.name nulls last`;

const COSTS = {
  gross: amount({ description: 'All that is earned, in money and in kind' }),
  employer_contributions: amount({ description: 'Contributions of the company to social security' }),
  total: amount({ description: 'Total cost of employees' }),
};

export const laborCost = defineReport({
  name: 'labor-cost',
  title: { en: 'Labor cost', es: 'Coste laboral' },
  description: 'Cost of posted payrolls whose month ends in the period, as in the ledger (640 and 642).',
  area: 'people',
  parameters: { ...RANGE, ...OF_DEPARTMENT },
  problems: ['not_found'],
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        month: text({ description: 'YYYY-MM' }),
        ...DEPARTMENT,
        ...COSTS,
        drilldown: nullable(text({ max: 500, description: 'The payrolls, for those who read them' })),
      }),
    ),
  }),
  summary: Type.Object(COSTS),
  size: estimateDepartment,
  async read({ reader, params, range, language, money }) {
    const department = await findDepartmentId(reader, params);
    const found = await query<Row>(reader, COST_SQL, { ...range, department });
    const costs = (gross: readonly Decimal[], contributions: readonly Decimal[]) => ({
      gross: money(sum(gross).toFixed()),
      employer_contributions: money(sum(contributions).toFixed()),
      total: money(sum([...gross, ...contributions]).toFixed()),
    });
    const rows = found.map(({ departmentId, name, year, month, gross, contributions }) => ({
      month: `${year}-${String(month).padStart(2, '0')}`,
      department_id: departmentId,
      name: departmentName(name, language),
      ...costs([gross], [contributions]),
      drilldown:
        departmentId === null
          ? null
          : `/api/payrolls?status=O&year=${year}&month=${month}&departmentId=${departmentId}`,
    }));
    const summary = costs(
      found.map(({ gross }) => gross),
      found.map(({ contributions }) => contributions),
    );
    return { data: { rows }, summary };
  },
  charts: ({ data: { rows }, range, language }) => {
    const months = monthsWithin(range).map((day) => day.slice(0, 7));
    if (rows.length === 0 || months.length > MAX_MONTHS) return [];
    const names = [...new Set(rows.map(({ name }) => name))].slice(0, MAX_SERIES);
    const values = (name: string) =>
      months.map((month) => rows.find((row) => row.month === month && row.name === name)?.total ?? 0);
    const title = { en: 'Labor cost by month', es: 'Coste laboral por mes' }[language];
    return [{ title, kind: 'bar', categories: months, series: names.map((name) => ({ name, values: values(name) })) }];
  },
});

/** Limits of a legible chart. */
const MAX_MONTHS = 24;
const MAX_SERIES = 8;
