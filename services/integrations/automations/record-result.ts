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
import type { ActionOutcome } from '../../../workflows/integrations/automations/contract.ts';
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
  await notifyOfRun(trx, ctx, { runsAs }, runNotice(run, name, end.status));
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

/** Whether the run acts on one of many records, which are reported together (clock/notify-results.ts). */
function actsOnRecord({ trigger, cause }: AutomationRun): boolean {
  return trigger === 'schedule.cron' && cause.includes('/');
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
