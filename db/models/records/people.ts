/** Employees of a company, their pay and their absences. */
import { PRIVATE, type PrivateFields } from '../../../domain/permissions.ts';
import type { CustomValues } from '../../../domain/records/custom-fields.ts';
import type { Contributions } from '../../../domain/staff/payroll/contributions.ts';
import type { Ascendant, Disabled } from '../../../domain/staff/payroll/irpf.ts';
import type { PaySubkey, Withholding } from '../../../domain/staff/payroll/irpf-rules.ts';
import type {
  LineKind,
  PayrollBases,
  PayrollLine,
  PayrollStatus,
  PayrollTerms,
} from '../../../domain/staff/payroll/types.ts';
import { day, exact, flag, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class Department extends versionedTable('departments', {
  code: text(),
  name: text(),
  managerId: optional(uuid()),
  /** Where its people work: they have the holidays of this place. */
  place: optional(text()),
}) {
  static override entityType = 'Department';
  static override access = 'people:read' as const;
}

/** A public holiday. */
export class Holiday extends versionedTable('holidays', {
  day: day(),
  name: text(),
  /** As departments name it; null for one of all places. */
  place: optional(text()),
}) {
  static override entityType = 'Holiday';
  static override access = 'people:read' as const;
}

export class Employee extends versionedTable('employees', {
  code: text(),
  name: text(),
  nif: optional(text()),
  email: optional(text()),
  hireDate: day(),
  endDate: optional(day()),
  socialSecurityNumber: optional(text()),
  iban: optional(text()),
  /** Dimensions of what names no other. */
  defaultCostCenterId: optional(uuid()),
  defaultProjectId: optional(uuid()),
  active: flag(),
  custom: json<CustomValues>(),
  /** Incremented by each change of the contracts. */
  termsChanges: integer(),
}) {
  static override entityType = 'Employee';
  static override access = 'people:read' as const;
  static override privateFields: PrivateFields = {
    nif: PRIVATE,
    socialSecurityNumber: PRIVATE,
    iban: PRIVATE,
    attachments: PRIVATE,
  };
  static override hidden: readonly string[] = ['tenantId', 'termsChanges'];
}

/** A share of a project or cost center in what an employee costs. */
export class EmployeeCostShare extends versionedTable('employee_cost_shares', {
  employeeId: uuid(),
  projectId: optional(uuid()),
  costCenterId: optional(uuid()),
  percent: exact(),
}) {
  static override entityType = 'EmployeeCostShare';
  static override access = 'people:read' as const;
}

/** The terms of employment from a day on. */
export class EmployeeContract extends versionedTable('employee_contracts', {
  employeeId: uuid(),
  from: day(),
  to: optional(day()),
  contractType: text<'indefinite' | 'temporary' | 'training'>(),
  departmentId: optional(uuid()),
  position: optional(text()),
  /** Hours a week. */
  workingHours: exact(),
  grossAnnualSalary: optional(exact()),
  payments: integer(),
  contributionGroup: optional(integer()),
  accidentRate: exact(),
  irpfRate: exact(),
  /** Calendar days a year. */
  vacationDays: integer(),
}) {
  static override entityType = 'EmployeeContract';
  static override access = 'payroll:read' as const;
}

/**
 * Family data that an employee has declared, on which the income tax depends. Without it the tax is that of people
 * without children.
 */
export class EmployeeTaxData extends versionedTable('employee_tax_data', {
  employeeId: uuid(),
  familySituation: integer(),
  children: integer(),
  childrenUnderThree: integer(),
  childrenInFull: flag(),
  birthYear: optional(integer()),
  disability: integer(),
  needsHelp: flag(),
  disabledChildren: json<readonly Disabled[]>(),
  ascendants: json<readonly Ascendant[]>(),
  withholding: text<Withholding>(),
  ceutaOrMelilla: flag(),
  geographicMobility: flag(),
  /** First two digits of the postal code of their home. */
  province: optional(text()),
  spouseNif: optional(text()),
  /** Subkey of model 190; null for wages. */
  subkey: optional(text<PaySubkey>()),
}) {
  static override entityType = 'EmployeeTaxData';
  static override access = 'payroll:read' as const;
}

/** Monthly earning or deduction in addition to the salary. */
export class PayItem extends versionedTable('pay_items', {
  employeeId: uuid(),
  description: text(),
  kind: text<LineKind>(),
  amount: exact(),
  from: day(),
  to: optional(day()),
}) {
  static override entityType = 'PayItem';
  static override access = 'payroll:read' as const;
}

export class Absence extends versionedTable('absences', {
  employeeId: uuid(),
  type: text<'vacation' | 'sick' | 'unpaid' | 'other'>(),
  from: day(),
  to: day(),
  /** Calendar days, unless somebody counts otherwise. */
  days: exact(),
  notes: optional(text()),
  /** Only approved ones count (decision 0252). */
  status: text<'approved' | 'requested' | 'refused'>(),
  refusalReason: optional(text()),
  requestedBy: optional(uuid()),
  decidedBy: optional(uuid()),
  decidedAt: optional(instant()),
}) {
  static override entityType = 'Absence';
  static override access = 'people:read' as const;
  static override privateFields: PrivateFields = { notes: PRIVATE, refusalReason: PRIVATE, attachments: PRIVATE };
}

/** When an employee worked. It shows when a person comes and goes, so it is private as a whole (decision 0251). */
export class TimeRecord extends versionedTable('time_records', {
  employeeId: uuid(),
  /** The day in the company's time zone on which the work began, to which it belongs. */
  day: day(),
  startedAt: instant(),
  /** Null while the work goes on. */
  endedAt: optional(instant()),
  breakMinutes: integer(),
  note: optional(text()),
  /** Reason of the last correction or cancellation. */
  lastReason: optional(text()),
  cancelledAt: optional(instant()),
}) {
  static override entityType = 'TimeRecord';
  static override access = 'people:private' as const;
}

/** An employee's pay for a month. */
export class Payroll extends versionedTable('payrolls', {
  employeeId: uuid(),
  year: integer(),
  month: integer(),
  status: text<PayrollStatus>(),
  /** The employee's department in that month. */
  departmentId: optional(uuid()),
  /** Terms from which it was calculated. */
  terms: json<PayrollTerms>(),
  lines: json<readonly PayrollLine[]>(),
  /** Paid days: 30 for a whole month in contribution groups 1 to 7. */
  days: integer(),
  /** The paid days with their fractions; null: as `days`, which rounds them up. */
  paidDays: optional(exact()),
  gross: exact(),
  bases: json<PayrollBases>(),
  employeeContributions: json<Contributions>(),
  employerContributions: json<Contributions>(),
  /** Totals of the employee's and the employer's contributions, which reports add up. */
  employeeContribution: exact(),
  employerContribution: exact(),
  irpfRate: exact(),
  irpf: exact(),
  deductions: exact(),
  net: exact(),
  entryId: optional(uuid()),
  reversalId: optional(uuid()),
  paymentId: optional(uuid()),
  postedAt: optional(instant()),
  cancelledAt: optional(instant()),
  payslipMailedAt: optional(instant()),
  createdBy: optional(uuid()),
}) {
  static override entityType = 'Payroll';
  static override access = 'payroll:read' as const;
  static override privateFields: PrivateFields = { terms: PRIVATE };
}
