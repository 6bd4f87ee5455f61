/** The percentages of income tax of many employees, worked out at once for the rest of a year (decision 0207). */
import { Type } from 'typebox';
import { Employee } from '../../db/models/people.ts';
import { query } from '../../db/sql.ts';
import { dayOf } from '../../domain/days.ts';
import { invalidMember, validationFailed } from '../../domain/errors.ts';
import type { HookScope } from '../resources/declaration.ts';
import { flag, type Input, integer, nullable, uuid } from '../validation/schemas.ts';
import { type IncomeTax, rulesOn, taxFrom, type Untaxed } from './income-tax.ts';

/** Employees of a request, whose transaction holds them all. */
const MOST = 100;

export const Regularisation = Type.Object(
  {
    year: integer({ minimum: 1900, maximum: 9998 }),
    month: integer({
      minimum: 1,
      maximum: 12,
      description: 'Pay from it on is still to come, unless its payroll is posted',
    }),
    employeeIds: Type.Optional(
      nullable(
        Type.Array(uuid(), {
          minItems: 1,
          maxItems: MOST,
          uniqueItems: true,
          description: `All active employees under contract by default, if they are no more than ${MOST}`,
        }),
      ),
    ),
    apply: Type.Optional(nullable(flag({ default: false, description: 'Whether the contracts get the percentages' }))),
  },
  { title: 'Regularisation', additionalProperties: false },
);

export interface Regularised {
  readonly employee: Pick<Employee, 'id' | 'code' | 'name'>;
  /** Or why there is none. */
  readonly found: IncomeTax | Untaxed;
}

/**
 * Works them out in the order of the employees' codes, all or none.
 * @throws ServiceError validation_failed for a year without rules, unknown employees, or more of them than one request takes
 */
export async function regularise(scope: HookScope, input: Input<typeof Regularisation>): Promise<Regularised[]> {
  const date = dayOf(input.year, input.month, 1);
  const rules = rulesOn(date, '/year');
  const request = { apply: input.apply === true };
  const done: Regularised[] = [];
  for (const employee of await employeesOf(scope, input, date)) {
    done.push({ employee, found: await taxFrom(scope, employee.id, date, rules, request) });
  }
  return done;
}

const EMPLOYED_SQL = `select e.id, e.code, e.name from employees e
  where e.active and exists (select from employee_contracts c where c.employee_id = e.id
    and c."from" <= :last::date and coalesce(c."to", :date::date) >= :date::date)
  order by e.code, e.id limit ${MOST + 1}`;

async function employeesOf(
  { trx }: HookScope,
  { year, employeeIds }: Input<typeof Regularisation>,
  date: string,
): Promise<Regularised['employee'][]> {
  if (employeeIds == null) {
    const found = await query<Regularised['employee']>(trx, EMPLOYED_SQL, { date, last: dayOf(year, 12, 31) });
    if (found.length <= MOST) return found;
    throw invalidMember('/employeeIds', 'required', `must name at most ${MOST} employees, because there are more`);
  }
  const found = await Employee.query(trx)
    .whereIn('id', [...employeeIds])
    .orderBy(['code', 'id']);
  const known = new Set(found.map(({ id }) => id));
  const unknown = employeeIds.flatMap((id, index) => (known.has(id) ? [] : [`/employeeIds/${index}`]));
  if (unknown.length === 0) return found;
  throw validationFailed(unknown.map((pointer) => ({ pointer, code: 'invalid_reference', message: 'does not exist' })));
}
