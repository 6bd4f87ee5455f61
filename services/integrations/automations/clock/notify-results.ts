/** Notifies the user whom a rule acts for of its results, once for all records of a scheduled time. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { findRow } from '../../../../db/queries/find.ts';
import type { ScheduleCounts } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { notifyUser } from '../../../messages/notifications/notify.ts';

export async function notifyOfRecords(
  trx: Db,
  ctx: Context,
  automationId: string,
  { done, failed }: Pick<ScheduleCounts, 'done' | 'failed'>,
): Promise<void> {
  const rule = await findRow(trx, Automation, { id: automationId });
  if (rule === undefined || rule.runsAs === null) return;
  const { name, runsAs } = rule;
  await notifyUser(trx, ctx, runsAs, 'automation_triggered', {
    title: failed === 0 ? `${name} has run` : `${name} has not done everything`,
    body: `Records acted on: ${done}; with failed actions: ${failed}`,
    actionLabel: 'Show',
    es: {
      title: failed === 0 ? `Se ha ejecutado ${name}` : `${name} no lo ha hecho todo`,
      body: `Registros tratados: ${done}; con acciones fallidas: ${failed}`,
      actionLabel: 'Ver',
    },
    metadata: { automation_id: automationId },
    actionUrl: `/api/automations/${automationId}/logs`,
  });
}
