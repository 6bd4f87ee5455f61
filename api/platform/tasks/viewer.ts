/** The caller as a reader of tasks, and of the schedules that start them. */
import type { TaskViewer } from '../../../services/platform/tasks/tasks.ts';
import type { RouteRequest } from '../../route.ts';

export function taskViewer({
  ctx,
  caller,
}: Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'caller'>): TaskViewer {
  return { userId: ctx.userId, actor: ctx.actor, role: caller.role, permissions: caller.permissions };
}
