/** Contract for background tasks between relay and workers: ids, queue, the workflow of each kind, and start options. */
import type { TaskKind } from '../../../domain/platform/tasks.ts';
import { RECURRING_RUNS } from '../../contracts/recurring/contract.ts';
import { DEPRECIATION_RUN } from '../../ledger/assets/contract.ts';
import { REPORT_GENERATION, REPORTS_QUEUE } from '../../reports/generation/contract.ts';
import { PAYMENT_RECONCILIATION, reconciliationId } from '../../trade/payments/contract.ts';
import { taskPriority, type Work } from '../priorities/contract.ts';
import { searchAttributes } from '../search-attributes/contract.ts';

/** Task queue of long work that needs no browser. */
export const TASKS_QUEUE = 'tasks';

/** Ids only: the rest of the request is in the database. */
export interface TaskInput {
  readonly tenantId: string;
  readonly taskId: string;
}

/** The outcome of a task: the result of its workflow. */
export interface TaskOutcome {
  /** `gone`: somebody has deleted it. */
  readonly status: 'completed' | 'failed' | 'gone';
  /** The message that the API shows; the reason of a failure stands in the task alone. */
  readonly message: string;
  readonly counts: Readonly<Record<string, number>>;
}

/** The result of one part of the work. */
export interface TaskPart {
  readonly more: boolean;
  /** Delay before the next part. */
  readonly waitMs?: number;
  readonly outcome?: TaskOutcome;
}

interface TaskWorkflow {
  readonly workflow: string;
  readonly queue: string;
  readonly id: (input: TaskInput) => string;
  /** `task` unless stated otherwise. */
  readonly priority?: Work;
}

/** Workflow, queue and workflow id of each kind of task. */
const TASK_WORKFLOWS: Readonly<Record<TaskKind, TaskWorkflow>> = {
  import: { workflow: 'importFile', queue: TASKS_QUEUE, id: taskWorkflowId },
  statements: { workflow: 'importFile', queue: TASKS_QUEUE, id: taskWorkflowId },
  reconciliation: {
    workflow: PAYMENT_RECONCILIATION,
    queue: TASKS_QUEUE,
    id: ({ tenantId, taskId }) => reconciliationId(tenantId, taskId),
  },
  payroll: { workflow: 'payrollGeneration', queue: TASKS_QUEUE, id: taskWorkflowId },
  payslips: { workflow: 'payslipMails', queue: TASKS_QUEUE, id: taskWorkflowId },
  recurring: { workflow: RECURRING_RUNS, queue: TASKS_QUEUE, id: taskWorkflowId, priority: 'recurring' },
  depreciation: { workflow: DEPRECIATION_RUN, queue: TASKS_QUEUE, id: taskWorkflowId },
  accrual: { workflow: 'taxAccruals', queue: TASKS_QUEUE, id: taskWorkflowId },
  webhook_recovery: { workflow: 'webhookRecovery', queue: TASKS_QUEUE, id: taskWorkflowId },
  report: { workflow: REPORT_GENERATION, queue: REPORTS_QUEUE, id: taskWorkflowId, priority: 'report' },
  awaited_report: { workflow: REPORT_GENERATION, queue: REPORTS_QUEUE, id: taskWorkflowId, priority: 'awaitedReport' },
};

/** Default workflow id of a task: `<tenant>/task/<id>`. */
export function taskWorkflowId({ tenantId, taskId }: TaskInput): string {
  return `${tenantId}/task/${taskId}`;
}

/** Workflow id of a task of this kind. */
export function workflowIdForKind(input: TaskInput, kind: TaskKind): string {
  return TASK_WORKFLOWS[kind].id(input);
}

/** Start options of a task's workflow. @param title name of the work, for operators */
export function taskStart(input: TaskInput, kind: TaskKind, title: string | null) {
  const { tenantId, taskId } = input;
  const { workflow, queue, priority = 'task' } = TASK_WORKFLOWS[kind];
  return {
    workflow,
    workflowId: workflowIdForKind(input, kind),
    taskQueue: queue,
    args: [input] as [TaskInput],
    workflowIdReusePolicy: 'REJECT_DUPLICATE' as const,
    typedSearchAttributes: searchAttributes({ tenantId, entityType: 'Task', entityId: taskId, kind }),
    priority: taskPriority(priority, tenantId),
    staticSummary: title ?? `Background task: ${kind}`,
    staticDetails:
      `Progress and result: \`GET /api/tasks/${taskId}\`. Deleting the task there, or “Request Cancellation” here, stops ` +
      `it; completed work is kept`,
  };
}

/** Start options for restarting a task whose workflow ended before the task did. */
export function taskRestart(input: TaskInput, kind: TaskKind, title: string | null) {
  return { ...taskStart(input, kind, title), workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const };
}
