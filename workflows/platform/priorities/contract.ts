/**
 * The order of work on a busy queue. Within a priority, companies take turns, however much each has waiting (Temporal's fairness).
 * Activities have the priority of their workflow unless it gives them another.
 */
import type { Priority } from '@temporalio/common';

/**
 * 1: a person waits for the answer; 2: a person requested it; 3: it should happen soon; 4: nobody waits for it; 5: whenever there is time.
 */
export const PRIORITIES = {
  requestedPdf: 1,
  requestedMatching: 1,
  awaitedReport: 1,
  webhookTest: 1,
  operatorAction: 1,
  task: 1,
  emailDelivery: 2,
  report: 2,
  redelivery: 2,
  automation: 3,
  dailySummaries: 3,
  dueEntries: 3,
  documentLifecycle: 3,
  face: 3,
  paymentMatching: 3,
  push: 3,
  recurring: 3,
  verifactu: 3,
  webhookDelivery: 3,
  /** Requested by a company that already waits for many: no person reads that fast. */
  furtherPdf: 4,
  recoveredDelivery: 4,
  exchangeRates: 4,
  stockRevaluation: 4,
  scheduledAutomation: 4,
  comparison: 5,
  pruning: 5,
} as const satisfies Record<string, 1 | 2 | 3 | 4 | 5>;

export type Work = keyof typeof PRIORITIES;

/** The priority of work. @param tenantId the company whose turn it takes; null for the service itself */
export function taskPriority(work: Work, tenantId: string | null): Priority {
  return { priorityKey: PRIORITIES[work], fairnessKey: tenantId ?? 'maintenance' };
}
