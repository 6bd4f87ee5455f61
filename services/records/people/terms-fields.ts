/** Members of a contract. An employee's record has those of the newest one; some require a further permission. */
import { MAX_PAY } from '../../../domain/staff/payroll/types.ts';
import { amount, choice, integer, label, uuid } from '../../platform/validation/schemas.ts';
import type { ResourceField } from '../resources/field.ts';

const CONTRACT_TYPES = ['indefinite', 'temporary', 'training'] as const;

/** Terms visible to everyone who may read employees. */
export const OPEN_TERMS = {
  departmentId: { schema: uuid(), reference: { table: 'departments' } },
  position: { schema: label({ min: 0, description: 'Position in the company' }) },
  vacationDays: {
    schema: integer({
      minimum: 0,
      maximum: 366,
      description: 'Calendar days of vacation a year; 30 unless agreed otherwise',
    }),
    filled: true,
  },
} as const satisfies Record<string, ResourceField>;

/** Pay and withholding, guarded by a further permission. */
export const PAY_TERMS = {
  contractType: { schema: choice(CONTRACT_TYPES, { description: 'indefinite unless stated otherwise' }), filled: true },
  workingHours: {
    schema: amount({ places: 4, exclusiveMinimum: 0, maximum: 168, description: 'A week; 40 unless stated otherwise' }),
    filled: true,
  },
  grossAnnualSalary: {
    schema: amount({
      places: 2,
      minimum: 0,
      maximum: MAX_PAY,
      description: 'Salary for a whole year, including extra pays; without one nothing is paid',
    }),
  },
  payments: {
    schema: integer({
      minimum: 12,
      maximum: 14,
      description: '12: the extra pays are part of each month; 14 (usual): one in June and one in December',
    }),
    filled: true,
  },
  contributionGroup: {
    schema: integer({ minimum: 1, maximum: 11, description: 'Contribution group of social security' }),
  },
  accidentRate: {
    schema: amount({
      places: 4,
      minimum: 0,
      maximum: 100,
      description: "The employer's percentage for accidents, by activity; 1.5 (offices) unless stated otherwise",
    }),
    filled: true,
  },
  irpfRate: {
    schema: amount({ places: 2, minimum: 0, maximum: 47, description: 'Percentage of income tax that is withheld' }),
    filled: true,
  },
} as const satisfies Record<string, ResourceField>;
