/** Labor cost by department and month, including the company's social security contributions (decision 0206). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { monthsWithin } from '../../../domain/days.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { LEAST_PEOPLE } from '../../../domain/reports/staff/small-groups.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { amount, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { DEPARTMENT, estimateDepartment, findDepartmentId, OF_DEPARTMENT } from './departments.ts';
import { type CostLine, type DepartmentCost, openLines, protectedLines } from './labor-cost-lines.ts';

/** Payrolls count in the month of their entry, whose date is its last day. */
const COST_SQL = `
  select coalesce(p.department_id::text, '') as key, p.department_id as "departmentId", d.name, p.year, p.month,
    count(distinct p.employee_id)::integer as people,
    sum(p.gross)::text as gross, sum(p.employer_contribution)::text as contributions
  from payrolls p left join departments d on d.id = p.department_id
  where p.status = 'O' and (make_date(p.year, p.month, 1) + interval '1 month' - interval '1 day')::date
      between :from::date and :to::date
    and p.year between extract(year from :from::date) and extract(year from :to::date)
  group by p.department_id, d.name, p.year, p.month order by p.year, p.month, d.name nulls last, key`;

const COSTS = {
  gross: nullable(amount({ description: 'All that is earned, in money and in kind' })),
  employer_contributions: nullable(amount({ description: 'Contributions of the company to social security' })),
  total: nullable(amount({ description: 'Total cost of employees' })),
};

export const laborCost = defineReport({
  name: 'labor-cost',
  title: { en: 'Labor cost', es: 'Coste laboral' },
  description:
    'Cost of posted payrolls whose month ends in the period, as in the ledger (640 and 642). For those who may not read payrolls, ' +
    `departments with fewer than ${LEAST_PEOPLE} people in a month are in one row, \`Other departments\`, with the smallest of the ` +
    'others where they need its people; costs of fewer people are null.',
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
  summary: Type.Object(COSTS, { description: 'Null if it would have costs that a row withholds' }),
  size: estimateDepartment,
  async read({ reader, ctx, params, range, language, money }) {
    const department = await findDepartmentId(reader, params);
    const found = await query<DepartmentCost>(reader, COST_SQL, range);
    const permissions = await loadPermissions(reader, ctx, ctx.now);
    const lines = permissions.has('payroll:read')
      ? openLines(found, department, language)
      : protectedLines(found, department, language);
    const rows = lines.map((line) => ({
      month: `${line.year}-${String(line.month).padStart(2, '0')}`,
      department_id: line.departmentId,
      name: line.name,
      ...costs([line], money),
      drilldown: drilldown(line),
    }));
    return { data: { rows }, summary: costs(lines, money) };
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

/** Sums of lines; null if one of them withholds its own. */
function costs(lines: readonly CostLine[], money: (value: Decimal) => number) {
  if (lines.some((line) => line.costs === null)) return { gross: null, employer_contributions: null, total: null };
  const found = lines.flatMap((line) => line.costs ?? []);
  const gross = sum(found.map((cost) => cost.gross));
  const contributions = sum(found.map((cost) => cost.contributions));
  return {
    gross: money(gross.toFixed()),
    employer_contributions: money(contributions.toFixed()),
    total: money(gross.plus(contributions).toFixed()),
  };
}

function drilldown({ departmentId, year, month }: CostLine): string | null {
  if (departmentId === null) return null;
  return `/api/payrolls?status=O&year=${year}&month=${month}&departmentId=${departmentId}`;
}

/** Limits of a legible chart. */
const MAX_MONTHS = 24;
const MAX_SERIES = 8;
