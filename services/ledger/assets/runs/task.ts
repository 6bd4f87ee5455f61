/** Runs of depreciation as tasks. */
import type { Context } from '../../../../db/context.ts';
import type { Database, Db } from '../../../../db/database.ts';
import type { AssetRun } from '../../../../db/models/ledger/assets.ts';
import type { Task } from '../../../../db/models/platform/tasks.ts';
import { dayBefore, endOfMonth } from '../../../../domain/days.ts';
import { invalidMember } from '../../../../domain/errors.ts';
import { counted } from '../../../../domain/words.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../../platform/files/task-results.ts';
import { loadToday } from '../../../platform/settings/today.ts';
import { assertRunning, endTask } from '../../../platform/tasks/report.ts';
import { startTask } from '../../../platform/tasks/tasks.ts';
import { type RunRequest, runDepreciation } from './perform.ts';
import type { RunInput } from './schemas.ts';

/**
 * Starts a task that enters the depreciation that is due.
 * @throws ServiceError validation_failed for a day after the present month; too_many_requests
 */
export async function startRun(trx: Db, ctx: Context, input: RunInput): Promise<Task> {
  const request = await completeRequest(trx, ctx, input);
  return await startTask(trx, ctx, runTask(request));
}

/** The task of a run. */
function runTask(request: RunRequest) {
  return {
    kind: 'depreciation',
    permission: 'assets:read',
    input: { ...request },
    message: `Waiting to enter depreciation up to ${request.to}`,
    title: `Depreciation up to ${request.to}`,
  } as const;
}

/** Fills in the defaults of a run. @throws ServiceError validation_failed */
export async function completeRequest(
  trx: Db,
  ctx: Context,
  { to, frequency = 'month', catchUp = false }: RunInput,
): Promise<RunRequest> {
  const today = await loadToday(trx, ctx);
  const last = endOfMonth(today);
  if (to !== undefined && to > last)
    throw invalidMember('/to', 'out_of_range', `must be at most ${last}, the end of the present month`);
  return { to: to ?? dayBefore(`${today.slice(0, 8)}01`), frequency, catchUp, automatic: false };
}

/** Enters what is due, and ends the task with it. @throws ServiceError as `runDepreciation`; TaskGone */
export async function runForTask(
  database: Database,
  ctx: Context,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    const request = task.input as unknown as RunRequest;
    const run = await runDepreciation(trx, ctx, request);
    const data = {
      run_id: run?.id ?? null,
      code: run?.code ?? null,
      assets: run?.assets ?? 0,
      total: Number(run?.total ?? 0),
    };
    const { url } = await storeResult(trx, ctx, links, jsonResult(task.id, 'depreciation', JSON.stringify(data)));
    const end = { message: outcome(request, run), resultUrl: url, counts: { assets: data.assets } };
    assertRunning(await endTask(trx, ctx, task.id, end));
  });
}

function outcome({ to }: RunRequest, run: AssetRun | null): string {
  if (run === null) return `Nothing is left to depreciate up to ${to}`;
  return `${run.code}: depreciation of ${counted(run.assets, 'asset')} up to ${to}`;
}
