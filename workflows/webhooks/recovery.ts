/** Redelivers the events that a webhook has missed, page by page. Progress is recorded, so that a retry continues from there. */
import { continueAsNew, proxyActivities } from '@temporalio/workflow';
import type { RecoveryActivities } from '../../activities/webhook-recovery.ts';
import { asTaskInParts } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';

const recovery = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export async function webhookRecovery(input: TaskInput): Promise<TaskOutcome | null> {
  return asTaskInParts(
    input,
    'Recovery of missed webhook deliveries',
    () => recovery.recoverPages.executeWithOptions({ summary: 'Start some redeliveries' }, [input]),
    () => continueAsNew<typeof webhookRecovery>(input),
  );
}
