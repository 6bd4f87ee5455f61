/** Percentage of absence by department and type (decision 0206). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { type Decimal, decimal, round, sum, toNumber } from '../../../domain/money.ts';
import { amount, choice, text } from '../../platform/validation/schemas.ts';
import { COUNTS } from '../../records/people/absences.ts';
import { defineReport, percent, RANGE } from '../engine/declaration.ts';
import { DEPARTMENT, departmentName, HELD, holidaysIn, OF_DEPARTMENT } from './departments.ts';

const TYPES = ['sick', 'unpaid', 'other'] as const;

interface Row {
  readonly departmentId: string | null;
  readonly name: string | null;
  /** Days under contract in the department, without holidays. */
  readonly held: number;
  readonly vacation: Decimal;
  readonly type: (typeof TYPES)[number] | null;
  readonly days: Decimal;
}

/** The days that a contract and an absence have in common. */
const COMMON = ['greatest(h."from", a."from")', 'least(h."to", a."to")'] as const;

/**
 * Absences count with their `days`, prorated by calendar days if only some are within the period or the contract, or holidays, which count
 * neither as absence nor as planned.
 */
const ABSENT_SQL = `
  with ${HELD}, times as (
    select department_id, sum("to" - "from" + 1 - ${holidaysIn('"from"', '"to"', 'held.place')})::integer as held
    from held group by department_id
  ), absent as (
    select h.department_id, a.type,
      sum(a.days * (${COMMON[1]} - ${COMMON[0]} + 1 - ${holidaysIn(...COMMON, 'h.place')}) / (a."to" - a."from" + 1)) as days
    from held h join absences a on a.employee_id = h.employee_id and ${COUNTS} and a."from" <= h."to" and a."to" >= h."from"
    group by h.department_id, a.type
  )
  select t.department_id as "departmentId", d.name, t.held, coalesce(v.days, 0)::text as vacation, a.type,
    coalesce(a.days, 0)::text as days
  from times t left join departments d on d.id = t.department_id
  left join absent v on v.department_id is not distinct from t.department_id and v.type = 'vacation'
  left join absent a on a.department_id is not distinct from t.department_id and a.type <> 'vacation'
  order by d.name nulls last, a.type`;

const DAYS = amount({ places: 1, description: 'Days of absence: calendar days, unless counted otherwise' });
const RATE = percent({ description: 'Percentage of the planned working days' });

export const absenteeism = defineReport({
  name: 'absenteeism',
  title: { en: 'Absenteeism', es: 'Absentismo' },
  description:
    'Days of absence over days under contract, both without vacation and without the holidays of the place. Weekends count in both, as ' +
    'absences are counted in calendar days.',
  area: 'people',
  parameters: { ...RANGE, ...OF_DEPARTMENT },
  data: Type.Object({
    rows: Type.Array(
      Type.Object({
        ...DEPARTMENT,
        type: choice(TYPES),
        days: DAYS,
        rate_percent: RATE,
        drilldown: text({ max: 500, description: 'The absences of all departments' }),
      }),
    ),
  }),
  summary: Type.Object({
    days: DAYS,
    rate_percent: RATE,
    theoretical_days: amount({ places: 1, description: 'Under contract, without vacation and holidays' }),
    vacation_days: amount({ places: 1 }),
  }),
  async read({ reader, params, range, language }) {
    const department = params.department_id ?? null;
    const found = await query<Row>(reader, ABSENT_SQL, { ...range, department });
    const rows = found.flatMap(({ type, ...row }) => {
      if (type === null) return [];
      return {
        department_id: row.departmentId,
        name: departmentName(row.name, language),
        type,
        days: shown(row.days),
        rate_percent: absenceRate(row.days, decimal(row.held).minus(row.vacation).toFixed()),
        drilldown: `/api/absences?status=approved&type=${type}&from[lte]=${range.to}&to[gte]=${range.from}`,
      };
    });
    // Each department occurs once for each type.
    const departments = [...new Map(found.map((row) => [row.departmentId, row])).values()];
    const vacation = sum(departments.map((row) => row.vacation)).toFixed();
    const theoretical = sum(departments.map(({ held }) => held))
      .minus(vacation)
      .toFixed();
    const days = sum(found.map((row) => row.days)).toFixed();
    const summary = {
      days: shown(days),
      rate_percent: absenceRate(days, theoretical),
      theoretical_days: shown(theoretical),
      vacation_days: shown(vacation),
    };
    return { data: { rows }, summary };
  },
});

function shown(days: Decimal): number {
  return toNumber(round(days, 1));
}

function absenceRate(days: Decimal, of: Decimal): number {
  return decimal(of).gt(0) ? toNumber(round(decimal(days).times(100).div(of), 2)) : 0;
}
