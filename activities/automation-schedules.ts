/** Begins the runs of rules by the clock. */
import type { Database } from '../db/database.ts';
import { beginScheduled } from '../services/automations/clock/begin.ts';
import { tellOfRecords } from '../services/automations/clock/end.ts';
import type { BegunRuns } from '../workflows/automation-schedules/contract.ts';
import { asActivityFailure, workflowContext } from './failures.ts';

export interface AutomationScheduleActivities {
  /**
   * Begins the next ones; a repetition begins none anew, and answers the same.
   * @param input.due when it was due, ISO 8601
   * @param input.after the last record that was looked at; null at the beginning
   * @param input.selected how many records were looked at
   */
  beginScheduledRuns(input: {
    readonly tenantId: string;
    readonly automationId: string;
    readonly due: string;
    readonly after: string | null;
    readonly selected: number;
  }): Promise<BegunRuns>;
  /** Tells whoever the rule acts for what it has done with all records. */
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
      await database.withTenant(ctx, (trx) => tellOfRecords(trx, ctx, automationId, counts));
    },
  };
}
