/** What has come for connected users since they last saw something. */
import type { Reader } from '../../db/database.ts';
import { fromRow, type JsonRow } from '../../db/models/base.ts';
import { Notification } from '../../db/models/notifications.ts';
import { prepared } from '../../db/sql.ts';

/** Where a connection stands: it has seen its user's notifications up to this id. */
export interface Cursor {
  readonly userId: string;
  readonly after: string;
}

/** Precedes all ids. */
export const FROM_THE_FIRST = '00000000-0000-0000-0000-000000000000';

export interface Fed {
  /** The place of its cursor. */
  readonly place: number;
  readonly notification: Notification;
  /** How many its user has not read. */
  readonly unread: number;
}

/** The first notifications after each cursor, oldest first, in one statement. */
export async function newsAfter(reader: Reader, cursors: readonly Cursor[], most: number): Promise<Fed[]> {
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

/** The id of a user's newest notification. */
export async function newestId(reader: Reader, userId: string): Promise<string> {
  const sql = 'select id from notifications where user_id = :userId order by id desc limit 1';
  const [row] = await prepared<{ id: string }>(reader, sql, { userId });
  return row?.id ?? FROM_THE_FIRST;
}
