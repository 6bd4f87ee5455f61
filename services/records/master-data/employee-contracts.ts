import { EmployeeContract } from '../../../db/models/records/people.ts';
import { day, uuid } from '../../platform/validation/schemas.ts';
import { prepareChangedContract, prepareNewContract, prepareRemoval } from '../people/contracts.ts';
import { OPEN_TERMS, PAY_TERMS } from '../people/terms-fields.ts';
import { declareResource } from '../resources/declaration.ts';

/** Contracts of an employee: the terms agreed over time. */
export const employeeContracts = declareResource({
  name: 'EmployeeContract',
  plural: 'EmployeeContracts',
  path: '/api/employees/:id/contracts',
  idParameter: 'contractId',
  parent: { member: 'employeeId', table: 'employees', phrase: 'This employee' },
  tag: 'People',
  model: EmployeeContract,
  defaultSort: '-from',
  problems: ['overlap', 'invalid_transition'],
  fields: {
    employeeId: { schema: uuid(), filled: true, write: 'never' },
    from: {
      schema: day({
        description:
          'The first day on which it holds. What is left out is as in the contract before, which ends the day before',
      }),
      required: true,
    },
    to: { schema: day({ description: 'The last day; open until the next contract, or the end of the employment' }) },
    ...OPEN_TERMS,
    ...PAY_TERMS,
  },
  onCreate: prepareNewContract,
  onPatch: prepareChangedContract,
  onDelete: prepareRemoval,
});
