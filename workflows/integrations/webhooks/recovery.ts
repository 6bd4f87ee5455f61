/** Redelivers the events that a webhook has missed, page by page. Progress is recorded, so that a retry continues from there. */
import { proxyActivities } from '@temporalio/workflow';
import type { RecoveryActivities } from '../../../activities/integrations/webhook-recovery.ts';
import { taskInParts } from '../../platform/tasks/as-task.ts';

const { recoverPages } = proxyActivities<RecoveryActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export const webhookRecovery = taskInParts(
  { what: 'Recovery of missed webhook deliveries', part: 'Start some redeliveries' },
  recoverPages,
);
