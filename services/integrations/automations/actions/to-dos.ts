/** to_do.assign and approval.request: what rules want people to do, and what they wait for people to decide. */

import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { isUuid } from '../../../../db/ids.ts';
import { ToDo } from '../../../../db/models/messages/to-dos.ts';
import { invalidMember } from '../../../../domain/errors.ts';
import type { Role } from '../../../../domain/permissions.ts';
import { shortened } from '../../../../domain/shorten.ts';
import { endIfOverdue } from '../../../messages/to-dos/end.ts';
import { queueApprovalMails } from '../../../messages/to-dos/mails.ts';
import { MAX_BODY, MAX_TITLE } from '../../../messages/to-dos/schemas.ts';
import { assignToDo } from '../../../messages/to-dos/to-dos.ts';
import type { ActionOf } from '../schemas.ts';
import type { Act, AskingAction, Detail, WritingAction } from './action.ts';

const HOUR = 3_600_000;
/** Hours in which an approval is answered, unless the rule says otherwise. */
const ANSWER_HOURS = 72;

export const assignAction: WritingAction<'to_do.assign'> = {
  needs: () => [],

  async write(trx, ctx, { action, subject, key, runId }) {
    const { due_in_hours: hours } = action;
    const due_at = hours === undefined ? null : hoursFrom(ctx, hours);
    const { toDo } = await assignToDo(trx, ctx, { ...assignment(action, subject, key), kind: 'to_do', due_at, runId });
    return { to_do_id: toDo.id };
  },
};

export const requestApproval: AskingAction<'approval.request'> = {
  needs: () => [],

  async ask(trx, ctx, act, limits) {
    const asked = await findAsked(trx, act.key);
    if (asked === undefined)
      return { kind: 'waits', until: new Date((await request(trx, ctx, act, limits)).dueAt ?? 0) };
    const { status, dueAt, endedBy, comment } = await endIfOverdue(trx, ctx, asked);
    if (status === 'open') return { kind: 'waits', until: new Date(dueAt ?? 0) };
    const detail: Detail = { to_do_id: asked.id, answer: status, answered_by: endedBy, comment };
    const isYes = status === 'approved' || (status === 'expired' && act.action.if_late === 'approve');
    if (isYes) return { kind: 'done', detail };
    return { kind: 'refused', detail, reason: REASONS[status] ?? `The approval was ${status}` };
  },
};

const REASONS: Readonly<Record<string, string>> = {
  refused: 'The approval was refused',
  expired: 'Nobody answered the approval in time',
};

async function findAsked(trx: Db, id: string): Promise<ToDo | undefined> {
  return (await ToDo.query(trx).findById(id).forUpdate()) as ToDo | undefined;
}

async function request(
  trx: Db,
  ctx: Context,
  { action, subject, key, runId, workflowId }: Act<'approval.request'>,
  limits: Parameters<typeof queueApprovalMails>[2],
): Promise<ToDo> {
  const due_at = hoursFrom(ctx, action.deadline_hours ?? ANSWER_HOURS);
  const given = assignment(action, subject, key);
  const { toDo, recipients } = await assignToDo(trx, ctx, { ...given, kind: 'approval', due_at, runId, workflowId });
  if (action.by_email === true) await queueApprovalMails(trx, ctx, limits, toDo, recipients);
  return toDo;
}

function assignment(
  { user_id: userId, role, title, body = '' }: ActionOf<'to_do.assign' | 'approval.request'>,
  { document }: Act['subject'],
  id: string,
) {
  if (userId !== undefined && !isUuid(userId)) {
    throw invalidMember('/user_id', 'invalid_reference', `must be a user, and is “${userId}”`);
  }
  return {
    id,
    title: shortened(title, MAX_TITLE),
    body: shortened(body, MAX_BODY),
    user_id: userId ?? null,
    role: (role as Role | undefined) ?? null,
    document_id: (document?.id as string | undefined) ?? null,
  };
}

function hoursFrom({ now }: Context, hours: number): string {
  return new Date(now.getTime() + hours * HOUR).toISOString();
}
