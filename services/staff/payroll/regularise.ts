/** Computes the income tax percentages of several employees for the rest of a year (decision 0207). */
import { Type } from 'typebox';
import { Employee } from '../../../db/models/records/people.ts';
import { query } from '../../../db/sql.ts';
import { formatDay } from '../../../domain/days.ts';
import { invalidMember, validationFailed } from '../../../domain/errors.ts';
import { flag, type Input, integer, nullable, uuid } from '../../platform/validation/schemas.ts';
import type { HookScope } from '../../records/resources/declaration.ts';
import { computeTaxFrom, findRules, type IncomeTax, type Untaxed } from './income-tax.ts';

/** Maximum employees per request; its transaction locks them all. */
const MAX_EMPLOYEES = 100;

export const Regularisation = Type.Object(
  {
    year: integer({ minimum: 1900, maximum: 9998 }),
    month: integer({
      minimum: 1,
      maximum: 12,
      description: 'Pay from this date on is still expected, except for months with a posted payroll',
    }),
    employeeIds: Type.Optional(
      nullable(
        Type.Array(uuid(), {
          minItems: 1,
          maxItems: MAX_EMPLOYEES,
          uniqueItems: true,
          description: `Defaults to all active employees under contract, if there are at most ${MAX_EMPLOYEES}`,
        }),
      ),
    ),
    apply: Type.Optional(
      nullable(flag({ default: false, description: 'Whether to set the percentages in the contracts' })),
    ),
  },
  { title: 'Regularisation', additionalProperties: false },
);

export interface Regularised {
  readonly employee: Pick<Employee, 'id' | 'code' | 'name'>;
  /** Or the reason why there is none. */
  readonly found: IncomeTax | Untaxed;
}

/**
 * Computes percentages in the order of the employees' codes, all or none.
 * @throws ServiceError validation_failed for a year without rules, unknown employees, or too many of them for a request
 */
export async function regularise(scope: HookScope, input: Input<typeof Regularisation>): Promise<Regularised[]> {
  const date = formatDay(input.year, input.month, 1);
  const rules = findRules(date, '/year');
  const request = { apply: input.apply === true };
  const done: Regularised[] = [];
  for (const employee of await loadEmployees(scope, input, date)) {
    done.push({ employee, found: await computeTaxFrom(scope, employee.id, date, rules, request) });
  }
  return done;
}

const EMPLOYED_SQL = `select e.id, e.code, e.name from employees e
  where e.active and exists (select from employee_contracts c where c.employee_id = e.id
    and c."from" <= :last::date and coalesce(c."to", :date::date) >= :date::date)
  order by e.code, e.id limit ${MAX_EMPLOYEES + 1}`;

async function loadEmployees(
  { trx }: HookScope,
  { year, employeeIds }: Input<typeof Regularisation>,
  date: string,
): Promise<Regularised['employee'][]> {
  if (employeeIds == null) {
    const found = await query<Regularised['employee']>(trx, EMPLOYED_SQL, { date, last: formatDay(year, 12, 31) });
    if (found.length <= MAX_EMPLOYEES) return found;
    throw invalidMember(
      '/employeeIds',
      'required',
      `must name at most ${MAX_EMPLOYEES} employees, because there are more`,
    );
  }
  const found = await Employee.query(trx)
    .whereIn('id', [...employeeIds])
    .orderBy(['code', 'id']);
  const known = new Set(found.map(({ id }) => id));
  const unknown = employeeIds.flatMap((id, index) => (known.has(id) ? [] : [`/employeeIds/${index}`]));
  if (unknown.length === 0) return found;
  throw validationFailed(unknown.map((pointer) => ({ pointer, code: 'invalid_reference', message: 'does not exist' })));
}
