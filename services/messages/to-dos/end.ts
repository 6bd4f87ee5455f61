/** Ends to-dos: people do them, or answer approvals; the service ends those that nobody answers or needs. */
import { Changes } from '../../../db/changes/changes.ts';
import type { DomainEvent } from '../../../db/changes/trail.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ToDo } from '../../../db/models/messages/to-dos.ts';
import { patchRow } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { type Answer, isAssigned, type ToDoStatus } from '../../../domain/messages/to-dos.ts';
import { TO_DO_ENDED } from '../../../domain/platform/internal-events.ts';
import { ended, lockToDo, type ToDoViewer } from './to-dos.ts';

/** How a to-do ends: who says so, and what they say about it. */
interface End {
  readonly status: ToDoStatus;
  readonly endedBy: string | null;
  readonly comment: string | null;
}

/** Marks a to-do as done. @throws ServiceError not_found, stale_version, invalid_transition for approvals and ended ones */
export async function finishToDo(
  trx: Db,
  ctx: Context,
  viewer: ToDoViewer,
  id: string,
  comment: string | null,
  ifMatch: number | null,
): Promise<ToDo> {
  const current = await lockToDo(trx, viewer, id, ifMatch);
  if (current.kind === 'approval') throw new ServiceError('invalid_transition', 'An approval is approved or refused');
  return await endToDo(trx, ctx, current, { status: 'done', endedBy: ctx.userId, comment });
}

/** Opens a done to-do again. @throws ServiceError not_found, stale_version, invalid_transition */
export async function reopenToDo(
  trx: Db,
  ctx: Context,
  viewer: ToDoViewer,
  id: string,
  ifMatch: number | null,
): Promise<ToDo> {
  const current = await lockToDo(trx, viewer, id, ifMatch);
  if (current.status !== 'done') throw ended(current, 'opened');
  return await patchRow(trx, ctx, ToDo, current, { status: 'open', endedBy: null, endedAt: null, comment: null });
}

/**
 * Answers an approval; the workflow that waits for it goes on.
 * @param viewer one of those who are asked: administrators are not, unless they are assigned to it
 * @throws ServiceError not_found, stale_version, forbidden, invalid_transition
 */
export async function answerApproval(
  trx: Db,
  ctx: Context,
  viewer: ToDoViewer & { readonly userId: string },
  id: string,
  { answer, comment }: { readonly answer: Answer; readonly comment: string | null },
  ifMatch: number | null,
): Promise<ToDo> {
  const current = await lockToDo(trx, viewer, id, ifMatch);
  if (current.kind !== 'approval') throw new ServiceError('invalid_transition', 'It is no approval: it can be done');
  if (!isAssigned(current, viewer)) throw new ServiceError('forbidden', 'Only those who are asked can answer it');
  if (isOverdue(current, ctx))
    throw new ServiceError('invalid_transition', `It had to be answered by ${current.dueAt}`);
  return await endToDo(trx, ctx, current, { status: answer, endedBy: viewer.userId, comment });
}

/** Marks a to-do as done, as the service does once nothing is left to do. One that people have ended or deleted stays as it is. */
export async function settleToDo(trx: Db, ctx: Context, id: string): Promise<void> {
  const current = (await ToDo.query(trx).findById(id).forUpdate()) as ToDo | undefined;
  if (current?.status !== 'open') return;
  await endToDo(trx, ctx, current, { status: 'done', endedBy: null, comment: null });
}

/** Ends an approval that nobody has answered in time. @param current locked @returns it as it ended */
export async function endIfOverdue(trx: Db, ctx: Context, current: ToDo): Promise<ToDo> {
  if (current.status !== 'open' || !isOverdue(current, ctx)) return current;
  return await patchRow(trx, ctx, ToDo, current, ending(ctx, { status: 'expired', endedBy: null, comment: null }));
}

/** Cancels the open approvals of runs that have ended: nobody waits for them any more. */
export async function cancelApprovals(trx: Db, ctx: Context, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  const open = (await ToDo.query(trx)
    .whereRaw('run_id = any(?::uuid[])', [[...runIds]])
    .where({ kind: 'approval', status: 'open' })
    .orderBy('id')
    .forUpdate()) as ToDo[];
  const changes = new Changes(ctx);
  const end = ending(ctx, { status: 'cancelled', endedBy: null, comment: null });
  for (const one of open) changes.change(ToDo, one, end, { events: endedEvents(one) });
  await changes.write(trx);
}

async function endToDo(trx: Db, ctx: Context, current: ToDo, end: End): Promise<ToDo> {
  if (current.status !== 'open') throw ended(current, 'ended');
  return await patchRow(trx, ctx, ToDo, current, ending(ctx, end), endedEvents(current));
}

function ending({ now }: Context, end: End) {
  return { ...end, endedAt: now.toISOString() };
}

function endedEvents({ workflowId }: ToDo): DomainEvent[] {
  return workflowId === null ? [] : [{ name: TO_DO_ENDED, payload: { workflow_id: workflowId } }];
}

function isOverdue({ dueAt }: ToDo, { now }: Context): boolean {
  return dueAt !== null && Date.parse(dueAt) <= now.getTime();
}
