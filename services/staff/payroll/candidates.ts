/** Finds the employees to pay in a month, with the data that determine their pay, in batches. */
import type { Db, Reader } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { formatDay } from '../../../domain/days.ts';
import type { ContractTerms, MonthInput } from '../../../domain/staff/payroll/month.ts';
import { COUNTS } from '../../records/people/absences.ts';
import { lastDay, type Month } from './month.ts';

/** An employee with the data that determine a month's pay. */
export interface Candidate extends Pick<MonthInput, 'endDate' | 'leave' | 'items'> {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly nif: string | null;
  readonly socialSecurityNumber: string | null;
  readonly iban: string | null;
  readonly hireDate: string;
  readonly contracts: readonly ContractTerms[];
  /** Their payroll of the month that is not cancelled, if any. */
  readonly payrollId: string | null;
}

/** Employees of the month; inactive ones only if their employment ends in the month or later. */
const EMPLOYED = `(e.active or e.end_date is not null) and e.hire_date <= :last::date
  and coalesce(e.end_date, :last::date) >= :first::date`;

const CANDIDATES_SQL = `
  select e.id, e.code, e.name, e.nif, e.social_security_number as "socialSecurityNumber", e.iban, e.hire_date::text as "hireDate",
    e.end_date::text as "endDate",
    (select coalesce(json_agg(json_build_object('from', c."from", 'to', c."to", 'contractType', c.contract_type,
        'position', c.position, 'departmentId', c.department_id, 'workingHours', c.working_hours::text,
        'grossAnnualSalary', c.gross_annual_salary::text, 'payments', c.payments, 'contributionGroup', c.contribution_group,
        'accidentRate', c.accident_rate::text, 'irpfRate', c.irpf_rate::text) order by c."from"), '[]')
     from employee_contracts c
     where c.tenant_id = e.tenant_id and c.employee_id = e.id and c."from" <= :last::date
       and coalesce(c."to", :last::date) >= :half::date) as contracts,
    (select coalesce(json_agg(json_build_object('from', a."from", 'to', a."to", 'days', a.days::text)), '[]') from absences a
     where a.tenant_id = e.tenant_id and a.employee_id = e.id and ${COUNTS} and a.type = 'unpaid'
       and a."from" <= :last::date and a."to" >= :half::date) as leave,
    (select coalesce(json_agg(json_build_object('description', i.description, 'kind', i.kind, 'amount', i.amount::text)
        order by i.id), '[]')
     from pay_items i where i.tenant_id = e.tenant_id and i.employee_id = e.id and i."from" <= :last::date
       and coalesce(i."to", :first::date) >= :first::date) as items,
    (select p.id from payrolls p where p.tenant_id = e.tenant_id and p.employee_id = e.id and p.year = :year and p.month = :month
      and p.status <> 'X') as "payrollId"
  from employees e
  where ${EMPLOYED} and (:after::uuid is null or e.id > :after::uuid)
  order by e.id limit :limit for key share of e`;

/** Loads the employees after one, by id. */
export async function loadCandidates(trx: Db, month: Month, after: string | null, limit: number): Promise<Candidate[]> {
  return await prepared<Candidate>(trx, CANDIDATES_SQL, { ...monthSpans(month), ...month, after, limit });
}

/** Counts the candidates. */
export async function countCandidates(reader: Reader, month: Month): Promise<number> {
  const sql = `select count(*)::integer as count from employees e where ${EMPLOYED}`;
  const { first, last } = monthSpans(month);
  const [row] = await prepared<{ count: number }>(reader, sql, { first, last });
  return row?.count ?? 0;
}

/** The days of the month, and the first day of the half-year whose extra pay may be due. */
function monthSpans({ year, month }: Month) {
  return {
    first: formatDay(year, month, 1),
    last: lastDay({ year, month }),
    half: formatDay(year, month <= 6 ? 1 : 7, 1),
  };
}
