/** Labor cost by department and month, including the company's social security contributions (decision 0206). */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { monthsWithin } from '../../../domain/days.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { type Decimal, sum, toNumber } from '../../../domain/money.ts';
import { LEAST_PEOPLE } from '../../../domain/reports/staff/small-groups.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import { usualCode } from '../../ledger/accounting/chart.ts';
import { amount, nullable, text } from '../../platform/validation/schemas.ts';
import { DIMENSION_FILTERS, dimensionBindings, withinDimensions } from '../accounting/dimension-filters.ts';
import { BY_DIMENSION, DIMENSION_OF_ROW, dividedBy, dividedRows, rowInFile } from '../accounting/dimension-rows.ts';
import { defineReport, RANGE, type ReportWarning } from '../engine/declaration.ts';
import { DEPARTMENT, OF_DEPARTMENT } from './departments.ts';
import { type CostLine, type DepartmentCost, openLines, protectedLines } from './labor-cost-lines.ts';

const ROLE_BY_COST = { gross: 'wages', severance: 'severance', contributions: 'employerContributions' } as const;
type Cost = keyof typeof ROLE_BY_COST;
const ROLES = Object.entries(ROLE_BY_COST) as [Cost, (typeof ROLE_BY_COST)[Cost]][];
/** Key of what no payroll has entered. */
const ENTERED = 'entered';

/** SQL: whether an account is one of a role. */
function hasRole(role: AccountRole): string {
  const usual = usualCode(role, 'conf.value');
  return `(a.code like ${usual} || '%' or a.id::text is not distinct from conf.value->>'${roleMember(role)}')`;
}

/** The accounts of pay, each with the cost that it is for. */
const ACCOUNTS_OF_PAY = `conf as (
    select coalesce((select value from settings where name = 'accounting'), '{}') as value
  ), accounts_of_pay as (
    select a.id, case ${ROLES.map(([cost, role]) => `when ${hasRole(role)} then '${cost}'`).join(' ')} end as cost
    from accounts a, conf where ${ROLES.map(([, role]) => hasRole(role)).join(' or ')}
  )`;
/** Sums of lines `l` on accounts of pay `a`. */
const ENTERED_COSTS = ROLES.map(
  ([cost]) => `coalesce(sum(l.debit - l.credit) filter (where a.cost = '${cost}'), 0)::text as ${cost}`,
).join(', ');

/** The lines of a cost center or project on these accounts, which the shares of employees have made of their payrolls. */
const COST_WITHIN_SQL = `
  with ${ACCOUNTS_OF_PAY}
  select * from (select case when p.id is null then '${ENTERED}' else coalesce(p.department_id::text, '') end as key,
    p.department_id as "departmentId", d.name, extract(year from l.date)::integer as year, extract(month from l.date)::integer as month,
    ${dividedBy('l.project_id', 'l.cost_center_id')} as "dimensionId", count(distinct p.employee_id)::integer as people, ${ENTERED_COSTS},
    coalesce(bool_or(p.status = 'X'), false) as "hasCancelled"
  from accounts_of_pay a join journal_lines l on l.account_id = a.id join journal_entries e on e.id = l.entry_id
  left join payrolls p on e.source_type = 'payroll' and p.id = e.source_id left join departments d on d.id = p.department_id
  where l.kind = 'normal' and l.date between :from::date and :to::date and ${withinDimensions('l.project_id', 'l.cost_center_id')}
  group by 1, p.department_id, d.name, 4, 5, 6) cost order by year, month, key = '${ENTERED}', name nulls last, key`;

/**
 * Sums the accounts of wages (640), severance (641) and of the company's contributions (642). Payrolls count in the month of their entry,
 * whose date is its last day, and are taken back in that of its reversal; a department of which few are taken back is as small as that,
 * because its cost would reveal their pay. What else is entered on the accounts belongs to no department.
 */
