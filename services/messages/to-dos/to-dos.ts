/** To-dos: assigning, changing and deleting them. People see those that are theirs or that they made; administrators see all. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { ToDo } from '../../../db/models/messages/to-dos.ts';
import { either, type Fragment, fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { runOn } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import type { Assignee, ToDoKind } from '../../../domain/messages/to-dos.ts';
import type { Role } from '../../../domain/permissions.ts';
import { shortened } from '../../../domain/shorten.ts';
import { type Notice, notifyRoles, notifyUser } from '../notifications/notify.ts';
import { findRecipients, type Recipient } from '../notifications/recipients.ts';
import type { NewToDo, ToDoChange } from './schemas.ts';

/** A member who looks at to-dos, or a machine with a role. */
export interface ToDoViewer {
  readonly userId: string | null;
  readonly role: string;
}

/** A to-do as somebody, or a rule, assigns it. */
export interface Assignment extends Required<Omit<NewToDo, 'role'>> {
  readonly role: Role | null;
  /** Set by rules, which may repeat the request; generated if absent. */
  readonly id?: string;
  readonly kind: ToDoKind;
  readonly runId?: string;
  /** The workflow that waits for its end. */
  readonly workflowId?: string;
}

/**
 * Assigns a to-do and notifies whoever must do it.
 * @returns it, with the members of the company who must do it
 * @throws ServiceError validation_failed for somebody who is no active member, or both or neither of user and role
 */
export async function assignToDo(
  trx: Db,
  ctx: Context,
  { user_id: userId, due_at: dueAt, document_id: documentId, ...given }: Assignment,
): Promise<{ readonly toDo: ToDo; readonly recipients: readonly Recipient[] }> {
  const recipients = await findAssigned(trx, { userId, role: given.role });
  await checkDocument(trx, documentId);
  const { runId = null, workflowId = null, ...rest } = given;
  const links = { runId, workflowId, documentId, createdBy: ctx.userId };
  const ends = { status: 'open', endedBy: null, endedAt: null, comment: null } as const;
  const toDo = await insertRow(trx, ctx, ToDo, { ...rest, userId, dueAt, ...ends, ...links });
  await tellAssigned(trx, ctx, toDo);
  return { toDo, recipients };
}

/** Changes a to-do; whoever it is given to is notified. @throws ServiceError not_found, stale_version, forbidden, invalid_transition */
export async function changeToDo(
  trx: Db,
  ctx: Context,
  viewer: ToDoViewer,
  id: string,
  { user_id: userId, due_at: dueAt, document_id: documentId, ...given }: ToDoChange,
  ifMatch: number | null,
): Promise<ToDo> {
  const current = await lockToDo(trx, viewer, id, ifMatch);
  assertOwn(current, viewer, 'change');
  if (current.status !== 'open') throw ended(current, 'changed');
  const values: Partial<ToDo> = defined({
    ...given,
    userId,
    dueAt,
    documentId,
    // Giving it to a user takes it from a role, and the other way round.
    ...(userId != null && given.role === undefined ? { role: null } : {}),
    ...(given.role != null && userId === undefined ? { userId: null } : {}),
  });
  await findAssigned(trx, { userId: current.userId, role: current.role, ...values });
  await checkDocument(trx, documentId ?? null);
  const changed = await patchRow<ToDo>(trx, ctx, ToDo, current, values);
  if (changed.userId !== current.userId || changed.role !== current.role) await tellAssigned(trx, ctx, changed);
  return changed;
}

/** Deletes a to-do. @throws ServiceError not_found, stale_version, forbidden */
export async function removeToDo(
  trx: Db,
  ctx: Context,
  viewer: ToDoViewer,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const current = await lockToDo(trx, viewer, id, ifMatch);
  assertOwn(current, viewer, 'delete');
  await removeRow(trx, ctx, ToDo, current);
}

