/**
 * Background tasks. A request creates a task in its own transaction, with an event that makes the relay start its workflow: requests never
 * wait for Temporal, and an accepted task is never lost.
 */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Task } from '../../../db/models/platform/tasks.ts';
import { type Fragment, fragment, joined, toFragments, toStatement, where } from '../../../db/queries/fragments.ts';
import { query, runOn } from '../../../db/sql.ts';
import { assertVersion, insertRow, removeRow } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { TASK_CANCELLED, TASK_STARTED } from '../../../domain/platform/internal-events.ts';
import { MAX_RUNNING, MAX_RUNNING_OF_KIND, TASK_KINDS, type TaskKind } from '../../../domain/platform/tasks.ts';
import { signalTask } from '../feed/channel.ts';
import { removeTaskFiles } from '../files/task-files.ts';

/** Seconds after which a refused task may be sent again. */
const RETRY_SECONDS = 30;

/** A reader of tasks: owners and admins see all, others only their own. */
export interface TaskViewer {
  readonly userId: string | null;
  /** As in `Context`. */
  readonly actor: string | null;
  readonly role: string;
  readonly permissions: ReadonlySet<string>;
}

/**
 * Creates a task; it runs after the commit, as soon as a worker is free.
 * @param task.input of the work, as JSON; stored in the database, never in workflow histories
 * @param task.title for operators, without personal data
 * @throws ServiceError too_many_requests while too many tasks of the company wait or run; not for work that workflows request
 */
export async function startTask(
  trx: Db,
  ctx: Context,
  task: {
    /** Chosen by workflows, which may repeat the request; generated if absent. */
    readonly id?: string;
    readonly kind: TaskKind;
    /** Needed to read what it makes, also later; null for none. */
    readonly permission: Permission | null;
    /** Whether its requester alone may see it; by default administrators do, too. */
    readonly personal?: boolean;
    readonly input: Record<string, unknown>;
    readonly message: string;
    readonly title: string;
  },
): Promise<Task> {
  const { id, kind, permission, personal = false, input, message, title } = task;
  if (id === undefined) await assertFew(trx, kind);
  return insertRow(
    trx,
    ctx,
    Task,
    {
      ...(id === undefined ? {} : { id }),
      kind,
      type: TASK_KINDS[kind],
      status: 'running',
      progress: 0,
      message,
      input,
      createdBy: ctx.userId,
      actor: ctx.actor,
      depth: ctx.depth ?? 0,
      permission,
      personal,
    },
    [{ name: TASK_STARTED, payload: { task_kind: kind, title } }],
  );
}

/**
 * Refuses a task while too many wait or run: each keeps its input. Requests of the same moment do not see one another: they exceed the
 * limit by as many as the company has connections.
 */
async function assertFew(trx: Db, kind: TaskKind): Promise<void> {
  const [row] = await query<{ all: number; alike: number }>(
    trx,
    `select count(*)::int as all, count(*) filter (where kind = :kind)::int as alike from tasks where status = 'running'`,
    { kind },
  );
  const { all = 0, alike = 0 } = row ?? {};
  if (all < MAX_RUNNING && alike < MAX_RUNNING_OF_KIND[kind]) return;
  const message =
    all < MAX_RUNNING ? `${alike} tasks of this kind wait or run` : `${all} tasks of this company wait or run`;
  throw new ServiceError(
    'too_many_requests',
    `${message}: wait until some are done, or delete them (DELETE /api/tasks/{id})`,
    {
      retryAfter: RETRY_SECONDS,
    },
  );
}

/** Builds the condition that limits a query to what the viewer may see: of tasks and report schedules alike. */
export function visibleTo({ userId, actor, role }: Omit<TaskViewer, 'permissions'>): Record<string, string | null> {
  if (role === 'owner' || role === 'admin') return {};
  return userId === null ? { actor } : { created_by: userId };
}

/** The condition for tasks, whose requester may have lost the right to read what they made; some are for their requester alone. */
export function visibleTasks(viewer: TaskViewer): readonly Fragment[] {
  return [
    ...toFragments(visibleTo(viewer)),
    fragment('(permission is null or permission = any(?::text[]))', [...viewer.permissions]),
    fragment('(not personal or created_by = ?::uuid)', viewer.userId),
  ];
}

/** Finds a task. @throws ServiceError not_found, also for tasks of others */
export async function findTask(
  reader: Reader,
  viewer: TaskViewer,
  id: string,
  lock: '' | ' for update' = '',
): Promise<Task> {
  const found = joined([fragment('select * from tasks'), where({ id }, visibleTasks(viewer)), fragment(lock)]);
  const [row] = await runOn<JsonRow>(reader, toStatement(found));
  if (row === undefined) throw notFound('This task');
  return fromRow(Task, row);
}

/**
 * Deletes a task with its files, cancelling a running one: what it has not committed will not be done.
 * @throws ServiceError not_found, stale_version
 */
export async function removeTask(
  trx: Db,
  ctx: Context,
  viewer: TaskViewer,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const task = await findTask(trx, viewer, id, ' for update');
  assertVersion(task, ifMatch);
  await removeTaskFiles(trx, task.id);
  const events = task.status === 'running' ? [{ name: TASK_CANCELLED, payload: { task_kind: task.kind } }] : [];
  await removeRow(trx, ctx, Task, task, events);
  await signalTask(trx, ctx, task);
}
