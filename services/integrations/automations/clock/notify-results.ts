/** Notifies people of the results of a rule, once for all records of a scheduled time. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { findRow } from '../../../../db/queries/find.ts';
import type { ScheduleCounts } from '../../../../workflows/integrations/automations/clock-contract.ts';
import { manyNotice, notifyOfRun } from '../record-result.ts';

export async function notifyOfRecords(
  trx: Db,
  ctx: Context,
  automationId: string,
  { done, failed }: Pick<ScheduleCounts, 'done' | 'failed'>,
): Promise<void> {
  const rule = await findRow(trx, Automation, { id: automationId });
  if (rule === undefined) return;
  await notifyOfRun(trx, ctx, rule, manyNotice(rule, { done, failed }));
}
