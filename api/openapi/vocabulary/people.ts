/** Employees, their contracts, absences and pay. */
import { DAY, sampleId } from './common.ts';
import type { Vocabulary } from './index.ts';

export const people: Vocabulary = {
  employeeId: ['The employee', sampleId(70)],
  departmentId: ['The department', sampleId(71)],
  managerId: ['The employee who leads it', sampleId(70)],
  contractId: ['The contract', sampleId(72)],
  payItemId: ['The pay item', sampleId(73)],
  hireDate: ['The first day of the employment', DAY],
  endDate: ['The last day of the employment; null while it goes on', null],
  socialSecurityNumber: ['Social security number of 12 digits', '280012345623'],
  contractType: ['Type of the contract', 'indefinite'],
  workingHours: ['Hours of work a week', 40],
  vacationDays: ['Calendar days of vacation a year', 30],
  grossAnnualSalary: ['Gross salary of a whole year, extra pays included', 23800],
  payments: ['12: extra pays are part of each month; 14: one in June and one in December', 14],
  contributionGroup: ['Contribution group of social security, 1 to 11', 5],
  accidentRate: ["The employer's percentage for accidents, by activity", 1.5],
  irpfRate: ['Percentage of income tax that is withheld', 12],
  month: ['The month, 1 to 12', 1],
  bases: ['What contributions and income tax are worked out from'],
  entitled: ['What the contracts give in the year', 30],
  taken: ['Up to today', 12],
  planned: ['After today', 5],
};
