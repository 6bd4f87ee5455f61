/** The log of runs: what came of each action, and the end of the run with what follows from it. */

import { Changes } from '../../db/changes/changes.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { type ActionResult, Automation, type AutomationRun, type RunStatus } from '../../db/models/automations.ts';
import { findRow } from '../../db/queries/find.ts';
import { query } from '../../db/sql.ts';
import { AUTOMATION_TRIGGERED } from '../../domain/webhooks/events.ts';
import type { ActionOutcome } from '../../workflows/automations/contract.ts';
import { notifyUser } from '../notifications/notify.ts';
import { type RunState, writeRun } from './run-rows.ts';

/** Adds what came of the next action; after the last one, the run ends. @param run locked */
export async function logResult(
  trx: Db,
  ctx: Context,
  run: AutomationRun,
  result: ActionResult,
): Promise<ActionOutcome> {
  const results = [...run.results, result];
  const isFailed = result.status === 'failed';
  const isLast = results.length === run.actions.length || (isFailed && run.stopOnError);
  if (isLast) await endRun(trx, ctx, run, results, { status: statusOf(results), reason: null });
  else await writeRun(trx, ctx, run, results, { status: 'running', reason: null });
  return isFailed ? 'failed' : 'done';
}

/** Ends a run: the rule counts it, webhooks and whoever the rule acts for are told. @param run locked */
export async function endRun(
  trx: Db,
  ctx: Context,
  run: AutomationRun,
  results: readonly ActionResult[],
  end: RunState,
): Promise<void> {
  await writeRun(trx, ctx, run, results, end);
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
  if (runsAs !== null && !isOfRecord(run))
    await notifyUser(trx, ctx, runsAs, 'automation_triggered', noticeOf(run, name, end.status));
}

/** Of many records nobody wants to hear one by one (clock/end.ts). */
function isOfRecord({ trigger, cause }: AutomationRun): boolean {
  return trigger === 'schedule.cron' && cause.includes('/');
}

function noticeOf(run: AutomationRun, name: string, status: RunStatus) {
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

function statusOf(results: readonly ActionResult[]): RunStatus {
  const failed = results.filter(({ status }) => status === 'failed').length;
  if (failed === 0) return 'success';
  return failed === results.length ? 'failed' : 'partial';
}
