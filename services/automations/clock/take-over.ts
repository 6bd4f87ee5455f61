/** What operators decide in Temporal about rules by the clock. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Automation } from '../../../db/models/automations.ts';
import { patchRow } from '../../../db/write.ts';
import { shortened } from '../../../domain/shorten.ts';
import type { KnownSchedule } from '../../schedules/known.ts';
import { cancelRuns } from '../run-rows.ts';
import { clockEvents } from './known.ts';

/**
 * Turns the rule to the state that an operator has chosen in Temporal.
 * @param row as it was compared
 * @param reason of a pause
 * @returns false when it was changed since
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
