/** Measures the rows of companies that have changed, and tells those that are full. Companies that have not changed cost nothing. */
import { ApplicationFailure, continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { StorageActivities } from '../../../activities/operation/storage.ts';
import { shown } from '../../details.ts';
import type { MeasurementState } from '../contract.ts';

const storage = proxyActivities<StorageActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const TEXTS = {
  what: 'Measurement of what companies store',
  begun: 'Nothing to do: it runs every hour',
  done: ({ measured }: MeasurementState) => `${measured} companies measured`,
  failed: 'The other companies are done. The next run, within the hour, tries again',
  cancelled: 'The next run, within the hour, measures the rest',
  more: ['To run it now, trigger the schedule `maintenance/storage`'],
};

export async function storageMeasurement(begun?: MeasurementState): Promise<MeasurementState> {
  let state = begun ?? { after: null, measured: 0, failed: 0 };
  const end = await shown(TEXTS, async () => {
    do {
      state = await storage.measureStorage.executeWithOptions({ summary: 'Measure some companies' }, [state]);
    } while (state.after !== null && !workflowInfo().continueAsNewSuggested);
    if (state.after === null && state.failed > 0) {
      throw ApplicationFailure.create({
        message: `${state.failed} companies could not be measured; the worker's log says why`,
        type: 'measurement_failed',
      });
    }
    return state;
  });
  if (end.after !== null) await continueAsNew<typeof storageMeasurement>(end);
  return end;
}
