/** Runs scheduled reports. */
import { activityInfo } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { runSchedule } from '../../services/reports/schedules/run.ts';
import type { RunOutcome } from '../../workflows/reports/schedules/contract.ts';
import { asActivityFailure, workflowContext } from '../failures.ts';

export interface ReportScheduleActivities {
  /** Starts the task of one run. @param input.due ISO 8601 */
  runReportSchedule(input: {
    readonly tenantId: string;
    readonly reportScheduleId: string;
    readonly due: string;
  }): Promise<RunOutcome>;
}

export interface ReportScheduleDeps {
  readonly database: Database;
  readonly now: () => Date;
}

export function createReportScheduleActivities({ database, now }: ReportScheduleDeps): ReportScheduleActivities {
  return {
    async runReportSchedule({ tenantId, reportScheduleId, due }) {
      try {
        const workflowId = activityInfo().workflowExecution?.workflowId ?? '';
        const run = { reportScheduleId, workflowId, due: new Date(due) };
        return await runSchedule(database, workflowContext(tenantId, now()), run);
      } catch (error) {
        throw asActivityFailure(error);
      }
    },
  };
}
