import type { Db } from '../../../db/database.ts';
import { EmployeeCostShare } from '../../../db/models/records/people.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { amount, uuid } from '../../platform/validation/schemas.ts';
import { lockEmployee } from '../people/employment.ts';
import { declareResource } from '../resources/declaration.ts';

/** Shares of projects and cost centers in what an employee costs (decision 0319). */
export const employeeCostShares = declareResource({
  name: 'EmployeeCostShare',
  plural: 'EmployeeCostShares',
  path: '/api/employees/:id/cost-shares',
  idParameter: 'costShareId',
  parent: { member: 'employeeId', table: 'employees', phrase: 'This employee' },
  tag: 'People',
  model: EmployeeCostShare,
  defaultSort: 'createdAt',
  fields: {
    employeeId: { schema: uuid(), filled: true, write: 'never' },
    projectId: {
      schema: uuid({ description: 'The project that bears the share' }),
      reference: { table: 'projects', mustBeActive: true },
    },
    costCenterId: {
      schema: uuid({ description: 'The cost center that bears it; one of both is needed' }),
      reference: { table: 'cost_centers', mustBeActive: true },
    },
    percent: {
      schema: amount({
        places: 4,
        exclusiveMinimum: 0,
        maximum: 100,
        description:
          'Percentage of gross pay and employer contributions of each month; the rest is assigned to nothing',
      }),
      required: true,
    },
  },
  async onCreate({ trx }, values) {
    await checkShare(trx, values, null);
    return values;
  },
  async onPatch({ trx }, values, current) {
    await checkShare(trx, { ...current, ...values }, current.id);
    return values;
  },
});

/** @throws ServiceError validation_failed for a share of nothing, or shares of more than the whole */
async function checkShare(trx: Db, share: Readonly<Record<string, unknown>>, id: string | null): Promise<void> {
  const { projectId = null, costCenterId = null, employeeId } = share;
  if (projectId === null && costCenterId === null)
    throw invalidMember('/projectId', 'required', 'is required, or costCenterId is');
  await lockEmployee(trx, String(employeeId));
  const [others] = await query<{ percent: Decimal }>(
    trx,
    `select coalesce(sum(percent), 0)::text as percent from employee_cost_shares
     where employee_id = :employeeId::uuid and id is distinct from :id::uuid`,
    { employeeId: String(employeeId), id },
  );
  const left = decimal(100).minus(others?.percent ?? 0);
  if (left.gte(String(share.percent) as Decimal)) return;
  const message = `must be at most ${left.toFixed()}, which the other shares of the employee leave`;
  throw invalidMember('/percent', 'out_of_range', message);
}
