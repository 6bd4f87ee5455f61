/** Notifies people of the results of a rule, once for all records of a scheduled time. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { findRow } from '../../../../db/queries/find.ts';
import type { ScheduleCounts } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { notifyOfRun } from '../record-result.ts';

export async function notifyOfRecords(
  trx: Db,
  ctx: Context,
  automationId: string,
  { done, failed }: Pick<ScheduleCounts, 'done' | 'failed'>,
): Promise<void> {
  const rule = await findRow(trx, Automation, { id: automationId });
  if (rule === undefined) return;
  const { name } = rule;
  await notifyOfRun(trx, ctx, rule, {
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
