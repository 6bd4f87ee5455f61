/** Imports an uploaded file in the background. Each part is committed with its progress, so that no row is imported twice. */
import { proxyActivities } from '@temporalio/workflow';
import type { ImportActivities } from '../../../activities/records/imports.ts';
import { taskInParts } from './as-task.ts';

const imports = proxyActivities<ImportActivities>({
  // A file imported as a whole is one long transaction; parts take seconds.
  startToCloseTimeout: '4 hours',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute', maximumAttempts: 30 },
});

export const importFile = taskInParts({ what: 'Import of a file', part: 'Import some rows' }, imports.importPart);
