/** Measures what companies store, a few at a time. A company that fails does not delay the others. */
import { cancellationSignal, heartbeat, log } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { isUnavailable } from '../../db/errors.ts';
import { alertStorage } from '../../services/operation/storage/alert.ts';
import { companiesToMeasure, measureCompany } from '../../services/operation/storage/measure.ts';
import { readStorage } from '../../services/platform/storage/budget.ts';
import type { MeasurementState } from '../../workflows/operation/contract.ts';
import { loggedReason, workflowContext } from '../failures.ts';

export interface StorageActivities {
  /** Measures the next companies. @returns the progress */
  measureStorage(state: MeasurementState): Promise<MeasurementState>;
}

export interface StorageDeps {
  readonly database: Database;
  readonly now: () => Date;
}

/** Companies of one activity. */
const BATCH = 100;
/** Interval of heartbeats, while the database measures. */
const HEARTBEAT_MS = 10_000;

export function createStorageActivities({ database, now }: StorageDeps): StorageActivities {
  return {
    async measureStorage(state) {
      const companies = await companiesToMeasure(database, now(), state.after, BATCH);
      let failed = state.failed;
      const beat = setInterval(heartbeat, HEARTBEAT_MS);
      try {
        for (const tenantId of companies) {
          cancellationSignal().throwIfAborted();
          try {
            const ctx = workflowContext(tenantId, now());
            await measureCompany(database, ctx);
            await alertStorage(database, ctx, await readStorage(database.reader(ctx)));
          } catch (error) {
            // An outage affects all companies: the activity is retried.
            if (isUnavailable(error)) throw error;
            failed++;
            const reason = loggedReason(error);
            log.error('A company could not be measured', { tenantId, error: reason });
          }
        }
      } finally {
        clearInterval(beat);
      }
      const after = companies.length < BATCH ? null : (companies.at(-1) ?? null);
      return { after, measured: state.measured + companies.length, failed };
    },
  };
}
