/**
 * Comments on records. Anyone who may read a record may comment on it; mentioned people are notified (decision 0186).
 */

import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Comment } from '../../../db/models/records/comments.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, patchRow, removeRow } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { mentionsIn } from '../../../domain/records/comments/mentions.ts';
import { shortened } from '../../../domain/shorten.ts';
import { notifyUsers } from '../../messages/notifications/notify.ts';
import { canRead } from '../../platform/visibility/reading.ts';
import { isAuthor, isAuthorOrManager, lockContribution, type Member } from '../commentable/contributions.ts';
import { assertCommentable, type CommentableRecord, recordPath } from '../commentable/kinds.ts';

/** Maximum length of a comment, in characters. */
export const MAX_COMMENT_LENGTH = 10_000;
/** Maximum number of people mentioned in a comment. */
const MAX_MENTIONS = 50;
/** Maximum length of the excerpt in a notification, in characters. */
const EXCERPT_LENGTH = 500;

const MENTION_TEXTS = {
  en: { title: 'You were mentioned in a comment', actionLabel: 'Open' },
  es: { title: 'Le han mencionado en un comentario', actionLabel: 'Abrir' },
};

export const COMMENTS = { model: Comment, name: 'This comment' };

/**
 * Creates a comment and notifies the people it mentions.
 * @throws ServiceError validation_failed when the record cannot be read
 */
export async function createComment(
  trx: Db,
  ctx: Context,
  { permissions }: Member,
  { entityType, entityId, body }: CommentableRecord & { readonly body: string },
): Promise<Comment> {
  await assertCommentable(trx, permissions, { entityType, entityId });
  const mentions = await findMentionedUsers(trx, entityType, body);
  const { userId, actor } = ctx;
  const comment = await insertRow(trx, ctx, Comment, { entityType, entityId, body, userId, actor, mentions });
  await notifyMentioned(trx, ctx, comment, mentions);
  return comment;
}

/**
 * Changes a comment's text and notifies newly mentioned people.
 * @throws ServiceError not_found, forbidden for comments of others, stale_version
 */
export async function changeComment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  { body, ifMatch }: { readonly body?: string | undefined; readonly ifMatch: number | null },
): Promise<void> {
  const current = await lockContribution(trx, COMMENTS, member, id);
  if (!isAuthor(current, ctx)) throw new ServiceError('forbidden', 'Only its author can change a comment');
  assertVersion(current, ifMatch);
  if (body === undefined) return;
  const mentions = await findMentionedUsers(trx, current.entityType, body);
  const changed = await patchRow(trx, ctx, Comment, current, { body, mentions });
  await notifyMentioned(
    trx,
    ctx,
    changed,
    mentions.filter((userId) => !current.mentions.includes(userId)),
  );
}

/** Deletes a comment, for its author, owners and administrators. @throws ServiceError not_found, forbidden, stale_version */
export async function removeComment(
  trx: Db,
  ctx: Context,
  member: Member,
  id: string,
  ifMatch: number | null,
): Promise<void> {
  const current = await lockContribution(trx, COMMENTS, member, id);
  if (!isAuthorOrManager(current, ctx, member)) {
    throw new ServiceError('forbidden', 'Only its author, an owner or an administrator can delete a comment');
  }
  assertVersion(current, ifMatch);
  await removeRow(trx, ctx, Comment, current);
}

/** Finds the members mentioned in a text who may read the record. */
async function findMentionedUsers(trx: Db, entityType: string, body: string): Promise<string[]> {
  const addresses = mentionsIn(body);
  if (addresses.length === 0) return [];
  if (addresses.length > MAX_MENTIONS) {
    throw invalidMember('/body', 'too_many', `must mention at most ${MAX_MENTIONS} people`);
  }
  const members = await query<StoredRights & { id: string }>(
    trx,
    `select u.id, m.role, m.permissions from memberships m join users u on u.id = m.user_id
     where m.active and lower(u.email) = any(:addresses) order by u.id`,
    { addresses },
  );
  return members.filter((one) => canRead(heldPermissions(one), entityType)).map(({ id }) => id);
}

async function notifyMentioned(trx: Db, ctx: Context, comment: Comment, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  const { id, entityType, entityId, body } = comment;
  const shown = body.length > EXCERPT_LENGTH ? `${shortened(body, EXCERPT_LENGTH)}…` : body;
  const actionUrl = recordPath(comment);
  await notifyUsers(trx, ctx, userIds, 'mention', {
    ...MENTION_TEXTS.en,
    body: shown,
    es: { ...MENTION_TEXTS.es, body: shown },
    metadata: { comment_id: id, entity_type: entityType, entity_id: entityId },
    ...(actionUrl === undefined ? {} : { actionUrl }),
  });
}
