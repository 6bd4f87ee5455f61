/** Types, kinds and states of background tasks. */

export const TASK_TYPES = ['export', 'report', 'sync', 'backup'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

export const TASK_STATUSES = ['running', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Each kind of task with the type that clients see. */
export const TASK_KINDS = {
  import: 'sync',
  statements: 'sync',
  reconciliation: 'sync',
  webhook_recovery: 'sync',
  payroll: 'sync',
  payslips: 'sync',
  report: 'report',
  /** A report that a request is waiting for. */
  awaited_report: 'report',
} as const satisfies Record<string, TaskType>;
export type TaskKind = keyof typeof TASK_KINDS;

/**
 * Whole percent of the work done, rounded down, so that 100 appears only at the end.
 * @param from the percentage at which this part of the work began
 */
export function percentDone(done: number, total: number, from = 0): number {
  if (total <= 0) return from;
  const share = Math.min(Math.max(done / total, 0), 1);
  return Math.min(99, Math.floor(from + share * (100 - from)));
}
