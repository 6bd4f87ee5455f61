/** Imports an uploaded file in the background. Each part is committed with its progress, so that no row is imported twice. */
import { continueAsNew, patched, proxyActivities } from '@temporalio/workflow';
import type { ImportActivities } from '../../activities/imports.ts';
import { asTask, asTaskInParts } from './as-task.ts';
import type { TaskInput, TaskOutcome } from './contract.ts';

const WHAT = 'Import of a file';

const imports = proxyActivities<ImportActivities>({
  // A file imported as a whole is one long transaction; parts take seconds.
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export async function importFile(input: TaskInput): Promise<TaskOutcome | null> {
  // Imports that an earlier release has started run in one activity.
  if (!patched('imports-in-parts')) {
    return asTask(input, WHAT, () => imports.importRows.executeWithOptions({ summary: 'Import the rows' }, [input]));
  }
  return asTaskInParts(
    input,
    WHAT,
    () => imports.importPart.executeWithOptions({ summary: 'Import some rows' }, [input]),
    () => continueAsNew<typeof importFile>(input),
  );
}
