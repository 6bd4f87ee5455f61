/** Makes what a recurring document owes: one period in each transaction, once. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { type RecurringDocument, RecurringRun } from '../../../db/models/contracts/recurring.ts';
import type { Row } from '../../../db/models/table.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, staleVersion } from '../../../db/write.ts';
import { type Due, dueBy } from '../../../domain/contracts/recurring/catch-up.ts';
import { type Period, periodAfter, periodFrom } from '../../../domain/contracts/recurring/periods.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { localDay } from '../../../domain/records/tables/times.ts';
import { shortened } from '../../../domain/shorten.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { filledIn } from './fill-in.ts';
import type { Made } from './kind.ts';
import { recurringKind } from './kinds.ts';
import { lockRecurring } from './manage.ts';
import { nextMembers, toPlan } from './plan.ts';

const MAX_REASON = 500;

export type Run = Readonly<Row<typeof RecurringRun>>;

/**
 * Makes the next document of those that are due; those that are not made by its rule for missed ones are recorded as skipped.
 * @returns what was recorded last; null if nothing is due any more
 * @throws ServiceError as the request that makes the document; nothing is recorded then
 */
export async function makeNextDue(trx: Db, ctx: Context, id: string): Promise<Run | null> {
  const found = await findDue(trx, ctx, id);
  if (found === null) return null;
  const { row, due, timezone } = found;
  const made = due.made === null ? null : await makePeriod(trx, ctx, row, due.made);
  const runs = [...due.skipped.map((period) => skippedRun(ctx, row, period)), ...(made === null ? [] : [made])];
  await record(trx, ctx, row, { runs, next: due.next, timezone, isMade: made !== null });
  return runs.at(-1) ?? null;
}

/** Records that the next document could not be made, and goes on to the one after it. @returns as `makeNextDue` */
export async function recordFailure(trx: Db, ctx: Context, id: string, reason: string): Promise<Run | null> {
  const found = await findDue(trx, ctx, id);
  if (found === null) return null;
  const { row, due, timezone } = found;
  const failed = due.made === null ? [] : [failedRun(ctx, row, due.made, reason)];
  const runs = [...due.skipped.map((period) => skippedRun(ctx, row, period)), ...failed];
  const next = due.made === null ? due.next : periodAfter(toPlan(row), due.made);
  await record(trx, ctx, row, { runs, next, timezone, isMade: false });
  return runs.at(-1) ?? null;
}

/**
 * Makes the next document before it is due. What two ask for at once is made once.
 * @param seen what the caller knows of it: its version, or null, and the first day of the period that is asked for
 * @throws ServiceError not_found, stale_version, invalid_transition (it is paused, or has ended), and as the request that makes the
 * document
 */
export async function makeNow(
  trx: Db,
  ctx: Context,
  id: string,
  seen: { readonly ifMatch: number | null; readonly nextFrom: string | null },
): Promise<Run> {
  const row = await lockRecurring(trx, id);
  assertVersion(row, seen.ifMatch);
  if (row.nextFrom !== seen.nextFrom) throw staleVersion();
  const plan = toPlan(row);
  const period = row.nextFrom === null ? null : periodFrom(plan, row.nextFrom);
  if (period === null) throw new ServiceError('invalid_transition', 'It has ended: change its ends_on or count first');
  if (!row.active) throw new ServiceError('invalid_transition', 'It is paused: resume it first');
  const { timezone } = await loadSettings(trx, 'format');
  const run = await makePeriod(trx, ctx, row, period);
  const next = row.count === row.made + 1 ? null : periodAfter(plan, period);
  await record(trx, ctx, row, { runs: [run], next, timezone, isMade: true });
  return run;
}

/**
 * Makes the document of a period for which none was made.
 * @throws ServiceError not_found, invalid_transition (it was made), and as the request that makes the document
 */
export async function retryRun(trx: Db, ctx: Context, id: string, runId: string): Promise<Run> {
  const row = await lockRecurring(trx, id);
  const run = (await RecurringRun.query(trx).findOne({ id: runId, recurring_id: id })) as Run | undefined;
  if (run === undefined) throw notFound('This run');
  if (run.outcome === 'made') throw new ServiceError('invalid_transition', 'Its document was made');
  const { periodFrom: from, periodTo: to, dueOn } = run;
  const { number, ...made } = await makePeriod(trx, ctx, row, { from, to, dueOn });
  const { outcome, reason, documentId, entryId } = made;
  const after = { ...run, number, outcome, reason, documentId, entryId };
  await new Changes(ctx).update(RecurringRun, [{ before: run, after }]).write(trx);
  await query(trx, 'update recurring_documents set made = made + 1 where id = :id::uuid', { id });
  return after;
}

/** Locks a recurring document, and finds what it owes. */
async function findDue(
  trx: Db,
  ctx: Context,
  id: string,
): Promise<{ readonly row: RecurringDocument; readonly due: Due; readonly timezone: string } | null> {
  const row = await lockRecurring(trx, id);
  const { timezone } = await loadSettings(trx, 'format');
  const today = localDay(ctx.now, timezone);
  if (!row.active || row.nextFrom === null || row.nextOn === null || row.nextOn > today) return null;
  const plan = toPlan(row);
  const first = periodFrom(plan, row.nextFrom);
  if (first === null) return null;
  const left = row.count === null ? null : row.count - row.made;
  return { row, due: dueBy(plan, first, today, row.missed, left), timezone };
}

async function makePeriod(trx: Db, ctx: Context, row: RecurringDocument, period: Period): Promise<Run> {
  const number = row.made + 1;
  const template = await filledIn(trx, row, period, number);
  const made = await recurringKind(row.documentType).make(trx, ctx, { template, dueOn: period.dueOn, mode: row.mode });
  return { ...newRun(ctx, row, period), number, outcome: 'made', ...made };
}

const NOTHING: Made = { documentId: null, entryId: null, reason: null };

function newRun({ now }: Context, row: RecurringDocument, { from, to, dueOn }: Period) {
  const span = { periodFrom: from, periodTo: to, dueOn };
  return { id: newId(), recurringId: row.id, ...span, number: 0, ...NOTHING, createdAt: now.toISOString() };
}

function skippedRun(ctx: Context, row: RecurringDocument, period: Period): Run {
  return { ...newRun(ctx, row, period), outcome: 'skipped', reason: 'It was missed' };
}

function failedRun(ctx: Context, row: RecurringDocument, period: Period, reason: string): Run {
  return { ...newRun(ctx, row, period), outcome: 'failed', reason: shortened(reason, MAX_REASON) };
}

const ADVANCE = `update recurring_documents set next_from = :nextFrom::date, next_on = :nextOn::date, next_at = :nextAt::timestamptz,
  made = made + :more::integer, adjustments = case when :more::integer = 0 then adjustments else '[]' end where id = :id::uuid`;

async function record(
  trx: Db,
  ctx: Context,
  { id }: RecurringDocument,
  done: {
    readonly runs: readonly Run[];
    readonly next: Period | null;
    readonly timezone: string;
    readonly isMade: boolean;
  },
): Promise<void> {
  const { runs, next, timezone, isMade } = done;
  if (runs.length > 0) await new Changes(ctx).insert(RecurringRun, runs).write(trx);
  await query(trx, ADVANCE, { id, ...nextMembers(next, timezone), more: isMade ? 1 : 0 });
}