const COST_SQL = `
  with ${ACCOUNTS_OF_PAY}, counted as (
    select p.*, 1 as sign, (make_date(p.year, p.month, 1) + interval '1 month' - interval '1 day')::date as counts_on
    from payrolls p where p.posted_at is not null and p.year between extract(year from :from::date) and extract(year from :to::date)
    union all
    select p.*, -1, r.date from payrolls p join journal_entries r on r.id = p.reversal_id
  )
  select cost.*, null as "dimensionId" from (select coalesce(c.department_id::text, '') as key, c.department_id as "departmentId", d.name,
    extract(year from c.counts_on)::integer as year, extract(month from c.counts_on)::integer as month,
    least(nullif(count(distinct c.employee_id) filter (where c.sign > 0), 0),
      nullif(count(distinct c.employee_id) filter (where c.sign < 0), 0))::integer as people,
    sum(c.sign * c.gross)::text as gross, sum(c.sign * (select coalesce(sum((line ->> 'amount')::numeric), 0)
      from jsonb_array_elements(c.lines) line where line ->> 'kind' = 'severance'))::text as severance,
    sum(c.sign * c.employer_contribution)::text as contributions,
    bool_or(c.status = 'X') as "hasCancelled"
  from counted c left join departments d on d.id = c.department_id where c.counts_on between :from::date and :to::date
  group by c.department_id, d.name, 4, 5
  union all
  select '${ENTERED}', null, null, extract(year from l.date)::integer, extract(month from l.date)::integer, 0,
    ${ENTERED_COSTS}, false
  from accounts_of_pay a join journal_lines l on l.account_id = a.id join journal_entries e on e.id = l.entry_id
  where l.kind = 'normal' and l.date between :from::date and :to::date and e.source_type is distinct from 'payroll'
  group by 4, 5
) cost order by year, month, key = '${ENTERED}', name nulls last, key`;

const COSTS = {
  gross: nullable(amount({ description: 'All that is earned, in money and in kind' })),
  severance: nullable(amount({ description: 'Paid for the end of employments' })),
  employer_contributions: nullable(amount({ description: 'Contributions of the company to social security' })),
  total: nullable(amount({ description: 'Total cost of employees' })),
};

const ROW = Type.Object({
  ...DIMENSION_OF_ROW,
  month: text({ description: 'YYYY-MM' }),
  ...DEPARTMENT,
  ...COSTS,
  drilldown: nullable(
    text({ max: 500, description: 'The payrolls, for those who read them; null of a cost center or project' }),
  ),
});

const mayReadPayrolls = async (reader: Reader, ctx: Context): Promise<boolean> =>
  (await loadPermissions(reader, ctx, ctx.now)).has('payroll:read');

