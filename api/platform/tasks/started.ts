/** The answer of requests whose work continues as a background task. */
import { Type } from 'typebox';
import type { ShownTaskStatus } from '../../../domain/platform/tasks.ts';
import { text, uuid } from '../../../services/platform/validation/schemas.ts';
import type { RouteResponse } from '../../route.ts';

export const TaskStarted = Type.Object({ task_id: uuid(), status: text(), message: text() }, { title: 'TaskStarted' });

/** 202 with the address of a task that was just started. @param status reports are `queued`, as the interface has it */
export function taskStarted(
  task: { readonly id: string; readonly message: string },
  status: ShownTaskStatus | 'queued' = 'waiting',
): RouteResponse {
  return {
    status: 202,
    body: { task_id: task.id, status, message: task.message },
    headers: { Location: `/api/tasks/${task.id}` },
  };
}

/** The id of the task that such an answer names. */
export function startedTask({ body }: RouteResponse): string {
  return (body as { readonly task_id: string }).task_id;
}
