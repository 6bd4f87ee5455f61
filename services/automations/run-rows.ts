/** The rows of runs: the only SQL that changes them. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { type ActionResult, AutomationRun, type RunStatus } from '../../db/models/automations.ts';
import { query } from '../../db/sql.ts';
import type { ActionInput } from '../../workflows/automations/contract.ts';

/** How a run stands. */
export interface RunState {
  readonly status: RunStatus;
  readonly reason: string | null;
}

/** The columns of runs as clients see them. */
export const RUN_COLUMNS = [
  'id',
  'executed_at',
  'trigger',
  'event_id',
  'document_id',
  'payment_id',
  'results',
  'status',
  'reason',
  'duration_ms',
  'depth',
  'automation_version',
];

const DURATION = 'greatest(0, extract(epoch from :now::timestamptz - started_at) * 1000)::int';

/** Inserts runs that are not there yet by rule and cause. @param rows by column */
export async function insertRuns(trx: Db, { tenantId, now }: Context, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  await query(
    trx,
    `insert into automation_runs (id, tenant_id, automation_id, automation_version, trigger, cause, event_id, document_id, payment_id,
       partner_id, item_id, event, actions, stop_on_error, results, depth, status, reason, executed_at, started_at, duration_ms)
     select r.id, :tenantId, r.automation_id, r.automation_version, r.trigger, r.cause, r.event_id, r.document_id, r.payment_id,
       r.partner_id, r.item_id, r.event, r.actions, r.stop_on_error, '[]', r.depth, r.status, r.reason, :now::timestamptz,
       :now::timestamptz, r.duration_ms
     from jsonb_populate_recordset(null::automation_runs, :rows::jsonb) as r
     on conflict on constraint automation_runs_cause_key do nothing`,
    { tenantId, now: now.toISOString(), rows: JSON.stringify(rows) },
  );
}

/** The run, locked; undefined once it has ended or was repeated. */
export async function lockRun(
  trx: Db,
  { runId, turn }: Pick<ActionInput, 'runId' | 'turn'>,
): Promise<AutomationRun | undefined> {
  return (await AutomationRun.query(trx).findOne({ id: runId, status: 'running', turn }).forUpdate()) as
    | AutomationRun
    | undefined;
}

/** Writes how far a run has come, or its end. @param run locked */
export async function writeRun(
  trx: Db,
  { now }: Context,
  run: AutomationRun,
  results: readonly ActionResult[],
  { status, reason }: RunState,
): Promise<void> {
  await query(
    trx,
    `update automation_runs set results = :results::jsonb, status = :status, reason = :reason, tries = 0,
       duration_ms = case when :status = 'running' then null else ${DURATION} end
     where id = :id::uuid`,
    { id: run.id, results: JSON.stringify(results), status, reason, now: now.toISOString() },
  );
}

/** Counts a try that failed. */
export async function noteTry(trx: Db, runId: string, tries: number): Promise<void> {
  await query(trx, 'update automation_runs set tries = :tries where id = :runId::uuid', { runId, tries });
}

/** Makes a run run again. @param results what stays done @returns the row by column */
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

/** Ends what rules have begun: actions that are under way finish, others are left out. */
export async function cancelRuns(
  trx: Db,
  { now }: Context,
  automationIds: readonly string[],
  reason: string,
): Promise<void> {
  await query(
    trx,
    `update automation_runs set status = 'cancelled', reason = :reason, duration_ms = ${DURATION}
     where automation_id = any(:automationIds::uuid[]) and status = 'running'`,
    { automationIds, reason, now: now.toISOString() },
  );
}