export const laborCost = defineReport({
  name: 'labor-cost',
  title: { en: 'Labor cost', es: 'Coste laboral' },
  description:
    "What the ledger has on the accounts of wages, severance and the employer's contributions (640, 641 and 642): payrolls on the last " +
    'day of their month, cancelled ones taken back on the day of their reversal, and a row for what was entered there without payroll. ' +
    'For those who may not read payrolls, ' +
    `departments with fewer than ${LEAST_PEOPLE} people in a month are in one row, \`Other departments\`, with the smallest of the ` +
    'others where they need its people; costs of fewer people are null. Of cost centers and projects, with `by` too, the report is only ' +
    'for those who may read payrolls: it has what the shares of employees (cost-shares) gave them.',
  area: 'people',
  parameters: { ...RANGE, ...OF_DEPARTMENT, ...DIMENSION_FILTERS, ...BY_DIMENSION },
  problems: ['forbidden'],
  discretion: async (reader, ctx) => ((await mayReadPayrolls(reader, ctx)) ? 'payroll:read' : null),
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(COSTS, { description: 'Null if it would have costs that a row withholds' }),
  async read(request) {
    const { reader, ctx, params, range, language, money } = request;
    const department = params.department_id ?? null;
    const mayReadPay = await mayReadPayrolls(reader, ctx);
    const { by = null } = params;
    const isLimited = (params.cost_center_id ?? params.project_id ?? by) !== null;
    // A cost center may have a single employee, and differences between several would show the pay of one.
    if (isLimited && !mayReadPay) throw new ServiceError('forbidden', FOR_READERS_OF_PAY);
    const found = isLimited
      ? await query<DepartmentCost>(reader, COST_WITHIN_SQL, { ...range, by, ...dimensionBindings(params) })
      : await query<DepartmentCost>(reader, COST_SQL, range);
    const named = found.map((cost) => (cost.key === ENTERED ? { ...cost, name: WITHOUT_PAYROLL[language] } : cost));
    const lines = mayReadPay ? openLines(named, department, language) : protectedLines(named, department, language);
    const rows = (await dividedRows(request, lines)).map(({ dimension, ...line }) => ({
      ...dimension,
      month: `${line.year}-${String(line.month).padStart(2, '0')}`,
      department_id: line.departmentId,
      name: line.name,
      ...costs([line], money),
      drilldown: isLimited ? null : drilldown(line),
    }));
    return { data: { rows }, summary: costs(lines, money), warnings: await draftWarnings(reader, range, language) };
  },
  file: ({ params, data, summary }) => ({
    tables: [{ row: rowInFile(ROW, params), rows: data.rows, totals: summary }],
  }),
  charts: ({ data: { rows }, range, language }) => {
    const months = monthsWithin(range).map((day) => day.slice(0, 7));
    if (rows.length === 0 || months.length > MAX_MONTHS) return [];
    const nameIn = (row: (typeof rows)[number]) => row.cost_center_name ?? row.project_name ?? row.name;
    const names = [...new Set(rows.map(nameIn))].slice(0, MAX_SERIES);
    const values = (name: string) =>
      months.map((month) => {
        const shown = rows.filter((row) => row.month === month && nameIn(row) === name);
        return toNumber(sum(shown.map(({ total }) => total ?? 0)).toFixed());
      });
    const title = { en: 'Labor cost by month', es: 'Coste laboral por mes' }[language];
    return [{ title, kind: 'bar', categories: months, series: names.map((name) => ({ name, values: values(name) })) }];
  },
});

/** Warns of payrolls that are not posted yet. */
async function draftWarnings(
  reader: Reader,
  range: { readonly from: string; readonly to: string },
  language: Language,
): Promise<ReportWarning[]> {
  const [found] = await query<{ drafts: number }>(reader, DRAFTS_SQL, range);
  const drafts = found?.drafts ?? 0;
  if (drafts === 0) return [];
  const message = {
    en: `Payrolls not posted yet do not count. Drafts in the period: ${drafts}.`,
    es: `Las nóminas sin contabilizar no cuentan. Borradores en el periodo: ${drafts}.`,
  };
  return [{ code: 'payroll_drafts', message: message[language] }];
}

const DRAFTS_SQL = `select count(*)::integer as drafts from payrolls p where p.status = 'D'
  and (make_date(p.year, p.month, 1) + interval '1 month' - interval '1 day')::date between :from::date and :to::date`;

/** Sums of lines; null if one of them withholds its own. */
function costs(lines: readonly Pick<CostLine, 'costs'>[], money: (value: Decimal) => number) {
  if (lines.some((line) => line.costs === null))
    return { gross: null, severance: null, employer_contributions: null, total: null };
  const found = lines.flatMap((line) => line.costs ?? []);
  const gross = sum(found.map((cost) => cost.gross));
  const severance = sum(found.map((cost) => cost.severance));
  const contributions = sum(found.map((cost) => cost.contributions));
  return {
    gross: money(gross.toFixed()),
    severance: money(severance.toFixed()),
    employer_contributions: money(contributions.toFixed()),
    total: money(sum([gross, severance, contributions].map((one) => one.toFixed())).toFixed()),
  };
}

const FOR_READERS_OF_PAY = 'The labor cost of a cost center or project is only for those who may read payrolls';
const WITHOUT_PAYROLL = { en: 'Entered without payroll', es: 'Asientos sin nómina' } as const;

/** The payrolls of a line, unless payrolls of other months were taken back in it. */
function drilldown({ departmentId, year, month, costs }: Omit<CostLine, 'dimensionId'>): string | null {
  if (departmentId === null || costs?.some(({ hasCancelled }) => hasCancelled)) return null;
  return `/api/payrolls?status=O&year=${year}&month=${month}&departmentId=${departmentId}`;
}

/** Limits of a legible chart. */
const MAX_MONTHS = 24;
const MAX_SERIES = 8;
