/** Comments on records. Whoever may read a record may comment on it; those whom a comment mentions are notified (decision 0186). */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Comment } from '../../db/models/comments.ts';
import { query } from '../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../db/write.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { mentionsIn } from '../../domain/mentions.ts';
import type { Role } from '../../domain/permissions.ts';
import { shortened } from '../../domain/shorten.ts';
import { notifyUsers } from '../notifications/notify.ts';
import { isOwn, isOwnOrManaged, lockAdded, type Member } from '../subjects/added.ts';
import { addressOf, assertSubject, canRead, type Subject } from '../subjects/subjects.ts';

/** The longest comment, in characters. */
export const MOST_CHARACTERS = 10_000;
/** The most people that a comment mentions. */
const MOST_MENTIONS = 50;
/** How much of a comment a notification shows. */
const SHOWN_CHARACTERS = 500;

const MENTION_TEXTS = {
  en: { title: 'You were mentioned in a comment', actionLabel: 'Open' },
  es: { title: 'Le han mencionado en un comentario', actionLabel: 'Abrir' },
};

export const COMMENTS = { model: Comment, name: 'This comment' };

/** Writes a comment, and notifies whom it mentions. @throws ServiceError validation_failed when the record cannot be read */
export async function createComment(
  trx: Db,
  ctx: Context,
  { permissions }: Member,
  { entityType, entityId, body }: Subject & { readonly body: string },
): Promise<Comment> {
  await assertSubject(trx, permissions, { entityType, entityId });
  const mentions = await mentionedUsers(trx, entityType, body);
  const { userId, actor } = ctx;
  const comment = await insertRow(trx, ctx, Comment, { entityType, entityId, body, userId, actor, mentions });
  await tell(trx, ctx, comment, mentions);
  return comment;
}

/**
 * Changes what a comment says. People are notified who were not mentioned before.
 * @throws ServiceError not_found, forbidden for comments of others, stale_version
 */
export async function changeComment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  { body, ifMatch }: { readonly body?: string | undefined; readonly ifMatch: number | null },
): Promise<void> {
  const current = await lockAdded(trx, COMMENTS, member, id);
  if (!isOwn(current, ctx)) throw new ServiceError('forbidden', 'A comment is changed by its author only');
  assertVersion(current, ifMatch);
  if (body === undefined) return;
  const mentions = await mentionedUsers(trx, current.entityType, body);
  const changed = await patchRow(trx, ctx, Comment, current, { body, mentions });
  await tell(
    trx,
    ctx,
    changed,
    mentions.filter((userId) => !current.mentions.includes(userId)),
  );
}

/** Deletes a comment: its author may, owners and administrators too. @throws ServiceError not_found, forbidden, stale_version */
export async function removeComment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const current = await lockAdded(trx, COMMENTS, member, id);
  if (!isOwnOrManaged(current, ctx, member)) {
    throw new ServiceError('forbidden', 'A comment is deleted by its author, an owner or an administrator');
  }
  assertVersion(current, ifMatch);
  await removeRow(trx, ctx, Comment, current);
}

/** The members whom a text mentions. Who may not read the record is not told of it. */
async function mentionedUsers(trx: Db, entityType: string, body: string): Promise<string[]> {
  const addresses = mentionsIn(body);
  if (addresses.length === 0) return [];
  if (addresses.length > MOST_MENTIONS) {
    throw invalidMember('/body', 'too_many', `must mention at most ${MOST_MENTIONS} people`);
  }
  const members = await query<{ id: string; role: Role }>(
    trx,
    `select u.id, m.role from memberships m join users u on u.id = m.user_id
     where m.active and lower(u.email) = any(:addresses) order by u.id`,
    { addresses },
  );
  return members.filter(({ role }) => canRead(role, entityType)).map(({ id }) => id);
}

async function tell(trx: Db, ctx: Context, comment: Comment, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { id, entityType, entityId, body } = comment;
  const shown = body.length > SHOWN_CHARACTERS ? `${shortened(body, SHOWN_CHARACTERS)}…` : body;
  const actionUrl = addressOf(comment);
  await notifyUsers(trx, ctx, userIds, 'mention', {
    ...MENTION_TEXTS.en,
    body: shown,
    es: { ...MENTION_TEXTS.es, body: shown },
    metadata: { comment_id: id, entity_type: entityType, entity_id: entityId },
    ...(actionUrl === undefined ? {} : { actionUrl }),
  });
}
