/** Generates the file of a report in the background. A crash leaves nothing behind, and the next attempt starts over. */
import { proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../../../activities/reports/generation.ts';
import { asTask } from '../../platform/tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../../platform/tasks/contract.ts';

const { generateReport } = proxyActivities<ReportActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export function reportGeneration(input: TaskInput): Promise<TaskOutcome | null> {
  return asTask(input, 'File of a report', () =>
    generateReport.executeWithOptions({ summary: 'Read the report and make its file' }, [input]),
  );
}
