/** Payrolls: what employees are paid each month. */
import { Type } from 'typebox';
import { columnName } from '../../db/models/columns.ts';
import { Payroll } from '../../db/models/people.ts';
import { findRow } from '../../db/queries/find.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { notFound } from '../../domain/errors.ts';
import { PAYROLL_STATUSES } from '../../domain/payroll/types.ts';
import { cancelPayroll, changePayroll, deletePayroll, postPayroll } from '../../services/payroll/change.ts';
import { startPayrolls } from '../../services/payroll/generate.ts';
import { PayrollCancel, PayrollLineBody, PayrollMonth, PayrollPatch } from '../../services/payroll/schemas.ts';
import { type PayrollRow, payrollToJson } from '../../services/payroll/to-json.ts';
import { amount, choice, dataOf, instant, integer, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { noContent, ok } from '../respond.ts';
import { compared, defineRoute, type Route } from '../route.ts';
import { TaskStarted, taskStarted } from '../tasks/started.ts';

const TAG = 'Payroll';
const PATH = '/api/payrolls';
const Id = Type.Object({ id: uuid() });
const money = (description: string) => amount({ places: 2, description });

const contributions = (whose: string) =>
  Type.Object(
    {
      common: money('Common contingencies'),
      mei: money('Intergenerational equity mechanism'),
      unemployment: money('Unemployment'),
      training: money('Vocational training'),
      accidents: money('Accidents at work; the employer alone'),
      fogasa: money('Wage guarantee fund; the employer alone'),
      overtime: money('Of overtime'),
      solidarity: money('Of pay above the greatest base'),
      total: money('Their sum'),
    },
    { description: `What the ${whose} pays to social security` },
  );

const Answer = compared(
  Type.Object(
    {
      id: uuid(),
      employeeId: uuid(),
      employee: Type.Object(
        { code: text(), name: text(), nif: nullable(text()) },
        { description: 'As they were when it was worked out' },
      ),
      departmentId: nullable(uuid({ description: 'The department of the employee in that month' })),
      year: integer(),
      month: integer({ minimum: 1, maximum: 12 }),
      status: choice(PAYROLL_STATUSES, { description: 'D draft, O posted, X cancelled' }),
      days: integer({ description: 'Paid: 30 for a whole month in contribution groups 1 to 7' }),
      lines: Type.Array(PayrollLineBody),
      gross: money('All that is earned, in money and in kind'),
      bases: Type.Object({
        common: money('Of common contingencies'),
        professional: money('Of accidents, unemployment, training and FOGASA'),
        irpf: money('Of income tax'),
      }),
      employeeContributions: contributions('employee'),
      employerContributions: contributions('employer'),
      irpfRate: amount({ places: 4, description: 'Percentage of income tax' }),
      irpf: money('Income tax withheld'),
      deductions: money('All that is taken: contributions, income tax, what was received before'),
      net: money('What is paid'),
      entryId: nullable(uuid({ description: 'Its entry, once it is posted' })),
      paymentId: nullable(uuid({ description: 'What paid it' })),
      createdBy: nullable(uuid()),
      postedAt: nullable(instant()),
      cancelledAt: nullable(instant()),
      payslipMailedAt: nullable(instant({ description: 'When its payslip was mailed to the employee' })),
      version: integer(),
      createdAt: instant(),
      updatedAt: instant(),
    },
    { title: 'Payroll' },
  ),
);

const list: ListDefinition = {
  defaultSort: '-year,-month,employeeCode',
  key: 'p.id',
  fields: {
    employeeId: { type: 'uuid', column: 'p.employee_id' },
    departmentId: { type: 'uuid', column: 'p.department_id' },
    employeeCode: { type: 'text', column: `p.terms ->> 'employeeCode'`, notNull: true, searchable: true },
    employeeName: { type: 'text', column: `p.terms ->> 'employeeName'`, notNull: true, searchable: true },
    year: { type: 'integer', column: 'p.year', notNull: true },
    month: { type: 'integer', column: 'p.month', notNull: true },
    status: { type: 'choice', column: 'p.status', choices: PAYROLL_STATUSES },
    gross: { type: 'number', column: 'p.gross' },
    net: { type: 'number', column: 'p.net' },
    irpf: { type: 'number', column: 'p.irpf' },
    paymentId: { type: 'uuid', column: 'p.payment_id' },
    postedAt: { type: 'instant', column: 'p.posted_at' },
    createdAt: { type: 'instant', column: 'p.created_at', notNull: true },
  },
};

const COLUMNS = Object.keys(Payroll.columns).map((member) => `p.${columnName(member)} as "${member}"`);

export const routes: Route[] = [
  listRoute<never, PayrollRow>({
    path: PATH,
    id: 'listPayrolls',
    summary: 'Payrolls, latest month first',
    tag: TAG,
    access: 'payroll:read',
    list,
    row: Answer,
    hidden: ['lines'],
    references: { departmentId: 'departments' },
    rows: () => ({ from: 'payrolls p', columns: COLUMNS, toJson: payrollToJson }),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/generate`,
    id: 'generatePayrolls',
    summary: 'Make the payrolls of a month',
    description: `In the background: one draft for each active employee under contract, from contracts, pay items and unpaid leave.
Who has one of the month keeps it, so that repeating it makes what is missing; with \`post\` the drafts of the month are posted as well, so
that it can be generated, looked at and then posted. The task's result says who was left out, and why.`,
    tag: TAG,
    access: 'payroll:create',
    problems: ['period_closed'],
    body: PayrollMonth,
    responses: { 202: TaskStarted },
    handler: async ({ db, ctx, body }) => taskStarted(await startPayrolls(db, ctx, body)),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getPayroll',
    summary: 'One payroll',
    description: 'With its lines and contributions. The payslip itself: /api/reports/payslip.',
    tag: TAG,
    access: 'payroll:read',
    params: Id,
    responses: { 200: dataOf(Answer) },
    async handler({ reader, params }) {
      const found = await findRow(reader, Payroll, { id: params.id });
      if (found === undefined) throw notFound('This payroll');
      return ok(payrollToJson(found));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'updatePayroll',
    summary: 'Change a draft',
    description: 'Bases, contributions, income tax and net follow from the lines.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition'],
    params: Id,
    body: PayrollPatch,
    responses: { 200: dataOf(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(payrollToJson(await changePayroll(db, ctx, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deletePayroll',
    summary: 'Delete a draft',
    description: 'Generating its month makes it anew.',
    tag: TAG,
    access: 'payroll:delete',
    problems: ['invalid_transition'],
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await deletePayroll(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/post`,
    id: 'postPayroll',
    summary: 'Post a draft',
    description: 'Its entry is of the last day of the month and names no employee.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    responses: { 200: dataOf(Answer) },
    handler: async ({ db, ctx, params, ifMatch }) => ok(payrollToJson(await postPayroll(db, ctx, params.id, ifMatch))),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/cancel`,
    id: 'cancelPayroll',
    summary: 'Cancel a payroll',
    description: 'The entry of a posted one is reversed. Its month can be generated again then.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'in_use', 'period_closed'],
    params: Id,
    body: PayrollCancel,
    bodyOptional: true,
    responses: { 200: dataOf(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(payrollToJson(await cancelPayroll(db, ctx, params.id, body?.date, ifMatch))),
  }),
];
