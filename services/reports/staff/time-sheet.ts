/** The time sheet: the daily record of working time of a month, for both to sign (ET, art. 34.9; decision 0251). */
import { Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { dayInMonth, daysBetween, endOfMonth, formatDay, monthsAfter } from '../../../domain/days.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import { clockTime, localDay } from '../../../domain/records/tables/times.ts';
import { workedMinutes } from '../../../domain/staff/time/record.ts';
import { integer, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, type ReportRequest } from '../engine/declaration.ts';
import { countUpTo, MAX_PDF_ROWS } from '../engine/size.ts';
import { ROW, SHEET, type TimeSheetRow } from './time-sheet-data.ts';
import { timeSheetForm } from './time-sheet-form.ts';

const TITLE = { en: 'Time sheet', es: 'Registro de jornada' };

export const timeSheet = defineReport({
  name: 'time-sheet',
  title: TITLE,
  description:
    'When employees worked in a month, without cancelled records. In PDF each has a page with all days, to be signed by both; all ' +
    'records of any period are in `/api/time-records?format=excel`.',
  area: 'private',
  parameters: {
    year: Type.Optional(integer({ minimum: 1900, maximum: 9999, description: 'By default that of last month' })),
    month: Type.Optional(integer({ minimum: 1, maximum: 12, description: 'By default last month' })),
    employee_id: Type.Optional(uuid({ description: 'By default all with time records in the month' })),
    department_id: Type.Optional(
      uuid({ description: 'Only of those with a contract in this department in the month' }),
    ),
  },
  data: Type.Object({ sheets: Type.Array(SHEET, { description: 'One for each employee' }), rows: Type.Array(ROW) }),
  summary: Type.Object({ worked_minutes: integer() }),
  consistent: true,
  async size({ reader, ...request }, most) {
    return assertFew(await countUpTo(reader, most, `select from ${SELECTED}`, bindings(request)));
  },
  async read({ reader, params, range, settings }) {
    const { timezone } = settings.format;
    const asked = bindings({ params, range });
    const found = await query<Found>(reader, RECORDS_SQL, asked);
    assertFew(found.length);
    const rows = found.map((record) => shownRecord(record, timezone));
    const byPerson = groupBy(rows, (row) => row.employee_id);
    const { from, to } = asked;
    const ids = [...byPerson.keys(), params.employee_id ?? []].flat();
    const people = await query<Person>(reader, PEOPLE_SQL, { ids, from, to });
    const sheets = people.map(({ id, ...person }) => {
      const own = byPerson.get(id) ?? [];
      return {
        employee_id: id,
        ...person,
        days: new Set(own.map(({ day: worked }) => worked)).size,
        worked_minutes: total(own),
        drilldown: `/api/time-records?employeeId=${id}&day[gte]=${from}&day[lte]=${to}`,
      };
    });
    return { from, to, data: { sheets, rows }, summary: { worked_minutes: total(rows) } };
  },
  file(view) {
    const { rows, sheets } = view.data;
    const byPerson = groupBy(rows, (row) => row.employee_id);
    const { from } = bindings(view);
    return {
      tables: [{ row: ROW, rows }],
      forms: sheets.map((sheet) => timeSheetForm(TITLE, sheet, from, byPerson.get(sheet.employee_id) ?? [], view)),
      formsOnPaper: true,
    };
  },
});

interface Params {
  readonly year?: number;
  readonly month?: number;
  readonly employee_id?: string;
  readonly department_id?: string;
}

/** @param range ends today */
function bindings({ params, range }: Pick<ReportRequest<Params>, 'params' | 'range'>) {
  const last = monthsAfter(dayInMonth(range.to, 1), -1);
  const { year = Number(last.slice(0, 4)), month = Number(last.slice(5, 7)) } = params;
  const from = formatDay(year, month, 1);
  return { from, to: endOfMonth(from), employee: params.employee_id ?? null, department: params.department_id ?? null };
}

/** The records of the month as `t`; `:employee` and `:department` may be null. */
const SELECTED = `time_records t
  where t.day between :from::date and :to::date and t.cancelled_at is null
    and (:employee::uuid is null or t.employee_id = :employee::uuid)
    and (:department::uuid is null or exists (select from employee_contracts c where c.employee_id = t.employee_id
      and c.department_id = :department::uuid and c."from" <= :to::date and coalesce(c."to", :to::date) >= :from::date))`;

const RECORDS_SQL = `
  select t.employee_id as "employeeId", e.code, e.name, t.day, t.started_at as "startedAt", t.ended_at as "endedAt",
    t.break_minutes as "breakMinutes", t.note, t.last_reason is not null as corrected
  from (select t.* from ${SELECTED}) t join employees e on e.id = t.employee_id
  order by e.name, e.id, t.day, t.started_at`;

/** The employees with the holidays of the places where they work on these days. */
const PEOPLE_SQL = `
  select e.id, e.code, e.name, e.nif, coalesce((
    select json_agg(json_build_object('day', h.day, 'name', h.name) order by h.day, h.place nulls first)
    from employee_contracts c left join departments d on d.id = c.department_id
    join holidays h on h.day between :from::date and :to::date and h.day >= c."from" and (c."to" is null or h.day <= c."to")
      and (h.place is null or h.place = d.place)
    where c.employee_id = e.id
  ), '[]') as holidays
  from employees e where e.id = any(:ids::uuid[]) order by e.name, e.id`;

interface Found {
  readonly employeeId: string;
  readonly code: string;
  readonly name: string;
  readonly day: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly breakMinutes: number;
  readonly note: string | null;
  readonly corrected: boolean;
}

interface Person {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nif: string | null;
  readonly holidays: readonly { readonly day: string; readonly name: string }[];
}

/** As many records as paper can have; longer lists are streamed by the route of time records. */
function assertFew(records: number): number {
  if (records <= MAX_PDF_ROWS) return records;
  const reason = `must be given because the month has more than ${MAX_PDF_ROWS} time records`;
  throw refusedParameter('employee_id', `${reason}; choose a department instead, or read /api/time-records`);
}

function shownRecord(
  { employeeId, code, name, day: on, startedAt, endedAt, breakMinutes, note, corrected }: Found,
  zone: string,
) {
  const after = endedAt === null ? 0 : daysBetween(on, localDay(new Date(endedAt), zone));
  return {
    employee_id: employeeId,
    code,
    name,
    day: on,
    started: clockTime(startedAt, zone),
    ended: endedAt === null ? null : `${clockTime(endedAt, zone)}${after > 0 ? ` (+${after})` : ''}`,
    break_minutes: breakMinutes,
    worked_minutes: workedMinutes({ startedAt, endedAt, breakMinutes }),
    corrected,
    note,
  };
}

function total(rows: readonly Pick<TimeSheetRow, 'worked_minutes'>[]): number {
  return rows.reduce((all, { worked_minutes: minutes }) => all + (minutes ?? 0), 0);
}
