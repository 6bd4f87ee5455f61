/** Employees with members of their newest contract, as the views of the database have them. */
import { Employee } from '../../db/models/people.ts';

/** What everybody may see who reads people. */
export class EmployeeShown extends Employee {
  static override tableName = 'employees_shown';
}

/** The same with what they are paid. */
export class EmployeePaid extends Employee {
  static override tableName = 'employees_paid';
  static override decimals = ['workingHours', 'grossAnnualSalary', 'accidentRate', 'irpfRate'];
}
