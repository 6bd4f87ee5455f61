/** Starts again what a webhook has missed, page by page. What was started is recorded, so that a repeat goes on from there. */
import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { RecoveryActivities } from '../../activities/webhook-recovery.ts';
import { asTask } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome, TaskPart } from '../tasks/contract.ts';

const recovery = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

/** Activities after which a new run begins. */
const LONG_RUN = 50;

export async function webhookRecovery(input: TaskInput): Promise<TaskOutcome | null> {
  let part: TaskPart = { more: true };
  const outcome = await asTask(input, 'Recovery of what a webhook has missed', async () => {
    for (let done = 0; part.more && done < LONG_RUN && !workflowInfo().continueAsNewSuggested; done++) {
      part = await recovery.recoverPages.executeWithOptions({ summary: 'Start some deliveries again' }, [input]);
    }
    return part.outcome;
  });
  if (part.more) await continueAsNew<typeof webhookRecovery>(input);
  return outcome;
}
