/** Types, kinds and states of background tasks. */

export const TASK_TYPES = ['export', 'report', 'sync', 'backup'] as const;
export type TaskType = (typeof TASK_TYPES)[number];

/** States as they are stored: a task that waits for a worker is running, without a time at which one took it. */
export const TASK_STATUSES = ['running', 'completed', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** States as clients see them. */
export const SHOWN_TASK_STATUSES = ['waiting', ...TASK_STATUSES] as const;
export type ShownTaskStatus = (typeof SHOWN_TASK_STATUSES)[number];

/** Each kind of task with the type that clients see. */
export const TASK_KINDS = {
  import: 'sync',
  statements: 'sync',
  reconciliation: 'sync',
  webhook_recovery: 'sync',
  payroll: 'sync',
  payslips: 'sync',
  recurring: 'sync',
  depreciation: 'sync',
  /** VAT of the cash basis, at the end of a year. */
  accrual: 'sync',
  report: 'report',
  /** A report that a request is waiting for. */
  awaited_report: 'report',
} as const satisfies Record<string, TaskType>;
export type TaskKind = keyof typeof TASK_KINDS;

/** Kinds as clients see them: it makes no difference to them who waits for a report. */
export const SHOWN_TASK_KINDS = [
  'import',
  'statements',
  'reconciliation',
  'webhook_recovery',
  'payroll',
  'payslips',
  'recurring',
  'depreciation',
  'accrual',
  'report',
] as const satisfies readonly TaskKind[];
export type ShownTaskKind = (typeof SHOWN_TASK_KINDS)[number];

/** The kind of a task as clients see it. */
export function shownTaskKind(kind: TaskKind): ShownTaskKind {
  return kind === 'awaited_report' ? 'report' : kind;
}

/** The state of a task as clients see it. @param takenAt when a worker began; null if none has */
export function shownTaskStatus(status: TaskStatus, takenAt: string | null): ShownTaskStatus {
  return status === 'running' && takenAt === null ? 'waiting' : status;
}

/** Maximum tasks of a company that wait or run. */
export const MAX_RUNNING = 300;

/** Maximum tasks of a company and a kind that wait or run: those with a file keep it until they are done. */
export const MAX_RUNNING_OF_KIND: Readonly<Record<TaskKind, number>> = {
  import: 50,
  statements: 50,
  reconciliation: 50,
  webhook_recovery: 50,
  payroll: 50,
  payslips: 50,
  recurring: 50,
  depreciation: 50,
  accrual: 50,
  report: 200,
  awaited_report: 200,
};

/**
 * Whole percent of the work done, rounded down, so that 100 appears only at the end.
 * @param from the percentage at which this part of the work began
 */
export function percentDone(done: number, total: number, from = 0): number {
  if (total <= 0) return from;
  const share = Math.min(Math.max(done / total, 0), 1);
  return Math.min(99, Math.floor(from + share * (100 - from)));
}
