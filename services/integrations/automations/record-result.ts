/** Records the result of each action, and the end of a run with its consequences. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import {
  type ActionResult,
  Automation,
  type AutomationRun,
  type RunStatus,
} from '../../../db/models/integrations/automations.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { AUTOMATION_TRIGGERED } from '../../../domain/integrations/webhooks/events.ts';
import { type ActionOutcome, ASKING_ACTIONS } from '../../../workflows/integrations/automations/contract.ts';
import { type Notice, notifyRoles } from '../../messages/notifications/notify.ts';
import { type RunState, writeRun } from './run-store.ts';

/**
 * Adds the result of the next action; after the last one, the run ends.
 * @param run locked
 * @param answers those of its calls from now on, encrypted
 */
export async function recordResult(
  trx: Db,
  ctx: Context,
  run: AutomationRun,
  result: ActionResult,
  answers: Buffer | null = run.answersEncrypted,
): Promise<ActionOutcome> {
  const results = [...run.results, result];
  const isFailed = result.status === 'failed';
  const isLast = results.length === run.actions.length || (isFailed && run.stopOnError);
  if (isLast) await endRun(trx, ctx, run, results, { status: runStatus(results), reason: null }, answers);
  else await writeRun(trx, ctx, run, results, { status: 'running', reason: null }, answers);
  return isFailed ? 'failed' : 'done';
}

/** Ends a run: counts it, and notifies webhooks and people. @param run locked */
export async function endRun(
  trx: Db,
  ctx: Context,
  run: AutomationRun,
  results: readonly ActionResult[],
  end: RunState,
  answers: Buffer | null = run.answersEncrypted,
): Promise<void> {
  await writeRun(trx, ctx, run, results, end, answers);
  await query(
    trx,
    `update automations set execution_count = execution_count + :more, last_executed_at = :at::timestamptz where id = :id::uuid`,
    { id: run.automationId, more: run.turn === 1 ? 1 : 0, at: ctx.now.toISOString() },
  );
  const rule = await findRow(trx, Automation, { id: run.automationId });
  if (rule === undefined) return;
  const { name, runsAs } = rule;
  const payload = {
    automation_id: rule.id,
    name,
    trigger: run.trigger,
    document_id: run.documentId,
    status: end.status,
  };
  await new Changes(ctx).emit({ type: 'Automation', id: rule.id }, { name: AUTOMATION_TRIGGERED, payload }).write(trx);
  if (actsOnRecord(run)) return;
  const notice = run.lineId === null ? runNotice(run, name, end.status) : await linesNotice(trx, run, name);
  if (notice !== null) await notifyOfRun(trx, ctx, { runsAs }, notice);
}

/** Notifies the owners and administrators, and the user whom the rule acts for. */
export async function notifyOfRun(
  trx: Db,
  ctx: Context,
  { runsAs }: Pick<Automation, 'runsAs'>,
  notice: Notice,
): Promise<void> {
  const further = runsAs === null ? [] : [runsAs];
  await notifyRoles(trx, ctx, ['owner', 'admin'], 'automation_triggered', notice, further);
}

/** Whether the run acts on one of many records, which are reported together (clock/notify-results.ts) without waiting for people. */
function actsOnRecord({ trigger, cause, actions }: AutomationRun): boolean {
  return trigger === 'schedule.cron' && cause.includes('/') && !actions.some(({ type }) => ASKING_ACTIONS.has(type));
}

/**
 * The notice about all lines of a document, whose runs have begun together, once none of them is left; null before. The ends of a rule's
 * runs follow one another, since each changes its count.
 */
async function linesNotice(trx: Db, { automationId, eventId, executedAt }: AutomationRun, name: string) {
  const [counts] = await query<{ running: number; done: number; failed: number }>(
    trx,
    `select count(*) filter (where status = 'running')::int as running, count(*) filter (where status = 'success')::int as done,
       count(*) filter (where status in ('failed', 'partial'))::int as failed
     from automation_runs
     where automation_id = :automationId::uuid and executed_at = :executedAt::timestamptz and event_id = :eventId::uuid`,
    { automationId, executedAt, eventId },
  );
  const { running, done, failed } = counts ?? { running: 1, done: 0, failed: 0 };
  return running > 0 ? null : manyNotice({ id: automationId, name }, { done, failed }, LINES);
}

const LINES = { en: 'Lines', es: 'Líneas tratadas' } as const;
const RECORDS = { en: 'Records', es: 'Registros tratados' } as const;

/** The notice about a rule that has run for many records, or lines of a document. */
export function manyNotice(
  { id, name }: { readonly id: string; readonly name: string },
  { done, failed }: { readonly done: number; readonly failed: number },
  what: { readonly en: string; readonly es: string } = RECORDS,
): Notice {
  return {
    title: failed === 0 ? `${name} has run` : `${name} has not done everything`,
    body: `${what.en} acted on: ${done}; with failed actions: ${failed}`,
    actionLabel: 'Show',
    es: {
      title: failed === 0 ? `Se ha ejecutado ${name}` : `${name} no lo ha hecho todo`,
      body: `${what.es}: ${done}; con acciones fallidas: ${failed}`,
      actionLabel: 'Ver',
    },
    metadata: { automation_id: id },
    actionUrl: `/api/automations/${id}/logs`,
  };
}

function runNotice(run: AutomationRun, name: string, status: RunStatus) {
  const isDone = status === 'success';
  return {
    title: isDone ? `${name} has run` : `${name} has not done everything`,
    body: `${run.actions.map(({ type }) => type).join(', ')}: ${ENDED[status].en}`,
    actionLabel: 'Show',
    es: {
      title: isDone ? `Se ha ejecutado ${name}` : `${name} no lo ha hecho todo`,
      body: `${run.actions.map(({ type }) => type).join(', ')}: ${ENDED[status].es}`,
      actionLabel: 'Ver',
    },
    metadata: { automation_id: run.automationId, run_id: run.id },
    actionUrl: `/api/automations/${run.automationId}/logs`,
  };
}

const ENDED: Readonly<Record<RunStatus, { readonly en: string; readonly es: string }>> = {
  running: { en: 'running', es: 'en curso' },
  success: { en: 'done', es: 'hecho' },
  partial: { en: 'some failed', es: 'algunas han fallado' },
  failed: { en: 'failed', es: 'ha fallado' },
  skipped: { en: 'left out', es: 'omitida' },
  cancelled: { en: 'cancelled', es: 'cancelada' },
};

function runStatus(results: readonly ActionResult[]): RunStatus {
  const failed = results.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return 'success';
  return failed === results.length ? 'failed' : 'partial';
}
