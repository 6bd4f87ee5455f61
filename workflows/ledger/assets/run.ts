/** Enters the depreciation of a company's assets that is due, in one transaction: once, whatever dies. */
import { proxyActivities } from '@temporalio/workflow';
import type { AssetActivities } from '../../../activities/ledger/assets.ts';
import { taskInParts } from '../../platform/tasks/as-task.ts';

const { enterDepreciation } = proxyActivities<AssetActivities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

export const depreciationRun = taskInParts(
  { what: 'Depreciation of fixed assets', part: 'Enter what is due' },
  enterDepreciation,
);