/** The condition that a to-do is shown to a viewer. */
export function visibleToDos({ userId, role }: ToDoViewer): readonly Fragment[] {
  if (role === 'owner' || role === 'admin') return [];
  const own = userId === null ? [] : [fragment('user_id = ?::uuid', userId), fragment('created_by = ?::uuid', userId)];
  return [either([fragment('role = ?', role), ...own])];
}

/** Finds a to-do. @throws ServiceError not_found, also for those of others */
export async function findToDo(reader: Reader, viewer: ToDoViewer, id: string): Promise<ToDo> {
  return await selectToDo(reader, viewer, id, '');
}

/** Locks a to-do. @throws ServiceError not_found, stale_version */
export async function lockToDo(trx: Db, viewer: ToDoViewer, id: string, ifMatch: number | null): Promise<ToDo> {
  const found = await selectToDo(trx, viewer, id, ' for update');
  assertVersion(found, ifMatch);
  return found;
}

async function selectToDo(reader: Reader, viewer: ToDoViewer, id: string, lock: string): Promise<ToDo> {
  const one = fragment('id = ?::uuid', id);
  const found = joined([fragment('select * from to_dos'), where([one], visibleToDos(viewer)), fragment(lock)]);
  const [row] = await runOn<JsonRow>(reader, toStatement(found));
  if (row === undefined) throw notFound('This to-do');
  return fromRow(ToDo, row);
}

/** The error for a to-do that is no longer open. @param done participle: changed, ended */
export function ended({ status }: ToDo, done: string): ServiceError {
  return new ServiceError('invalid_transition', `It cannot be ${done} because it is ${status}`);
}

function assertOwn({ kind, createdBy }: ToDo, { userId, role }: ToDoViewer, verb: string): void {
  if (kind === 'approval') throw new ServiceError('invalid_transition', `You cannot ${verb} an approval: answer it`);
  const isAdmin = role === 'owner' || role === 'admin';
  if (!isAdmin && (userId === null || createdBy !== userId)) {
    throw new ServiceError('forbidden', `Only its author and administrators can ${verb} it`);
  }
}

/** @throws ServiceError validation_failed */
async function checkDocument(trx: Db, id: string | null): Promise<void> {
  if (id !== null) await checkReferences(trx, [{ pointer: '/document_id', table: 'documents', id }]);
}

/** @throws ServiceError validation_failed */
async function findAssigned(trx: Db, { userId, role }: Assignee): Promise<readonly Recipient[]> {
  if ((userId === null) === (role === null)) {
    throw invalidMember('/user_id', 'required', 'must be given unless role is, and not with it');
  }
  const roles = role === null ? [] : [role as Role];
  const recipients = await findRecipients(trx, { roles, userIds: userId === null ? [] : [userId] });
  if (recipients.length > 0) return recipients;
  if (userId !== null) throw invalidMember('/user_id', 'invalid_reference', 'must be an active member of the company');
  throw invalidMember('/role', 'invalid_reference', `must be a role that somebody has: nobody is ${role}`);
}

async function tellAssigned(trx: Db, ctx: Context, toDo: ToDo): Promise<void> {
  const { userId, role } = toDo;
  const notice = assignedNotice(toDo);
  if (role !== null) await notifyRoles(trx, ctx, [role], 'system_alert', notice);
  else if (userId !== null && userId !== ctx.userId) await notifyUser(trx, ctx, userId, 'system_alert', notice);
}

/** Maximum characters of a notification's title. */
const MAX_NOTICE = 200;

function assignedNotice({ id, kind, title, body, documentId }: ToDo): Notice {
  const [en, es] = kind === 'approval' ? ['For approval', 'Por aprobar'] : ['To do', 'Pendiente'];
  return {
    title: shortened(`${en}: ${title}`, MAX_NOTICE),
    body,
    actionLabel: 'Show',
    es: { title: shortened(`${es}: ${title}`, MAX_NOTICE), body, actionLabel: 'Ver' },
    metadata: { to_do_id: id, ...(documentId === null ? {} : { document_id: documentId }) },
    actionUrl: `/api/to-dos/${id}`,
  };
}

function defined<Values extends object>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Values>;
}
