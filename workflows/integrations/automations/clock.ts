/**
 * Runs a scheduled rule at one of its times: once, or for each record that its query selects, a few at a time. Runs for records are rows of
 * the log, not workflows: this single workflow performs them all, and continues as new after each page. Only those that ask people, and may
 * wait for days, are workflows of their own.
 */
import { defineSearchAttributeKey, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  continueAsNew,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { AutomationScheduleActivities } from '../../../activities/integrations/automations-clock.ts';
import { failWork, shown } from '../../details.ts';
import type { ScheduleCounts, ScheduledAutomationInput, ScheduleOutcome } from './clock-contract.ts';
import { ASKING_ACTIONS, automationRunStart, type RunToStart } from './contract.ts';
import { runActions } from './run.ts';

const { beginScheduledRuns, tellOfScheduledRuns } = proxyActivities<AutomationScheduleActivities>({
  startToCloseTimeout: '2 minutes',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const DUE = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');
/** Maximum concurrent records, which leaves turns to others. */
const AT_ONCE = 5;

type Result = ScheduleCounts & { readonly outcome: ScheduleOutcome };

const WORDS: Readonly<Record<ScheduleOutcome, string>> = {
  begun: '',
  none: 'Nothing to do: its conditions do not hold, or it selects no records',
  not_due:
    'Nothing to do: now is not one of its scheduled times. If you triggered it just as a minute began, trigger it again',
  paused: 'Nothing is done: the automation is paused',
  gone: 'Nothing is done: the automation was deleted',
};

export async function scheduledAutomation(input: ScheduledAutomationInput): Promise<Result> {
  const { automationId } = input;
  const texts = {
    what: 'Scheduled run of an automation',
    begun: 'Nothing to do: failed actions are tried five times',
    done: ({ outcome, done, failed }: Result) => WORDS[outcome] || ranInWords({ done, failed }),
    failed: 'The next run starts at its scheduled time',
    cancelled: 'Remaining actions are skipped. The next run starts at its scheduled time',
    more: [`The automation: \`GET /api/automations/${automationId}\`; what it did: \`GET …/logs\``],
  };
  return await shown(texts, () => runPage(input));
}

function ranInWords({ done, failed }: Pick<ScheduleCounts, 'done' | 'failed'>): string {
  return `${done} runs done, ${failed} with failed actions`;
}

async function runPage(input: ScheduledAutomationInput): Promise<Result> {
  const { tenantId, automationId, progress } = input;
  const { startTime, typedSearchAttributes } = workflowInfo();
  const due = progress?.due ?? (typedSearchAttributes.get(DUE) ?? startTime).toISOString();
  const { selected = 0, done = 0, failed = 0, after = null } = progress ?? {};
  const begun = await beginScheduledRuns.executeWithOptions({ summary: 'Begin the next runs' }, [
    { tenantId, automationId, due, after, selected },
  ]);
  const ends = await runAll(begun.runs);
  const counts = {
    selected: selected + begun.selected,
    done: done + ends.filter((end) => end === 'done').length,
    failed: failed + ends.filter((end) => end === 'failed').length,
  };
  if (begun.after === null) {
    if (counts.selected > 0 && counts.done + counts.failed > 0) {
      const { done, failed } = counts;
      await tellOfScheduledRuns.executeWithOptions({ summary: 'Tell of all' }, [
        { tenantId, automationId, done, failed },
      ]);
    }
    if (counts.failed > 0) failWork(ranInWords(counts));
    return { outcome: counts.done + counts.failed > 0 ? 'begun' : begun.outcome, ...counts };
  }
  return await continueAsNew<typeof scheduledAutomation>({
    ...input,
    progress: { due, after: begun.after, ...counts },
  });
}

/** Performs the actions of all runs, in turns. If cancelled, ends each of them. */
async function runAll(runs: readonly RunToStart[]): Promise<string[]> {
  const waiting = [...runs];
  const ends: string[] = [];
  let cancelled: unknown;
  const work = async () => {
    for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
      try {
        ends.push(await perform(run));
      } catch (error) {
        if (!isCancellation(error)) throw error;
        cancelled = error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (cancelled !== undefined) throw cancelled;
  return ends;
}

async function perform({ cause, ...run }: RunToStart): Promise<string> {
  if (!run.actions.some((type) => ASKING_ACTIONS.has(type))) return await runActions(run);
  const { workflow, ...start } = automationRunStart({ ...run, cause });
  try {
    await startChild(workflow, { ...start, parentClosePolicy: ParentClosePolicy.ABANDON });
  } catch (error) {
    // An earlier workflow of the same time has started it.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return 'begun';
}
