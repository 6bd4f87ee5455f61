/** Routes of payrolls, the monthly pay of employees. */
import { Type } from 'typebox';
import { Payroll } from '../../../db/models/records/people.ts';
import { selectColumns } from '../../../db/models/selected.ts';
import { findRow } from '../../../db/queries/find.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { PAYROLL_STATUSES } from '../../../domain/staff/payroll/types.ts';
import {
  amount,
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { cancelPayroll, changePayroll, deletePayroll, postPayroll } from '../../../services/staff/payroll/change.ts';
import { previewPayrolls, startPayrolls } from '../../../services/staff/payroll/generate.ts';
import { PayrollCancel, PayrollLineBody, PayrollMonth, PayrollPatch } from '../../../services/staff/payroll/schemas.ts';
import { type PayrollRow, payrollToJson } from '../../../services/staff/payroll/to-json.ts';
import { listRoute } from '../../lists/list-route.ts';
import { startedTask, TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { noContent, ok } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

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
      overtime: money('Overtime'),
      solidarity: money('Pay above the maximum base'),
      total: money('Their sum'),
    },
    { description: `Social security contributions of the ${whose}` },
  );

const Answer = compared(
  Type.Object(
    {
      id: uuid(),
      employeeId: uuid(),
      employee: Type.Object(
        { code: text(), name: text(), nif: nullable(text()) },
        { description: 'The terms as of the computation' },
      ),
      departmentId: nullable(uuid({ description: "The employee's department in that month" })),
      year: integer(),
      month: integer({ minimum: 1, maximum: 12 }),
      status: choice(PAYROLL_STATUSES, { description: 'D draft, O posted, X cancelled' }),
      days: amount({ places: 2, description: 'Paid days: 30 for a whole month in contribution groups 1 to 7' }),
      lines: Type.Array(PayrollLineBody),
      gross: money('Total earnings, in money and in kind'),
      bases: Type.Object({
        common: money('Base of common contingencies'),
        professional: money('Base of accidents, unemployment, training and FOGASA'),
        irpf: money('Base of income tax'),
      }),
      employeeContributions: contributions('employee'),
      employerContributions: contributions('employer'),
      irpfRate: amount({ places: 4, description: 'Percentage of income tax' }),
      irpf: money('Income tax withheld'),
      deductions: money('Contributions, income tax and amounts received earlier'),
      net: money('Amount to pay'),
      entryId: nullable(uuid({ description: 'The entry, once it is posted' })),
      paymentId: nullable(uuid({ description: 'The payment' })),
      createdBy: nullable(uuid()),
      postedAt: nullable(instant()),
      cancelledAt: nullable(instant()),
      payslipMailedAt: nullable(instant({ description: 'When the payslip was mailed to the employee' })),
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

export const routes: Route[] = [
  listRoute<never, PayrollRow>({
    path: PATH,
    id: 'listPayrolls',
    summary: 'Payrolls, latest month first',
    tag: TAG,
    access: Payroll.access,
    list,
    row: Answer,
    hidden: ['lines'],
    references: { departmentId: 'departments' },
    rows: ({ caller }) => ({
      from: 'payrolls p',
      columns: [selectColumns(Payroll, 'p')],
      toJson: (row: PayrollRow) => payrollToJson(row, caller.permissions),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/generate`,
    id: 'generatePayrolls',
    summary: 'Generate the payrolls of a month',
    description: `In the background: one draft for each active employee under contract, from contracts, pay items and unpaid leave.
Existing payrolls of the month are kept, so repeating it generates missing ones; with \`post\` the drafts of the month are posted too, so
that they can be reviewed before. The task's result lists skipped employees, with reasons.`,
    tag: TAG,
    access: 'payroll:create',
    problems: ['period_closed'],
    body: PayrollMonth,
    responses: { 202: TaskStarted },
    handler: async ({ db, ctx, body }) => taskStarted(await startPayrolls(db, ctx, body)),
    async previewWork({ db, ctx, body, caller }, answer) {
      const { payrolls, complete } = await previewPayrolls(db, ctx, startedTask(answer), body);
      return {
        document: caller.permissions.has('payroll:read')
          ? payrolls.map((row) => payrollToJson(row, caller.permissions))
          : null,
        complete,
      };
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getPayroll',
    summary: 'One payroll',
    description: 'Includes its lines and contributions. The payslip itself: /api/reports/payslip.',
    tag: TAG,
    access: Payroll.access,
    params: Id,
    responses: { 200: dataBody(Answer) },
    async handler({ reader, params, caller }) {
      const found = await findRow(reader, Payroll, { id: params.id });
      if (found === undefined) throw notFound('This payroll');
      return ok(payrollToJson(found, caller.permissions));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'updatePayroll',
    summary: 'Change a draft',
    description: 'Bases, contributions, income tax and net are computed from the lines.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition'],
    params: Id,
    body: PayrollPatch,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch, caller }) =>
      ok(payrollToJson(await changePayroll(db, ctx, params.id, body, ifMatch), caller.permissions)),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deletePayroll',
    summary: 'Delete a draft',
    description: 'Generating its month creates it again.',
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
    description: 'The entry is dated the last day of the month, and names no employee.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, ifMatch, caller }) =>
      ok(payrollToJson(await postPayroll(db, ctx, params.id, ifMatch), caller.permissions)),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/cancel`,
    id: 'cancelPayroll',
    whenFull: 'reserve',
    summary: 'Cancel a payroll',
    description: 'Reverses the entry of a posted payroll. The month can then be generated again.',
    tag: TAG,
    access: 'payroll:update',
    problems: ['invalid_transition', 'in_use', 'period_closed'],
    params: Id,
    body: PayrollCancel,
    bodyOptional: true,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch, caller }) =>
      ok(payrollToJson(await cancelPayroll(db, ctx, params.id, body?.date, ifMatch), caller.permissions)),
  }),
];
