/** What relay and workers must agree on about background tasks: ids, the queue, and the workflow of each kind. */
import type { TaskKind } from '../../domain/tasks.ts';

/** Task queue of long work that needs no browser. */
export const TASKS_QUEUE = 'tasks';

/** Ids only: what the task is to do lies in the database. */
export interface TaskInput {
  readonly tenantId: string;
  readonly taskId: string;
}

/** Workflow and queue of each kind of task. */
export const TASK_WORKFLOWS: Readonly<Record<TaskKind, { readonly workflow: string; readonly queue: string }>> = {
  import: { workflow: 'importFile', queue: TASKS_QUEUE },
};

/** The work of one task: `<tenant>/task/<id>`. */
export function taskWorkflowId({ tenantId, taskId }: TaskInput): string {
  return `${tenantId}/task/${taskId}`;
}
