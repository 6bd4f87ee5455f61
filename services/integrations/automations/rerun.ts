/** Repeats runs, and shows them to clients. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import {
  type ActionResult,
  Automation,
  AutomationRun,
  type RunStatus,
} from '../../../db/models/integrations/automations.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { AUTOMATION_RUN_DUE } from '../../../domain/platform/internal-events.ts';
import type { RunToStart } from '../../../workflows/integrations/automations/contract.ts';
import { restartRun } from './run-store.ts';

interface RunColumns {
  readonly id: string;
  readonly executed_at: string;
  readonly trigger: string;
  readonly event_id: string | null;
  readonly document_id: string | null;
  readonly payment_id: string | null;
  readonly results: readonly ActionResult[];
  readonly status: RunStatus;
  readonly reason: string | null;
  readonly duration_ms: number | null;
  readonly depth: number;
  readonly automation_version: number;
}

export function runToJson({ id, executed_at, trigger, event_id, document_id, payment_id, ...row }: RunColumns) {
  const done = row.results.filter(({ status }) => status === 'success').map(({ type }) => type);
  return { id, executed_at, trigger, event_id, document_id, payment_id, actions_executed: done, ...row };
}

/**
 * Repeats a run from its first action that is not done, with the actions of the rule at that time.
 * @throws ServiceError not_found, stale_version, invalid_transition (running, all done, or the rule is not active)
 */
export async function rerun(trx: Db, ctx: Context, automationId: string, runId: string, ifMatch: number | null) {
  const rule = (await Automation.query(trx).findById(automationId).forShare()) as Automation | undefined;
  if (rule === undefined) throw notFound('This automation');
  assertVersion(rule, ifMatch);
  const run = (await AutomationRun.query(trx).findOne({ id: runId, automation_id: automationId }).forUpdate()) as
    | AutomationRun
    | undefined;
  if (run === undefined) throw notFound('This entry of the log');
  if (rule.status !== 'active') refuse(`cannot be repeated because the automation is ${rule.status}; enable it first`);
  if (run.status === 'running') refuse('cannot be repeated because it is still running');
  if (run.status === 'skipped' || run.status === 'success')
    refuse(`cannot be repeated because its status is ${run.status}`);
  const first = run.results.findIndex(({ status }) => status === 'failed');
  const kept = first < 0 ? run.results : run.results.slice(0, first);
  const row = await restartRun<RunColumns>(trx, ctx, runId, kept);
  if (row === undefined) throw notFound('This entry of the log');
  const { cause, stopOnError } = run;
  const input: RunToStart = {
    tenantId: ctx.tenantId,
    automationId,
    runId,
    cause,
    actions: run.actions.map(({ type }) => type),
    stopOnError,
    from: kept.length,
    turn: run.turn + 1,
  };
  const due = { name: AUTOMATION_RUN_DUE, payload: { run: input } };
  await new Changes(ctx).emit({ type: 'Automation', id: automationId }, due).write(trx);
  return runToJson(row);
}

function refuse(message: string): never {
  throw new ServiceError('invalid_transition', `This run ${message}`);
}
