/** Checks references of rules: users, reports, and members of records. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { isUuid } from '../../../db/ids.ts';
import { type FieldError, ServiceError } from '../../../domain/errors.ts';
import { findRecipients } from '../../messages/notifications/recipients.ts';
import { supportedFormats } from '../../reports/engine/formats.ts';
import type { ReportOrder } from '../../reports/engine/request.ts';
import { orderAt, scheduledReport } from '../../reports/schedules/check.ts';
import { DEFAULT_FORMAT } from '../../reports/schedules/schemas.ts';
import { pluginFaults } from './plugins.ts';
import { readSelection } from './records/select.ts';
import type { ActionOf, Rule } from './schemas.ts';

/** Finds faults in all references of a rule. */
export async function referenceFaults(trx: Db, ctx: Context, { trigger, actions }: Rule): Promise<FieldError[]> {
  const faults = [
    ...(await userFaults(trx, actions)),
    ...(await queryFaults(trx, ctx, trigger)),
    ...(await pluginFaults(trx, trigger, actions)),
  ];
  for (const [index, action] of actions.entries()) {
    if (action.type === 'report.generate') faults.push(...(await reportFaults(trx, ctx, action, `/actions/${index}`)));
  }
  return faults;
}

/** Reads the current parameters of a report action. @throws ServiceError validation_failed naming `/params/…` */
export async function readReportOrder(
  reader: Reader,
  ctx: Context,
  action: ActionOf<'report.generate'>,
): Promise<ReportOrder> {
  const { report_name: reportName, format = DEFAULT_FORMAT, from, to, params } = action;
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  // Relative days are based on the current time, not on a schedule.
  const wanted = { reportName, params: { ...params, ...days }, format, cron: '', timezone: '' };
  return await orderAt(reader, ctx, wanted, ctx.now);
}

async function queryFaults(trx: Db, ctx: Context, trigger: Rule['trigger']): Promise<FieldError[]> {
  if (trigger.type !== 'schedule.cron' || trigger.query === undefined) return [];
  const selection = await readSelection(trx, ctx, trigger.query, ctx.now, null);
  if (!('faults' in selection)) return [];
  return selection.faults.map((fault) => ({ ...fault, pointer: `/trigger/query${fault.pointer}` }));
}

async function userFaults(trx: Db, actions: Rule['actions']): Promise<FieldError[]> {
  const named = actions.flatMap((action, index) =>
    'user_id' in action && action.user_id !== undefined && isUuid(action.user_id)
      ? [{ userId: action.user_id, pointer: `/actions/${index}/user_id` }]
      : [],
  );
  if (named.length === 0) return [];
  const members = await findRecipients(trx, { roles: [], userIds: named.map(({ userId }) => userId) });
  const known = new Set(members.map(({ userId }) => userId));
  const message = 'must be an active member of the company';
  return named
    .filter(({ userId }) => !known.has(userId))
    .map(({ pointer }) => ({ pointer, code: 'invalid_reference', message }));
}

async function reportFaults(
  trx: Db,
  ctx: Context,
  action: ActionOf<'report.generate'>,
  at: string,
): Promise<FieldError[]> {
  const formats = supportedFormats(scheduledReport({ reportName: action.report_name }));
  if (action.format !== undefined && !formats.includes(action.format)) {
    const message = `must be a format of this report: ${formats.join(', ')}`;
    return [{ pointer: `${at}/format`, code: 'not_allowed', message }];
  }
  try {
    await readReportOrder(trx, ctx, action);
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_failed') throw error;
    return error.errors.map((fault) => ({
      ...fault,
      pointer: at + fault.pointer.replace(/^\/params(?=\/(from|to)$)/, ''),
    }));
  }
}
