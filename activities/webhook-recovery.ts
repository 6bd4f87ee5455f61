/** Delivering what a webhook has missed: at the pace at which it takes it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../db/context.ts';
import { nextRecoveryPage, type RecoveryPage, recordRecoveryPage, untriedOf } from '../services/webhooks/recover.ts';
import type { TaskInput, TaskPart } from '../workflows/tasks/contract.ts';
import type { DeliveryAbout, Redelivery, WebhookDeliveryInput } from '../workflows/webhooks/contract.ts';
import { asActivityFailure } from './failures.ts';
import { runTask, type TaskDeps, type TaskRun } from './tasks.ts';

export interface RecoveryActivities {
  /** Some pages of a recovery. */
  recoverPages(input: TaskInput): Promise<TaskPart>;
}

export interface RecoveryDeps extends TaskDeps {
  /** Starts a delivery once more; may be repeated. */
  readonly redeliver: (
    input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
    about: DeliveryAbout,
  ) => Promise<void>;
}

/** Pages in one activity: a history grows with each activity. */
const PAGES = 20;
/** Calls to Temporal at once. */
const PARALLEL = 10;
/** The next page begins when only so many of the last have not been tried yet … */
const MAY_BE_UNTRIED = 20;
/** … or after this: who does not answer is no reason to wait for ever. */
const WAIT_MS = 30_000;
const LOOK_MS = 250;

export function createRecoveryActivities(deps: RecoveryDeps): RecoveryActivities {
  return {
    async recoverPages(input) {
      try {
        const outcome = await runTask(deps, input, async (run) => {
          let more = true;
          for (let pages = 0; pages < PAGES && more; pages++) {
            run.goOn();
            more = await recoverPage(deps, run);
          }
        });
        return outcome === null ? { more: true } : { more: false, outcome };
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}

async function recoverPage(deps: RecoveryDeps, run: TaskRun): Promise<boolean> {
  const { database, now } = deps;
  const ctx: Context = { ...run.ctx, now: now() };
  const { id: taskId } = run.task;
  const page = await nextRecoveryPage(database, ctx, taskId);
  if (page === null) return false;
  await startAll(deps, ctx.tenantId, taskId, page);
  const { progress, message } = await recordRecoveryPage(database, ctx, taskId, page);
  await run.report(progress, message);
  const end = performance.now() + WAIT_MS;
  while (performance.now() < end) {
    const untried = await database.readTenant(ctx, (db) => untriedOf(db, taskId, page));
    if (untried <= MAY_BE_UNTRIED) break;
    await delay(LOOK_MS);
    await run.report(progress, message);
  }
  return true;
}

async function startAll({ redeliver }: RecoveryDeps, tenantId: string, taskId: string, page: RecoveryPage) {
  const { webhookId, eventIds, about } = page;
  const left = eventIds.entries();
  const redelivery: Redelivery = { id: taskId, again: false };
  const starters = Array.from({ length: PARALLEL }, async () => {
    for (const [index, eventId] of left) {
      await redeliver({ tenantId, webhookId, eventId, redelivery }, about[index] ?? { title: null });
    }
  });
  await Promise.all(starters);
}
