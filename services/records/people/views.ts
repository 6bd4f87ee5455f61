/** Database views of employees with members of their newest contract. */
import { Employee } from '../../../db/models/records/people.ts';

/** An employee without pay, for everyone who may read people. */
export class EmployeeView extends Employee {
  static override tableName = 'employees_shown';
}

/** An employee with pay. */
export class EmployeePayView extends Employee {
  static override tableName = 'employees_paid';
  static override decimals = ['workingHours', 'grossAnnualSalary', 'accidentRate', 'irpfRate'];
}
