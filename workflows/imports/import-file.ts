/** Imports an uploaded file in the background. What was committed of it is recorded with it, so that no row is imported twice. */
import { proxyActivities } from '@temporalio/workflow';
import type { ImportActivities } from '../../activities/imports.ts';
import { asTask } from '../tasks/as-task.ts';
import type { TaskInput, TaskOutcome } from '../tasks/contract.ts';

const imports = proxyActivities<ImportActivities>({
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export async function importFile(input: TaskInput): Promise<TaskOutcome | null> {
  return asTask(input, 'Import of a file', () =>
    imports.importRows.executeWithOptions({ summary: 'Import the rows' }, [input]),
  );
}
