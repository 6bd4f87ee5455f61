/** Redelivers the events that a webhook missed, at the pace at which it accepts them. */
import pMap from 'p-map';
import type { Context } from '../../db/context.ts';
import {
  nextRecoveryPage,
  type RecoveryPage,
  recordRecoveryPage,
  recoveryWaitMs,
} from '../../services/integrations/webhooks/recover.ts';
import type {
  DeliveryAbout,
  Redelivery,
  WebhookDeliveryInput,
} from '../../workflows/integrations/webhooks/contract.ts';
import type { TaskInput, TaskPart } from '../../workflows/platform/tasks/contract.ts';
import { asActivityFailure } from '../failures.ts';
import { runTask, type TaskDeps, type TaskRun } from '../platform/tasks.ts';

export interface RecoveryActivities {
  /** Processes some pages of a recovery. */
  recoverPages(input: TaskInput): Promise<TaskPart>;
}

export interface RecoveryDeps extends TaskDeps {
  /** Starts a redelivery; repeatable. */
  readonly redeliver: (
    input: WebhookDeliveryInput & { readonly redelivery: Redelivery },
    about: DeliveryAbout,
  ) => Promise<void>;
}

/** Concurrent calls to Temporal. */
const PARALLEL = 10;

export function createRecoveryActivities(deps: RecoveryDeps): RecoveryActivities {
  return {
    async recoverPages(input) {
      let waitMs = 0;
      try {
        const outcome = await runTask(deps, input, async (run) => {
          do {
            run.throwIfCancelled();
            // The workflow waits for the endpoint: waiting here would occupy a slot.
            waitMs = await deps.database.readTenant(input, (db) => recoveryWaitMs(db, input.taskId, deps.now()));
          } while (waitMs === 0 && (await recoverPage(deps, run)) && !run.turnIsOver());
        });
        return outcome === null ? { more: true, ...(waitMs > 0 ? { waitMs } : {}) } : { more: false, outcome };
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
  const { progress, message } = await recordRecoveryPage(database, { ...ctx, now: now() }, taskId, page);
  await run.report(progress, message);
  return true;
}

async function startAll({ redeliver }: RecoveryDeps, tenantId: string, taskId: string, page: RecoveryPage) {
  const { webhookId, eventIds, about } = page;
  const redelivery: Redelivery = { id: taskId, again: false };
  const start = (eventId: string, index: number) =>
    redeliver({ tenantId, webhookId, eventId, redelivery }, about[index] ?? { title: null });
  await pMap(eventIds, start, { concurrency: PARALLEL });
}
