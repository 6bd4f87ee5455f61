/** The only SQL that changes rows of runs. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { type ActionResult, AutomationRun, type RunStatus } from '../../../db/models/integrations/automations.ts';
import { query } from '../../../db/sql.ts';
import type { ActionInput } from '../../../workflows/integrations/automations/contract.ts';
import { cancelApprovals } from '../../messages/to-dos/end.ts';

/** Status of a run. */
export interface RunState {
  readonly status: RunStatus;
  readonly reason: string | null;
}

/** Columns of runs that clients see. */
export const RUN_COLUMNS = [
  'id',
  'executed_at',
  'trigger',
  'event_id',
  'document_id',
  'line_id',
  'payment_id',
  'partner_id',
  'item_id',
  'results',
  'status',
  'reason',
  'duration_ms',
  'depth',
  'automation_version',
];

const DURATION = 'greatest(0, extract(epoch from :now::timestamptz - started_at) * 1000)::int';

/** Columns that are given for a new run. */
const GIVEN = [
  'id',
  'automation_id',
  'automation_version',
  'trigger',
  'cause',
  'event_id',
  'document_id',
  'payment_id',
  'partner_id',
  'item_id',
  'price_id',
  'line_id',
  'event',
  'actions',
  'headers_encrypted',
  'stop_on_error',
  'depth',
  'status',
  'reason',
  'duration_ms',
];

/** Inserts runs whose rule and cause are new. @param rows by column */
export async function insertRuns(trx: Db, { tenantId, now }: Context, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await query(
    trx,
    `insert into automation_runs (tenant_id, ${GIVEN.join(', ')}, results, executed_at, started_at)
     select :tenantId, ${GIVEN.map((column) => `r.${column}`).join(', ')}, '[]', :now::timestamptz, :now::timestamptz
     from jsonb_populate_recordset(null::automation_runs, :rows::jsonb) as r
     on conflict on constraint automation_runs_cause_key do nothing`,
    { tenantId, now: now.toISOString(), rows: JSON.stringify(rows) },
  );
}

/** Locks a run; undefined if it has ended or was repeated. */
export async function lockRun(
  trx: Db,
  { runId, turn }: Pick<ActionInput, 'runId' | 'turn'>,
): Promise<AutomationRun | undefined> {
  return (await AutomationRun.query(trx).findOne({ id: runId, status: 'running', turn }).forUpdate()) as
    | AutomationRun
    | undefined;
}

/** Writes the progress of a run, or its end. @param run locked */
export async function writeRun(
  trx: Db,
  { now }: Context,
  run: AutomationRun,
  results: readonly ActionResult[],
  { status, reason }: RunState,
  answers: Buffer | null = run.answersEncrypted,
): Promise<void> {
  await query(
    trx,
    `update automation_runs set results = :results::jsonb, status = :status, reason = :reason, tries = 0, answers_encrypted = :answers,
       duration_ms = case when :status = 'running' then null else ${DURATION} end
     where id = :id::uuid`,
    { id: run.id, results: JSON.stringify(results), status, reason, answers, now: now.toISOString() },
  );
}

/** Records the number of failed tries. */
export async function recordTry(trx: Db, runId: string, tries: number): Promise<void> {
  await query(trx, 'update automation_runs set tries = :tries where id = :runId::uuid', { runId, tries });
}

/** Restarts a run. @param results the results to keep @returns the row by column */
export async function restartRun<Row>(
  trx: Db,
  { now }: Context,
  runId: string,
  results: readonly ActionResult[],
): Promise<Row | undefined> {
  const [row] = await query<Row>(
    trx,
    `update automation_runs set status = 'running', reason = null, duration_ms = null, results = :results::jsonb, tries = 0,
       turn = turn + 1, started_at = :now::timestamptz
     where id = :runId::uuid returning ${RUN_COLUMNS.join(', ')}`,
    { runId, results: JSON.stringify(results), now: now.toISOString() },
  );
  return row;
}

/**
 * Cancels the runs of rules: actions under way finish, others do not run, and nobody has to answer their approvals any more.
 * @returns the number of runs
 */
export async function cancelRuns(
  trx: Db,
  ctx: Context,
  automationIds: readonly string[],
  reason: string,
): Promise<number> {
  const cancelled = await query<{ id: string }>(
    trx,
    `update automation_runs set status = 'cancelled', reason = :reason, duration_ms = ${DURATION}
     where automation_id = any(:automationIds::uuid[]) and status = 'running' returning id`,
    { automationIds, reason, now: ctx.now.toISOString() },
  );
  await cancelApprovals(
    trx,
    ctx,
    cancelled.map(({ id }) => id),
  );
  return cancelled.length;
}
