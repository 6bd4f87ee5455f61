/** Schema of the report `payslip`. */
import { Type } from 'typebox';
import { PAYROLL_STATUSES } from '../../../domain/staff/payroll/types.ts';
import { amount, choice, day, type Input, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { percent } from '../engine/declaration.ts';

const LINE = Type.Object({ description: text({ max: 500 }), kind: text(), amount: amount() });
const CONTRIBUTION = Type.Object({
  name: text({ description: 'As in the payroll: common, mei, unemployment …' }),
  base: nullable(amount({ description: 'Base of the percentage' })),
  rate: nullable(percent({ places: 4, description: 'Percentage; null where there are several' })),
  amount: amount(),
});

export const PAYSLIP = Type.Object({
  payroll_id: uuid(),
  year: integer(),
  month: integer({ minimum: 1, maximum: 12 }),
  status: choice(PAYROLL_STATUSES),
  days: amount({ places: 2, description: 'Paid: 30 for a whole month in contribution groups 1 to 7' }),
  company: Type.Object({
    name: text({ max: 500 }),
    tax_id: text(),
    address: nullable(text({ max: 1000 })),
    contribution_account: nullable(
      text({ description: "The company's account with social security: `config/payroll`" }),
    ),
  }),
  employee: Type.Object(
    {
      id: uuid(),
      code: text(),
      name: text({ max: 500 }),
      nif: nullable(text()),
      social_security_number: nullable(text()),
      position: nullable(text({ min: 0 })),
      contribution_group: integer(),
      hire_date: day(),
    },
    { description: 'As they were when the payroll was worked out' },
  ),
  earnings: Type.Object(
    {
      lines: Type.Array(LINE),
      free: amount({ description: 'Expenses and severance, free of contributions and income tax' }),
      total: amount({ description: 'The gross, and what is free' }),
    },
    { description: 'I. What is earned' },
  ),
  deductions: Type.Object(
    {
      contributions: Type.Array(CONTRIBUTION),
      contributions_total: amount(),
      irpf: Type.Object({ base: amount(), rate: percent({ places: 4 }), amount: amount() }),
      advances: Type.Array(LINE),
      in_kind: amount({ description: 'Pay already received in kind' }),
      total: amount(),
    },
    { description: 'II. What is taken' },
  ),
  net: amount({ description: 'Net amount to be paid' }),
  bases: Type.Object({
    monthly: amount({ description: 'Pay of the month, without overtime and extra pays' }),
    extras: amount({ description: "The month's share of the extra pays" }),
    overtime: amount(),
    common: amount({ description: 'Base for common contingencies, within the limits of the group' }),
    professional: amount({ description: 'Base for accidents, unemployment, training and FOGASA' }),
    irpf: amount({ description: 'Base of the income tax' }),
  }),
  employer: Type.Object(
    { contributions: Type.Array(CONTRIBUTION), total: amount() },
    { description: 'Contributions of the company to social security' },
  ),
  drilldown: text({ max: 500, description: 'The payroll' }),
});

export type PayslipData = Input<typeof PAYSLIP>;
