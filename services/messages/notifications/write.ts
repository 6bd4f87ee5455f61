/** Writes notifications: one statement for all recipients, with their events. */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { Notification } from '../../../db/models/messages/notifications.ts';
import { prepared } from '../../../db/sql.ts';
import { NOTIFICATION_CREATED } from '../../../domain/integrations/webhooks/events.ts';
import type { NoticeText, NotificationType } from '../../../domain/messages/notifications/types.ts';
import { PUSH_DUE } from '../../../domain/platform/internal-events.ts';
import { signalUsers } from '../../platform/feed/channel.ts';
import { isListenedTo } from '../../platform/outbox/interest.ts';

export interface NewNotification extends NoticeText {
  readonly userId: string;
  /** Whether it is also pushed to their browsers. */
  readonly pushes: boolean;
  readonly type: NotificationType;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly actionUrl?: string | undefined;
}

/** Serialises the writers of a company: ids ascend in commit order, so a reader who has seen one has seen all before it. */
const LOCK_SQL = `select pg_advisory_xact_lock(hashtextextended('notifications:' || current_setting('app.tenant_id'), 0))`;

/** Inserts notifications with their events, and signals them to connected clients. */
export async function writeNotifications(trx: Db, ctx: Context, all: readonly NewNotification[]): Promise<void> {
  if (all.length === 0) return;
  const { tenantId } = ctx;
  const [, listened] = await Promise.all([prepared(trx, LOCK_SQL, {}), isListenedTo(trx, NOTIFICATION_CREATED)]);
  const changes = new Changes(ctx);
  const at = ctx.now.toISOString();
  const rows = all.map(({ userId, type, title, body, metadata = null, actionUrl = null, actionLabel = null }) => {
    const values = { userId, type, title, body, metadata, actionUrl, actionLabel };
    return { ...values, id: newId(), version: 1, read: false, createdAt: at, updatedAt: at };
  });
  changes.insert(Notification, rows);
  for (const [nth, { id, userId, type, title, body }] of rows.entries()) {
    const payload = { notification_id: id, type, title, body, user_id: userId, tenant_id: tenantId };
    const event = { name: NOTIFICATION_CREATED, payload };
    const entity = { type: Notification.entityType, id };
    changes.emit(entity, listened ? event : { ...event, only: 'note' });
    if (all[nth]?.pushes === true) changes.emit(entity, { name: PUSH_DUE, payload: {} });
  }
  const userIds = rows.map(({ userId }) => userId);
  await Promise.all([changes.write(trx), signalUsers(trx, tenantId, userIds)]);
}
