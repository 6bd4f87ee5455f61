/** The task queues, and the concurrency of a worker process on each. */
import type { WorkerOptions } from '@temporalio/worker';
import { AUTOMATIONS_QUEUE } from '../workflows/integrations/automations/contract.ts';
import { WEBHOOKS_QUEUE } from '../workflows/integrations/webhooks/contract.ts';
import { MAIL_QUEUE } from '../workflows/messages/mail/contract.ts';
import { TASKS_QUEUE } from '../workflows/platform/tasks/contract.ts';
import { REPORTS_QUEUE } from '../workflows/reports/generation/contract.ts';
import { DOCUMENTS_QUEUE, PDF_QUEUE } from '../workflows/trade/documents/contract.ts';
import { StartError } from './connect.ts';

export const QUEUES = [
  DOCUMENTS_QUEUE,
  WEBHOOKS_QUEUE,
  PDF_QUEUE,
  REPORTS_QUEUE,
  TASKS_QUEUE,
  MAIL_QUEUE,
  AUTOMATIONS_QUEUE,
] as const;
export type Queue = (typeof QUEUES)[number];

type Slots = Required<
  Pick<
    WorkerOptions,
    'maxConcurrentActivityTaskExecutions' | 'maxConcurrentWorkflowTaskExecutions' | 'maxCachedWorkflows'
  >
>;

/**
 * Slots by queue. The queues are separate so that slow work does not starve other work: short database work, waiting for other servers, a
 * browser, and long work on many rows. Waiting costs almost nothing; services/integrations/webhooks/gate.ts divides its slots among the
 * endpoints.
 */
export const SLOTS: Readonly<Record<Queue, Slots>> = {
  [DOCUMENTS_QUEUE]: {
    maxConcurrentActivityTaskExecutions: 20,
    // The relay's starts return first tasks while there are free slots. More slots would only lengthen the server's queue.
    maxConcurrentWorkflowTaskExecutions: 40,
    maxCachedWorkflows: 1000,
  },
  [WEBHOOKS_QUEUE]: {
    maxConcurrentActivityTaskExecutions: 500,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxCachedWorkflows: 500,
  },
  [PDF_QUEUE]: {
    maxConcurrentActivityTaskExecutions: 2,
    // Rendering is part of the workflow task, so there are as many slots as concurrent renderings in Chromium.
    maxConcurrentWorkflowTaskExecutions: 2,
    maxCachedWorkflows: 50,
  },
  [REPORTS_QUEUE]: {
    // At most two create files at a time (activities/reports/generation.ts): each file is in memory and takes most of a processor.
    // The third slot reads.
    maxConcurrentActivityTaskExecutions: 3,
    maxConcurrentWorkflowTaskExecutions: 10,
    maxCachedWorkflows: 100,
  },
  [TASKS_QUEUE]: {
    maxConcurrentActivityTaskExecutions: 4,
    maxConcurrentWorkflowTaskExecutions: 10,
    maxCachedWorkflows: 100,
  },
  [MAIL_QUEUE]: {
    // Connections to the mail server; each keeps its mail with the attachments in memory.
    maxConcurrentActivityTaskExecutions: 5,
    maxConcurrentWorkflowTaskExecutions: 5,
    maxCachedWorkflows: 20,
  },
  [AUTOMATIONS_QUEUE]: {
    // Rules write like requests, but nobody waits for them: few at a time leave connections for requests.
    maxConcurrentActivityTaskExecutions: 5,
    maxConcurrentWorkflowTaskExecutions: 10,
    maxCachedWorkflows: 100,
  },
};

/**
 * Parses `--queues`.
 * @throws StartError naming the known queues
 */
export function parseQueues(text: string): Queue[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.filter((name) => !(QUEUES as readonly string[]).includes(name));
  if (names.length === 0 || unknown.length > 0) {
    throw new StartError(`--queues ${text}: give one or more of ${QUEUES.join(', ')}, separated by commas`);
  }
  return names as Queue[];
}
