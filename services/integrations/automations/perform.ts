/** Performs one action of a run, once even if retried, and records its result. The last action ends the run. */
import { v5 } from 'uuid';
import type { Context } from '../../../db/context.ts';
import type { Database, Db, Reader } from '../../../db/database.ts';
import { type ActionResult, Automation, AutomationRun } from '../../../db/models/integrations/automations.ts';
import { findRow } from '../../../db/queries/find.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { TooLong } from '../../../domain/integrations/automations/templates.ts';
import { shortened } from '../../../domain/shorten.ts';
import {
  type ActionInput,
  type ActionOutcome,
  ASKING_ACTIONS,
  automationRunId,
  type Waiting,
} from '../../../workflows/integrations/automations/contract.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import type { MailLimits } from '../../messages/mail/queue.ts';
import { cancelApprovals } from '../../messages/to-dos/end.ts';
import { type EncryptionKeys, SealError } from '../../platform/encryption/seal.ts';
import { assertRoom } from '../../platform/storage/budget.ts';
import { HEADERS_LOST, openHeaders } from '../webhooks/header-values.ts';
import type { Act, CallDeps, Called, Detail } from './actions/action.ts';
import { findPerformer } from './actions/index.ts';
import { answersFor, withAnswer } from './answers.ts';
import { NOT_ALLOWED, pauseAutomation } from './pause.ts';
import { endRun, recordResult } from './record-result.ts';
import { renderAction } from './render.ts';
import { lockRun, recordTry } from './run-store.ts';
import type { Action } from './schemas.ts';
import { loadSubject, neededToSee } from './subject.ts';

/** Maximum tries of an action that calls another server. */
const MAX_TRIES = 5;
/** Namespace of the keys of actions. */
const KEY_NAMESPACE = '0d1f7b0e-58a9-4ad3-9a44-6a3c7a1d9b52';

export interface PerformDeps extends CallDeps {
  readonly database: Database;
  readonly mail: MailLimits;
}

/** Thrown when a call must be retried or made later. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
  readonly seconds: number;

  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** An action that is ready to be performed. */
interface Ready {
  readonly run: AutomationRun;
  readonly automation: Automation;
  readonly act: Act;
  readonly unknown: readonly string[];
  readonly ctx: Context;
}

/**
 * Performs an action, unless it was done or its run has ended.
 * @throws TryAgain
 */
export async function performAction(
  deps: PerformDeps,
  ctx: Context,
  input: ActionInput,
  signal: AbortSignal,
): Promise<ActionOutcome> {
  const found = await ready(deps, ctx, input);
  if (typeof found === 'string') return found;
  const { act, ctx: acting } = found;
  const performer = findPerformer(act.action.type);
  if (performer === undefined) return await fail(deps, found, input, UNKNOWN);
  if ('call' in performer) {
    return await conclude(deps, found, input, await performer.call(deps, acting, act, signal));
  }
  if (!('write' in performer)) throw new Error(`${act.action.type} is performed by askPeople`);
  return await writing(deps, found, input, async (trx, run) => {
    const detail = await performer.write(trx, acting, act, deps.mail);
    return await recordResult(trx, acting, run, buildResult(found, { detail, error: null, attempts: 1 }));
  });
}

/**
 * Performs an action that asks people: asks, or records what they have answered.
 * @returns how long to wait for the answer
 * @throws TryAgain
 */
export async function askPeople(deps: PerformDeps, ctx: Context, input: ActionInput): Promise<ActionOutcome | Waiting> {
  const found = await ready(deps, ctx, input);
  if (typeof found === 'string') return found;
  const { act, ctx: acting } = found;
  const performer = findPerformer(act.action.type);
  if (performer === undefined || !('ask' in performer)) return await fail(deps, found, input, UNKNOWN);
  return await writing(deps, found, input, async (trx, run) => {
    const asked = await performer.ask(trx, acting, act, deps.mail);
    if (asked.kind === 'waits') return { waitMs: Math.max(1, asked.until.getTime() - ctx.now.getTime()) };
    const { detail } = asked;
    if (asked.kind === 'done')
      return await recordResult(trx, acting, run, buildResult(found, { detail, error: null, attempts: 1 }));
    const refused = buildResult(found, { detail, error: asked.reason, attempts: 1 });
    await endRun(trx, acting, run, [...run.results, refused], { status: 'cancelled', reason: asked.reason });
    return 'refused';
  });
}

