/** Begins the runs of scheduled rules. */
import type { Database } from '../../db/database.ts';
import { beginScheduled } from '../../services/integrations/automations/clock/begin.ts';
import { notifyOfRecords } from '../../services/integrations/automations/clock/notify-results.ts';
import type { BegunRuns } from '../../workflows/integrations/automations/clock-contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';

export interface AutomationScheduleActivities {
  /**
   * Begins the next runs; a retry begins none again and returns the same.
   * @param input.due the scheduled time, ISO 8601
   * @param input.after the last record examined; null at the beginning
   * @param input.selected the number of records examined
   */
  beginScheduledRuns(input: {
    readonly tenantId: string;
    readonly automationId: string;
    readonly due: string;
    readonly after: string | null;
    readonly selected: number;
  }): Promise<BegunRuns>;
  /** Notifies the user whom the rule acts for of its results on all records. */
  tellOfScheduledRuns(input: {
    readonly tenantId: string;
    readonly automationId: string;
    readonly done: number;
    readonly failed: number;
  }): Promise<void>;
}

export interface AutomationScheduleDeps {
  readonly database: Database;
  readonly now: () => Date;
}

export function createAutomationScheduleActivities({
  database,
  now,
}: AutomationScheduleDeps): AutomationScheduleActivities {
  return {
    async beginScheduledRuns({ tenantId, due, ...more }) {
      try {
        return await beginScheduled(database, workflowContext(tenantId, now()), { ...more, due: new Date(due) });
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
    async tellOfScheduledRuns({ tenantId, automationId, ...counts }) {
      const ctx = workflowContext(tenantId, now());
      await database.withTenant(ctx, (trx) => notifyOfRecords(trx, ctx, automationId, counts));
    },
  };
}
