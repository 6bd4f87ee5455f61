/** Headcount by department: at the end of a period, on average, joiners and leavers (decision 0206). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { daysBetween } from '../../../domain/days.ts';
import { type Decimal, decimal, round, sum, toNumber } from '../../../domain/money.ts';
import { amount, integer, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { DEPARTMENT, departmentName, HELD, OF_DEPARTMENT } from './departments.ts';

interface Row {
  readonly departmentId: string | null;
  readonly name: string | null;
  readonly atEnd: number;
  readonly days: number;
  /** Days weighted by the part of a full working week. */
  readonly fullDays: Decimal;
  readonly joins: number;
  readonly leaves: number;
}

/** Hours of a full-time working week (ET, art. 34); longer hours still count as one person. */
const FULL_WEEK = 40;

/** Joiners and leavers count in the department of their contract on that day. */
const COUNT_SQL = `
  with ${HELD}
  select h.department_id as "departmentId", d.name, count(*) filter (where h."to" = :to::date)::integer as "atEnd",
    sum(h."to" - h."from" + 1)::integer as days,
    sum((h."to" - h."from" + 1) * least(1, h.working_hours / ${FULL_WEEK}))::text as "fullDays",
    count(*) filter (where h."from" = e.hire_date)::integer as joins,
    count(*) filter (where h."to" = e.end_date)::integer as leaves
  from held h join employees e on e.id = h.employee_id left join departments d on d.id = h.department_id
  group by h.department_id, d.name order by d.name nulls last`;

const COUNTS = {
  at_end: integer({ description: 'Employed on the last day' }),
  average: amount({ places: 2, description: 'Average over all days of the period' }),
  fte: amount({ places: 2, description: 'The average by hours: one person a week of 40 hours' }),
  joins: integer({ description: 'Number of employments that began in the period' }),
  leaves: integer({ description: 'Number of employments that ended in the period' }),
};

export const headcount = defineReport({
  name: 'headcount',
  title: { en: 'Headcount', es: 'Plantilla' },
  description: 'Based on the contracts in force in the period. Employees who change department count in each by days.',
  area: 'people',
  parameters: { ...RANGE, ...OF_DEPARTMENT },
  data: Type.Object({
    ...COUNTS,
    rows: Type.Array(
      Type.Object({
        ...DEPARTMENT,
        ...COUNTS,
        drilldown: nullable(text({ max: 500, description: 'The employees who are in it now' })),
      }),
    ),
  }),
  summary: Type.Object(COUNTS),
  async read({ reader, params, range, language }) {
    const department = params.department_id ?? null;
    const found = await query<Row>(reader, COUNT_SQL, { ...range, department });
    const period = daysBetween(range.from, range.to) + 1;
    const rows = found.map((row) => ({
      department_id: row.departmentId,
      name: departmentName(row.name, language),
      ...headcounts([row], period),
      drilldown: row.departmentId === null ? null : `/api/employees?departmentId=${row.departmentId}`,
    }));
    const all = headcounts(found, period);
    return { data: { ...all, rows }, summary: all };
  },
});

function headcounts(rows: readonly Row[], period: number) {
  const total = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const average = (days: Decimal | number) => toNumber(round(decimal(days).div(Math.max(1, period)), 2));
  return {
    at_end: total(({ atEnd }) => atEnd),
    average: average(total(({ days }) => days)),
    fte: average(sum(rows.map(({ fullDays }) => fullDays)).toFixed()),
    joins: total(({ joins }) => joins),
    leaves: total(({ leaves }) => leaves),
  };
}