const UNKNOWN = { error: 'This release does not know the action', detail: {} } as const;

/** Writes within the transaction that logs it. An action that is refused has failed. */
async function writing<Outcome>(
  deps: PerformDeps,
  found: Ready,
  input: ActionInput,
  work: (trx: Db, run: AutomationRun) => Promise<Outcome>,
): Promise<Outcome | ActionOutcome> {
  try {
    return await deps.database.withTenant(found.ctx, (trx) =>
      onceInRun(trx, input, async (run) => {
        await assertRoom(trx, 'budget');
        return await work(trx, run);
      }),
    );
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    if (error.code === 'too_many_requests') throw new TryAgain(error.message, error.retryAfter ?? 60);
    return await fail(deps, found, input, { error: error.message, detail: {} });
  }
}

/** Prepares an action; the outcome instead if it was done, cannot be done, or its run has ended. */
async function ready(deps: PerformDeps, ctx: Context, input: ActionInput): Promise<Ready | ActionOutcome> {
  const { database } = deps;
  const found = await database.readTenant(ctx, (db) => prepareAction(db, deps.encryptionKeys, ctx, input));
  if (typeof found === 'string') return found;
  if ('missing' in found) {
    await database.withTenant(found.ctx, (trx) => pauseAutomation(trx, found.ctx, input.automationId, NOT_ALLOWED));
    return 'ended';
  }
  if ('error' in found) return await fail(deps, found, input, { error: found.error, detail: {} });
  return found;
}

/** Ends a run whose workflow was cancelled. */
export async function cancelRun(database: Database, ctx: Context, input: Omit<ActionInput, 'index'>): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    const run = await lockRun(trx, input);
    if (run === undefined) return;
    await endRun(trx, ctx, run, run.results, { status: 'cancelled', reason: 'Cancelled by an operator' });
    await cancelApprovals(trx, ctx, [run.id]);
  });
}

type Found =
  | ActionOutcome
  | Ready
  | (Omit<Ready, 'act'> & { readonly act: Pick<Act, 'action'>; readonly error: string })
  | { readonly missing: true; readonly ctx: Context };

async function prepareAction(reader: Reader, keys: EncryptionKeys, ctx: Context, input: ActionInput): Promise<Found> {
  const [run, automation] = await Promise.all([
    findRow(reader, AutomationRun, { id: input.runId }),
    findRow(reader, Automation, { id: input.automationId }),
  ]);
  if (run === undefined || automation === undefined) return 'ended';
  if (run.status !== 'running' || run.turn !== input.turn) return 'ended';
  const earlier = earlierOutcome(run, input);
  if (earlier !== null) return earlier;
  const action = run.actions[input.index] as unknown as Action;
  const { runsAs: userId, actor } = automation;
  const acting: Context = { ...ctx, actor: `automation:${automation.id}`, depth: run.depth + 1 };
  const common = { run, automation, ctx: acting };
  const [may, subject] = await Promise.all([
    loadPermissions(reader, { userId, actor }, ctx.now),
    loadSubject(reader, run).catch((error: unknown) => {
      if (error instanceof ServiceError && !error.isFailure) return error;
      throw error;
    }),
  ]);
  if (!may.has('automations:create')) return { missing: true, ctx: acting };
  if (subject instanceof ServiceError) return { ...common, act: { action }, unknown: [], error: subject.message };
  try {
    const needed = [...neededToSee(subject), ...(findPerformer(action.type)?.needs(subject, action as never) ?? [])];
    if (needed.some((permission) => !may.has(permission))) return { missing: true, ctx: acting };
    const { rendered, unknown } = renderAction(openAction(keys, run, input.index), {
      ...subject,
      ...answersFor(keys, run, action),
    });
    // A repeated run asks again.
    const turn = ASKING_ACTIONS.has(action.type) && run.turn > 1 ? `/${run.turn}` : '';
    const act = {
      automationId: automation.id,
      action: rendered as Action,
      subject,
      key: v5(`${run.id}/${input.index}${turn}`, KEY_NAMESPACE),
      runId: run.id,
      workflowId: automationRunId(run),
      runsAs: { userId, actor },
    };
    return { ...common, act, unknown };
  } catch (error) {
    if (error instanceof SealError) return { ...common, act: { action }, unknown: [], error: HEADERS_LOST };
    const isOwn = error instanceof TooLong || (error instanceof ServiceError && !error.isFailure);
    if (!isOwn) throw error;
    return { ...common, act: { action }, unknown: [], error: error.message };
  }
}

