/** Runs a scheduled report once: starts the task that generates the file, and ends. Temporal starts it at the scheduled times. */
import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ReportScheduleActivities } from '../../../activities/reports/schedules.ts';
import { shown } from '../../details.ts';
import type { RunOutcome, ScheduledReportInput } from './contract.ts';

const { runReportSchedule } = proxyActivities<ReportScheduleActivities>({
  startToCloseTimeout: '5 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const DUE = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

const WORDS: Readonly<Record<RunOutcome, string>> = {
  started: 'The task is started',
  empty: 'No file: the report has no figures',
  still_running: 'No file: that of the run before is still being made',
  paused: 'No file: the schedule is paused',
  gone: 'No file: the schedule was deleted',
};

export async function scheduledReport(input: ScheduledReportInput): Promise<RunOutcome> {
  const { tenantId, reportScheduleId } = input;
  const texts = {
    what: 'Run of a scheduled report',
    begun: 'Nothing to do: failures are retried',
    done: (outcome: RunOutcome) => WORDS[outcome],
    failed: 'The next run comes at its time',
    cancelled: 'The next run comes at its time',
    more: [`The schedule, and its last run: \`GET /api/report-schedules/${reportScheduleId}\``],
  };
  const { startTime, typedSearchAttributes } = workflowInfo();
  const due = (typedSearchAttributes.get(DUE) ?? startTime).toISOString();
  return await shown(texts, () =>
    runReportSchedule.executeWithOptions({ summary: 'Start the task' }, [{ tenantId, reportScheduleId, due }]),
  );
}
