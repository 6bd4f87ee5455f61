/** Reads notifications that connected users have not seen yet. */
import type { Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import { prepared } from '../../../db/sql.ts';

/** Position of a connection: it has seen its user's notifications up to this id. */
export interface Cursor {
  readonly userId: string;
  readonly after: string;
}

/** Sorts before all ids. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

export interface FeedItem {
  /** Index of its cursor. */
  readonly place: number;
  readonly notification: Notification;
  /** Number of the user's unread notifications. */
  readonly unread: number;
}

/** Reads up to `most` notifications after each cursor, oldest first, in one statement. */
export async function notificationsAfter(
  reader: Reader,
  cursors: readonly Cursor[],
  most: number,
): Promise<FeedItem[]> {
  const rows = await prepared<JsonRow & { readonly _place: number; readonly _unread: number }>(
    reader,
    `select c.place::integer - 1 as _place, unread.count as _unread, n.*
     from unnest(:userIds::uuid[], :afters::uuid[]) with ordinality as c (user_id, after, place)
     cross join lateral (select count(*)::integer from notifications u where u.user_id = c.user_id and not u.read) as unread
     cross join lateral (
       select * from notifications f where f.user_id = c.user_id and f.id > c.after order by f.id limit :most) as n
     order by c.place, n.id`,
    { userIds: cursors.map(({ userId }) => userId), afters: cursors.map(({ after }) => after), most },
  );
  return rows.map(({ _place: place, _unread: unread, ...row }) => {
    return { place, unread, notification: fromRow(Notification, row) };
  });
}

/** Finds the id of a user's newest notification. */
export async function newestId(reader: Reader, userId: string): Promise<string> {
  const sql = 'select id from notifications where user_id = :userId order by id desc limit 1';
  const [row] = await prepared<{ id: string }>(reader, sql, { userId });
  return row?.id ?? NIL_ID;
}