/** The action with the values of its headers. @throws SealError */
function openAction(keys: EncryptionKeys, run: AutomationRun, index: number): Action {
  const action = run.actions[index] as unknown as Action;
  if (!('headers' in action) || action.headers === undefined) return action;
  const owner = { tenantId: run.tenantId, id: run.automationId, headersEncrypted: run.headersEncrypted };
  return { ...action, headers: openHeaders(keys, owner, action.headers, index) };
}

/** Records the outcome of a call; a call that may succeed later is retried. */
async function conclude(deps: PerformDeps, ready: Ready, input: ActionInput, called: Called): Promise<ActionOutcome> {
  if (called.kind === 'waits') throw new TryAgain(called.reason, called.seconds);
  const { ctx } = ready;
  const outcome = await deps.database.withTenant(ctx, (trx) =>
    onceInRun(trx, input, async (run): Promise<ActionOutcome | TryAgain> => {
      const attempts = run.tries + 1;
      const { detail, answer } = called;
      const answers = withAnswer(deps.encryptionKeys, run, input.index, answer);
      if (called.kind === 'done')
        return await recordResult(trx, ctx, run, buildResult(ready, { detail, error: null, attempts }), answers);
      if (called.retry && attempts < MAX_TRIES) {
        await recordTry(trx, run.id, attempts);
        return new TryAgain(called.error, Math.max(2 ** (attempts - 1), called.retryAfter ?? 0));
      }
      return await recordResult(trx, ctx, run, buildResult(ready, { detail, error: called.error, attempts }), answers);
    }),
  );
  if (outcome instanceof TryAgain) throw outcome;
  return outcome;
}

async function fail(
  { database }: PerformDeps,
  ready: Omit<Ready, 'act'> & { readonly act: Pick<Act, 'action'> },
  input: ActionInput,
  { error, detail }: { readonly error: string; readonly detail: Detail },
): Promise<ActionOutcome> {
  return await database.withTenant(ready.ctx, (trx) =>
    onceInRun(trx, input, (run) =>
      recordResult(trx, ready.ctx, run, buildResult(ready, { detail, error, attempts: run.tries + 1 })),
    ),
  );
}

/** Locks the run and does the work, unless the run has ended or the action already has an outcome. */
async function onceInRun<Outcome>(
  trx: Db,
  input: ActionInput,
  work: (run: AutomationRun) => Promise<Outcome>,
): Promise<Outcome | ActionOutcome> {
  const run = await lockRun(trx, input);
  if (run === undefined) return 'ended';
  return earlierOutcome(run, input) ?? (await work(run));
}

function buildResult(
  { act, unknown, ctx }: Pick<Ready, 'unknown' | 'ctx'> & { readonly act: Pick<Act, 'action'> },
  { detail, error, attempts }: Pick<ActionResult, 'detail' | 'error' | 'attempts'>,
): ActionResult {
  return {
    type: act.action.type,
    status: error === null ? 'success' : 'failed',
    attempts,
    error: error === null ? null : shortened(error, 1000),
    detail,
    unknown_paths: unknown,
    executed_at: ctx.now.toISOString(),
  };
}

/** The outcome of an action that was done before; null if it has none yet. */
function earlierOutcome({ results }: AutomationRun, { index }: ActionInput): ActionOutcome | null {
  const result = results[index];
  if (result === undefined) return null;
  return result.status === 'failed' ? 'failed' : 'done';
}
