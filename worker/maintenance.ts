/** Schedules of the service's own regular workflows. */
import { type Client, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Config } from '../config/index.ts';
import { putSchedule, removeSchedule } from '../services/platform/schedules/temporal.ts';
import { DUE_ENTRIES } from '../workflows/contracts/due-entries/contract.ts';
import { RECURRING_DUE } from '../workflows/contracts/recurring/contract.ts';
import { EXCHANGE_RATES } from '../workflows/ledger/exchange/contract.ts';
import {
  DAILY_SUMMARIES_ID,
  DUE_ENTRIES_ID,
  EXCHANGE_RATES_ID,
  LIFECYCLE_COMPARISON,
  LIFECYCLE_COMPARISON_ID,
  MAINTENANCE,
  PRUNING_ID,
  RECURRING_ID,
  SCHEDULES_ID,
  STORAGE_ID,
  STORAGE_MEASUREMENT,
} from '../workflows/operation/contract.ts';
import { taskPriority, type Work } from '../workflows/platform/priorities/contract.ts';
import { SCHEDULE_COMPARISON } from '../workflows/platform/schedules/contract.ts';
import { TASKS_QUEUE } from '../workflows/platform/tasks/contract.ts';
import { DAILY_SUMMARIES } from '../workflows/reports/daily-summary/contract.ts';

/** Intervals. A missed run is made up for within the catch-up window; the jitter keeps many services from starting at the same moment. */
const RHYTHMS = {
  '1 hour': { words: 'Hourly', jitter: '5 minutes', catchupWindow: '1 hour' },
  '6 hours': { words: 'Every 6 hours', jitter: '10 minutes', catchupWindow: '6 hours' },
  '15 minutes': { words: 'Every 15 minutes', jitter: undefined, catchupWindow: '15 minutes' },
  '1 minute': { words: 'Every minute', jitter: undefined, catchupWindow: '1 minute' },
} as const;

interface Regular {
  /** Id of the schedule and, with the time appended, of the workflows. */
  readonly id: string;
  readonly workflow: string;
  readonly every: keyof typeof RHYTHMS;
  /** For hourly work: minutes after the full hour. */
  readonly minute?: number;
  readonly work: Work;
  /** Shown to operators. */
  readonly summary: string;
}

const REGULAR: readonly Regular[] = [
  {
    id: LIFECYCLE_COMPARISON_ID,
    workflow: LIFECYCLE_COMPARISON,
    every: '1 hour',
    minute: 0,
    work: 'comparison',
    summary: 'restarts missing lifecycles of open documents, and counts other missing work',
  },
  {
    id: PRUNING_ID,
    workflow: MAINTENANCE,
    every: '1 hour',
    minute: 30,
    work: 'pruning',
    summary: 'deletes data past its retention (handed-over events, delivery logs, ended tasks …)',
  },
  {
    id: STORAGE_ID,
    workflow: STORAGE_MEASUREMENT,
    every: '1 hour',
    minute: 45,
    work: 'pruning',
    summary: 'measures what companies store that have changed, and tells those that are full',
  },
  {
    id: SCHEDULES_ID,
    workflow: SCHEDULE_COMPARISON,
    every: '1 minute',
    work: 'comparison',
    summary:
      'takes over pauses and resumptions made here of scheduled reports and rules, and recreates missing schedules',
  },
  {
    id: DAILY_SUMMARIES_ID,
    workflow: DAILY_SUMMARIES,
    every: '15 minutes',
    work: 'dailySummaries',
    summary: 'mails daily summaries once a day, after eight o’clock in each company’s time zone',
  },
  {
    id: RECURRING_ID,
    workflow: RECURRING_DUE,
    every: '15 minutes',
    work: 'recurring',
    summary: 'makes recurring documents that are due, at midnight in each company’s time zone',
  },
  {
    id: DUE_ENTRIES_ID,
    workflow: DUE_ENTRIES,
    every: '1 hour',
    minute: 15,
    work: 'dueEntries',
    summary:
      'makes entries that are due: deferrals and depreciation whose month is over, planned reversals, and instalments of loans',
  },
];

/** Where an address of exchange rates is configured. */
const EXCHANGE: Regular = {
  id: EXCHANGE_RATES_ID,
  workflow: EXCHANGE_RATES,
  every: '6 hours',
  minute: 20,
  work: 'exchangeRates',
  summary: 'fetches exchange rates of the day, for companies that use other currencies',
};

/** Schedules each workflow; runs are skipped while the last one continues. Idempotent: existing schedules are updated. */
export async function scheduleMaintenance(client: Client, { exchange }: Pick<Config, 'exchange'>): Promise<void> {
  for (const one of REGULAR) await schedule(client, one);
  if (exchange.ratesUrl === undefined) await removeSchedule(client, EXCHANGE_RATES_ID);
  else await schedule(client, EXCHANGE);
}

async function schedule(client: Client, { id, workflow, every, minute = 0, work, summary }: Regular): Promise<void> {
  const { words, jitter, catchupWindow } = RHYTHMS[every];
  const wanted = {
    scheduleId: id,
    spec: { intervals: [{ every, offset: minute * 60_000 }], ...(jitter === undefined ? {} : { jitter }) },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
    action: {
      type: 'startWorkflow' as const,
      workflowType: workflow,
      workflowId: id,
      taskQueue: TASKS_QUEUE,
      args: [],
      priority: taskPriority(work, null),
      staticSummary: `${words}: ${summary}`,
    },
  };
  await putSchedule(client, wanted, ({ state }) => ({
    paused: state.paused,
    ...(state.note ? { note: state.note } : {}),
  }));
}
