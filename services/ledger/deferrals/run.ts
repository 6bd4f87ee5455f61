/** Enters deferrals when a person asks for it. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { endOfMonth, formatDay } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { readEntries } from '../accounting/read.ts';
import { recogniseDue } from './recognise.ts';
import type { DeferralRunInput } from './schemas.ts';

/** Entries of one request: each is in its answer. */
const MOST = 1000;

/** @throws ServiceError validation_failed, period_closed */
export async function runDeferrals(trx: Db, ctx: Context, { year, month, date }: DeferralRunInput) {
  const first = formatDay(year, month, 1);
  const current = (await loadToday(trx, ctx)).slice(0, 7);
  if (first.slice(0, 7) > current) {
    throw invalidMember('/month', 'out_of_range', `must be at most ${current}, the current month`);
  }
  const to = endOfMonth(first);
  const { entryIds, blocked, more } = await recogniseDue(trx, ctx, { to, date, limit: MOST });
  const entries = await readEntries(trx, entryIds);
  return { year, month, entries: entries.map(({ lines: _, ...head }) => head), blocked, more };
}
