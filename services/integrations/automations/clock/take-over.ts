/** Applies decisions of operators in Temporal to scheduled rules. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { Automation } from '../../../../db/models/integrations/automations.ts';
import { patchRow } from '../../../../db/write.ts';
import { shortened } from '../../../../domain/shorten.ts';
import type { KnownSchedule } from '../../../platform/schedules/known.ts';
import { cancelRuns } from '../run-store.ts';
import { clockEvents } from './schedule-state.ts';

/**
 * Changes a rule to the state that an operator has chosen in Temporal.
 * @param row as it was compared
 * @param reason of a pause
 * @returns false if it was changed in the meantime
 */
export async function takeOverRule(trx: Db, ctx: Context, row: KnownSchedule, reason: string): Promise<boolean> {
  const current = (await Automation.query(trx).findById(row.id).forNoKeyUpdate()) as Automation | undefined;
  if (current === undefined || current.version !== row.version) return false;
  const values = row.active
    ? ({ status: 'paused', pauseReason: shortened(reason, 500) } as const)
    : ({ status: 'active', pauseReason: null } as const);
  if (row.active) await cancelRuns(trx, ctx, [row.id], values.pauseReason ?? '');
  await patchRow(trx, ctx, Automation, current, values, (changed) => clockEvents(current, changed));
  return true;
}
