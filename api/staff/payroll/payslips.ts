/** Routes that mail payslips to employees, as links that open without login. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import { findRow } from '../../../db/queries/find.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { findPayslip, PDF, storePayslip } from '../../../services/platform/files/files.ts';
import { binary, integer, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { findReport } from '../../../services/reports/generation/reports.ts';
import { assertPayslipLink } from '../../../services/staff/payroll/payslip-links.ts';
import { startPayslips } from '../../../services/staff/payroll/payslip-mails.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { awaitedFile } from '../../reports/generation/awaited-file.ts';
import { type Deps, defineRoute, type Route, type RouteResponse } from '../../route.ts';

/** The actor recorded in tasks, since the link names no person. */
const ACTOR = 'payslip_link';
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

export const routes: Route[] = [
  defineRoute({
    tag: 'Payroll',
    method: 'POST',
    path: '/api/payrolls/send-payslips',
    id: 'sendPayslips',
    summary: 'Mail the payslips of a month',
    description: `In the background: each employee with an e-mail address gets a link to the payslip, which needs no login and expires after
30 days. A payslip is mailed once, so repeating it mails those posted since; \`POST /api/emails/:id/resend\` mails
one again. The task's result names employees without an address.`,
    access: 'payroll:update',
    problems: ['nothing_open'],
    body: Type.Object(
      { year: integer({ minimum: 1900, maximum: 9998 }), month: integer({ minimum: 1, maximum: 12 }) },
      { title: 'PayslipMonth', additionalProperties: false },
    ),
    responses: { 202: TaskStarted },
    handler: async ({ db, ctx, body }) => taskStarted(await startPayslips(db, ctx, body)),
  }),
  defineRoute({
    tag: 'Payroll',
    method: 'GET',
    path: '/api/payrolls/:id/payslip',
    id: 'openPayslip',
    summary: 'Open a mailed payslip',
    description:
      'The target of links in mails: the payslip as PDF, unless its payroll is cancelled or the link has expired.',
    access: 'public',
    problems: ['not_found', 'unavailable'],
    params: Type.Object({ id: uuid() }),
    query: Type.Object({
      company: uuid({ description: 'From the link in the mail' }),
      expires: integer({ minimum: 0, maximum: LAST_SECOND, description: 'From the link in the mail' }),
      signature: text({ max: 100, description: 'From the link in the mail' }),
    }),
    responses: { 200: binary(PDF) },
    async handler({ deps, params, query, requestId }) {
      const link = { tenantId: query.company, payrollId: params.id, expires: query.expires };
      const now = deps.now();
      assertPayslipLink(configuredKeys(deps.config), link, query.signature, now);
      const ctx: Context = { tenantId: query.company, userId: null, actor: ACTOR, requestId, now };
      return await answerPayslip(deps, ctx, params.id);
    },
  }),
];

/**
 * Finds the payslip's PDF, rendered when first opened and then kept: links can be opened any number of times.
 * @throws ServiceError not_found, unavailable
 */
async function answerPayslip(deps: Deps, ctx: Context, payrollId: string): Promise<RouteResponse> {
  const { payroll, kept } = await deps.database.readTenant(ctx, async (db) => ({
    payroll: await findRow(db, Payroll, { id: payrollId }),
    kept: await findPayslip(db, payrollId),
  }));
  if (payroll?.status !== 'O') throw notFound('The payslip');
  const name = `payslip-${payroll.year}-${String(payroll.month).padStart(2, '0')}.pdf`;
  const headers = { 'Content-Type': PDF, 'Content-Disposition': `inline; filename="${name}"` };
  if (kept !== undefined) return { status: 200, body: kept.content, headers };
  const order = { report: findReport('payslip'), params: { payroll_id: payrollId }, ctx };
  const { status, body } = await awaitedFile(deps, order, 'pdf');
  if (status !== 200)
    throw new ServiceError('unavailable', 'The payslip is being made; open the link again in a minute');
  const content = body as Buffer;
  await deps.database.withTenant(ctx, (trx) => storePayslip(trx, ctx, { payrollId, name, contentType: PDF, content }));
  return { status: 200, body: content, headers };
}
