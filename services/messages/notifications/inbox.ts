/** A user's own notifications. They report audited changes and are not audited themselves. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import { findRow } from '../../../db/queries/find.ts';
import { prepared } from '../../../db/sql.ts';
import { assertVersion } from '../../../db/write.ts';
import { notFound } from '../../../domain/errors.ts';

/** Counts a user's unread notifications. */
export async function countUnread(reader: Reader, userId: string): Promise<number> {
  const sql = 'select count(*)::integer as unread from notifications where user_id = :userId and not read';
  const [found] = await prepared<{ unread: number }>(reader, sql, { userId });
  return found?.unread ?? 0;
}

/** Finds one of a user's notifications. @throws ServiceError not_found, also for notifications of others */
export async function findNotification(reader: Reader, userId: string, id: string): Promise<Notification> {
  const found = await findRow(reader, Notification, { id, userId });
  if (found === undefined) throw notFound('This notification');
  return found;
}

/** Marks a notification as read or unread; does nothing if it already is. @throws ServiceError not_found, stale_version */
export async function markNotification(
  trx: Db,
  ctx: Context,
  id: string,
  read: boolean,
  ifMatch: number | null,
): Promise<Notification> {
  const before = await findNotification(trx, ctx.userId ?? '', id);
  assertVersion(before, ifMatch);
  if (before.read === read) return before;
  const now = ctx.now.toISOString();
  const marked = { read, readAt: read ? now : null, version: before.version + 1, updatedAt: now };
  const after = Object.assign(new Notification(), before, marked);
  await new Changes(ctx).update(Notification, [{ before, after }]).write(trx);
  return after;
}

/** Marks all of a user's notifications as read. @returns how many were unread */
export async function markAllRead(trx: Db, { userId, now }: Context): Promise<number> {
  const sql = `with marked as (
      update notifications set read = true, read_at = :now::timestamptz, updated_at = :now::timestamptz, version = version + 1
      where user_id = :userId and not read returning 1)
    select count(*)::integer as updated from marked`;
  const [done] = await prepared<{ updated: number }>(trx, sql, { userId, now: now.toISOString() });
  return done?.updated ?? 0;
}

/** Deletes a notification. @throws ServiceError not_found, stale_version */
export async function deleteNotification(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const found = await findNotification(trx, ctx.userId ?? '', id);
  assertVersion(found, ifMatch);
  await new Changes(ctx).remove(Notification, [found]).write(trx);
}
