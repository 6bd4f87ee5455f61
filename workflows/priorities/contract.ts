/**
 * What comes first on a queue when there is more to do than places. Within a level companies take turns, whatever each has waiting
 * (Temporal's fairness); activities have the level of their workflow unless it gives them another.
 */
import type { Priority } from '@temporalio/common';

/**
 * 1: a person waits for the answer; 2: a person has asked for it; 3: it should be soon; 4: nobody waits for it; 5: whenever there is time.
 */
export const PRIORITIES = {
  pdfAskedFor: 1,
  matchingAskedFor: 1,
  webhookTest: 1,
  operatorAction: 1,
  invitationMail: 2,
  redelivery: 2,
  task: 2,
  documentLifecycle: 3,
  paymentMatching: 3,
  webhookDelivery: 3,
  /** Asked for by a company that waits for many already: no person reads so fast. */
  furtherPdf: 4,
  recoveredDelivery: 4,
  stockRevaluation: 4,
  pdfKept: 4,
  comparison: 5,
  pruning: 5,
} as const satisfies Record<string, 1 | 2 | 3 | 4 | 5>;

export type Work = keyof typeof PRIORITIES;

/** @param tenantId whose turn it takes; null for the service itself */
export function priorityOf(work: Work, tenantId: string | null): Priority {
  return { priorityKey: PRIORITIES[work], fairnessKey: tenantId ?? 'maintenance' };
}
